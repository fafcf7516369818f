"""What `make check` runs, and the list of small faults."""

from pathlib import Path

from changed import ROOT, concerned
from mutants import mutants


def test_every_mutant_changes_one_place_and_names_tests_that_are_there() -> None:
    for mutant in mutants():
        assert (ROOT / mutant.file).read_text(encoding="utf-8").count(mutant.old) == 1, mutant
        assert mutant.old != mutant.new
        assert mutant.tests.split()
        assert all(Path(ROOT, tests).is_file() for tests in mutant.tests.split()), mutant


def test_no_mutant_stands_twice() -> None:
    assert len({str(mutant) for mutant in mutants()}) == len(mutants()) >= 60


def test_changed_module_is_tested_by_the_files_that_import_it() -> None:
    found = concerned([ROOT / "oddville_env" / "core" / "compiled" / "threads.py"])
    assert found == ["tests/test_house.py", "tests/test_threads.py"]


def test_changed_test_is_run_and_changed_page_runs_test_house_only() -> None:
    assert concerned([ROOT / "tests" / "oddville" / "test_cards.py"])[1:] == ["tests/oddville/test_cards.py"]
    assert concerned([ROOT / "README.md"]) == ["tests/test_house.py"]
