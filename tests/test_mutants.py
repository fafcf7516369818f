"""What `make check` runs, and the list of small faults."""

from pathlib import Path

from changed import ROOT, concerned
from mutants import mutants


def test_every_mutant_stands_once_changes_one_place_and_names_tests_that_are_there() -> None:
    for mutant in mutants():
        assert (ROOT / mutant.file).read_text(encoding="utf-8").count(mutant.old) == 1, mutant
        assert mutant.old != mutant.new
        assert mutant.tests.split()
        assert all(Path(ROOT, tests).is_file() for tests in mutant.tests.split()), mutant
    assert len({str(mutant) for mutant in mutants()}) == len(mutants()) >= 60


def test_a_module_is_tested_by_what_imports_it_a_test_by_itself_and_a_page_by_test_house() -> None:
    found = concerned([ROOT / "oddville_env" / "core" / "compiled" / "threads.py"])
    assert found == ["tests/test_house.py", "tests/test_threads.py"]
    assert concerned([ROOT / "tests" / "oddville" / "test_cards.py"])[1:] == ["tests/oddville/test_cards.py"]
    assert concerned([ROOT / "README.md"]) == ["tests/test_house.py"]
