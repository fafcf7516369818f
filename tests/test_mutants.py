"""The list of small faults stays one that can be put into the code."""

from pathlib import Path

from mutants import ROOT, mutants


def test_every_mutant_changes_one_place_and_names_tests_that_are_there() -> None:
    for mutant in mutants():
        assert (ROOT / mutant.file).read_text(encoding="utf-8").count(mutant.old) == 1, mutant
        assert mutant.old != mutant.new
        assert mutant.tests.split()
        assert all(Path(ROOT, tests).is_file() for tests in mutant.tests.split()), mutant


def test_no_mutant_stands_twice() -> None:
    assert len({str(mutant) for mutant in mutants()}) == len(mutants()) >= 60
