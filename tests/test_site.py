"""The site is built from the pages without a warning, and the index of rules holds every rule."""

import runpy
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("game", ["oddville", "oldtown"])
def test_index_shows_code_and_tests_of_every_rule(game: str) -> None:
    pytest.importorskip("sphinx", reason="the extra docs is not installed")
    index = runpy.run_path(str(ROOT / "docs" / "rule_index.py"))
    code, tests, rules = (index[name](game) for name in ("code_of", "tests_of", "rules_of"))
    assert code.keys() <= rules.keys()
    assert [rule for rule in code if not code[rule]] == []
    assert [rule for rule in rules if not tests[rule]] == []


def test_site_is_built_without_a_warning(tmp_path: Path) -> None:
    for needed in ("sphinx", "myst_nb", "furo", "sphinx_copybutton"):
        pytest.importorskip(needed, reason="the extra docs is not installed")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-c", "docs", "-b", "html"]
    built = subprocess.run(
        [*command, "-d", tmp_path / "doctrees", ".", tmp_path / "html"], cwd=ROOT, capture_output=True, text=True
    )
    assert built.returncode == 0, built.stderr
    assert (tmp_path / "html" / "index.html").is_file()
    assert (tmp_path / "html" / "docs" / "index.html").is_file()
    assert "test_" not in (tmp_path / "html" / "docs" / "rules.html").read_text()
