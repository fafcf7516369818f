"""Pages: Python blocks run, commands parse, links lead somewhere, figures are measured, and the site is built."""

import re
import runpy
import shlex
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

import oddville_agents
import oddville_env
from oddville_env.cli.app import make_app
from oddville_env.core.game.game_type import game_type, known_games
from support import forked

ROOT = Path(__file__).resolve().parents[1]
NOT_OURS = (".venv", "runs", "build", "_build", "node_modules")  # prefixes of folders that git ignores
PAGES = sorted(
    page for page in ROOT.glob("**/*.md") if not any(part.startswith(NOT_OURS) for part in page.relative_to(ROOT).parts)
)
SLOW = ("minutes=",)  # blocks that train for minutes are compiled only; tests of training run the same calls

BLOCKS = """
import runpy
import sys

for name in sys.argv[1:]:
    runpy.run_path(name, run_name="__main__")
"""
"""A program that runs others one after the other, so that their imports are loaded once."""

WORDS = {"README.md": 900, "CONTRIBUTING.md": 500, "CHANGELOG.md": 400, "docs/recipes.md": 2000}
COMMAND = re.compile(r"^(?:\.venv/bin/)?((?:oddville|oldtown) [a-z].*)$", re.MULTILINE)

LINES = [pytest.param(line, id=line[:60]) for page in PAGES for line in sorted(set(COMMAND.findall(page.read_text())))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_python_blocks_of_a_page_run_one_after_the_other(page: Path, tmp_path: Path) -> None:
    names = []
    for number, block in enumerate(re.findall(r"```python\n(.*?)```", page.read_text(), re.DOTALL), 1):
        compile(block, page.name, "exec")
        if not any(word in block for word in SLOW):
            names.append(f"block_{number}.py")
            (tmp_path / names[-1]).write_text(block)
    (tmp_path / "blocks.py").write_text(BLOCKS)
    if names:
        ran = forked.run(tmp_path / "blocks.py", *names, folder=tmp_path)
        assert ran.returncode == 0, ran.stderr


@cache
def command_of(program: str) -> Any:
    return get_command(make_app(game_type(program)))


@pytest.mark.parametrize("line", LINES)
def test_command_lines_of_the_pages_are_known(line: str) -> None:
    program, *words = shlex.split(line, comments=True)
    command, context = command_of(program), None
    while words and words[0] in getattr(command, "commands", {}):
        context = command.make_context(program, [], context, resilient_parsing=True)
        command = command.commands[words.pop(0)]
    command.make_context(line, words, context, resilient_parsing=False)


@pytest.mark.parametrize(("page", "words"), WORDS.items())
def test_first_pages_stay_short(page: str, words: int) -> None:
    assert len((ROOT / page).read_text().split()) <= words


def test_readme_reports_where_everything_is_within_sixty_lines() -> None:
    assert "## Where everything is" in (ROOT / "README.md").read_text().splitlines()[:60]


@pytest.mark.parametrize("name", known_games())
def test_readme_table_has_the_sizes_of_each_game(name: str) -> None:
    game = game_type(name)
    box = game.box(game.settings())
    glance = (ROOT / "README.md").read_text().split("<!-- glance -->")[1].split("<!-- end glance -->")[0]
    assert f"`Discrete({box.layout.size})`" in glance
    for encoding in game.encodings:
        encoder = game.make_encoder(box, encoding)
        assert f"`{list(encoder.shape)}` (`{encoding}`" in glance, encoding


def test_api_reference_has_every_public_name() -> None:
    reference = "\n".join(page.read_text() for page in (ROOT / "docs" / "api").glob("*.md"))
    named = set(re.findall(r"auto(?:class|data|function|exception|module):: (\w+\.\w+)$", reference, re.MULTILINE))
    public = {f"{package.__name__}.{name}" for package in (oddville_env, oddville_agents) for name in package.__all__}
    assert public - named == set()


def test_files_that_pages_name_or_link_are_there() -> None:
    missing = [
        f"{page.relative_to(ROOT)}: {named}"
        for page in PAGES
        for named in re.findall(r"`((?:tests|examples|docs|agents|training|oddville_env)/[\w./-]*)`", page.read_text())
        if not (ROOT / named).exists()
    ]
    assert missing == []
    for page in PAGES:
        for link in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", page.read_text()):
            assert (page.parent / link).exists(), f"{page.name}: {link}"


def test_workflow_runs_targets_and_programs_that_exist() -> None:
    workflow = (ROOT / ".github" / "workflows" / "ci.yml").read_text()
    targets = re.findall(r"^([\w -]+):", (ROOT / "Makefile").read_text(), re.MULTILINE)
    named = re.findall(r"run: make (\w+)", workflow)
    assert named == ["check", "test", "docs"]
    assert set(named) <= {name for target in targets for name in target.split()}
    assert [path for path in re.findall(r"run: python (\S+\.py)", workflow) if not (ROOT / path).exists()] == []


@pytest.mark.parametrize("game", ["oddville", "oldtown"])
def test_index_shows_code_and_tests_of_every_rule(game: str) -> None:
    index = runpy.run_path(str(ROOT / "docs" / "rule_tests.py"))
    code, tests, rules = (index[name](game) for name in ("code_of", "tests_of", "rules_of"))
    assert code.keys() <= rules.keys()
    assert [rule for rule in code if not code[rule]] == []
    assert [rule for rule in rules if not tests[rule]] == []


def test_site_is_built_without_a_warning(tmp_path: Path) -> None:
    for needed in ("sphinx", "myst_nb", "furo", "sphinx_copybutton"):
        pytest.importorskip(needed, reason="the extra docs is not installed")
    command = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", "-c", "docs", "-b", "html"]
    folders = ("-d", tmp_path / "doctrees", ".", tmp_path / "html")
    built = subprocess.run([*command, *folders], cwd=ROOT, capture_output=True, text=True)
    assert built.returncode == 0, built.stderr
    assert (tmp_path / "html" / "index.html").is_file()
    assert (tmp_path / "html" / "docs" / "index.html").is_file()
    assert "test_" not in (tmp_path / "html" / "docs" / "rules.html").read_text()


PRINTER = runpy.run_path(str(ROOT / "training" / "benchmarks" / "print_results.py"))
WITH_FIGURES = PRINTER["pages"]()


@pytest.mark.parametrize("page", WITH_FIGURES, ids=lambda page: str(page.relative_to(ROOT)))
def test_tables_of_pages_are_those_of_the_results_file(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert PRINTER["printed"](text) == text, "run python training/benchmarks/print_results.py"


def test_every_result_says_how_it_was_measured_and_stands_on_one_page() -> None:
    for name, result in PRINTER["RESULTS"].items():
        assert result["date"], name
        assert result["machine"], name
        assert result["command"] or "command" in result["columns"], name
        assert all(len(row) == len(result["columns"]) for row in result["rows"]), name
        intervals = [each for row in result["rows"] for each in row if isinstance(each, list)]
        assert all(low <= middle <= high for middle, low, high, *_ in intervals), name
        assert sum(f"<!-- results {name} -->" in page.read_text(encoding="utf-8") for page in WITH_FIGURES) == 1, name


@pytest.mark.parametrize(("row", "what"), [
    ("random play, one core", "random play, 2 players"),
    *((f"masks and `{encoding}`", f"1024 games, {encoding}, 2 players") for encoding in ("features", "summary")),
])  # fmt: skip
def test_rates_of_the_readme_are_those_of_the_results(row: str, what: str) -> None:
    (line,) = (line for line in (ROOT / "README.md").read_text(encoding="utf-8").splitlines() if row in line)
    told = [float(rate) for rate in re.findall(r"([\d.]+) million decisions/s", line)]
    for rate, name in zip(told, ("speed_oddville", "speed_oldtown"), strict=True):
        (found,) = (each[1] for each in PRINTER["RESULTS"][name]["rows"] if each[0].startswith(what))
        measured = found[0] if isinstance(found, list) else found
        assert round(measured / 1e6, len(str(rate).partition(".")[2])) == rate
