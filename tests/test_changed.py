"""What `make check` runs."""

from changed import ROOT, concerned


def test_changed_module_is_tested_by_the_files_that_import_it() -> None:
    found = concerned([ROOT / "oddville_env" / "core" / "compiled" / "threads.py"])
    assert found == ["tests/test_house.py", "tests/test_processes.py", "tests/test_threads.py"]


def test_changed_test_is_run_and_changed_page_runs_test_house_only() -> None:
    assert concerned([ROOT / "tests" / "oddville" / "test_moves.py"])[1:] == ["tests/oddville/test_moves.py"]
    assert concerned([ROOT / "README.md"]) == ["tests/test_house.py"]
