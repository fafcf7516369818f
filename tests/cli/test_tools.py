"""`cards`, `tables`, `doctor`, `export`, `agents`; help, examples, version and shell completion."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from typer.main import get_command

from oddville_env import __version__, base_cards, load_cards
from oddville_env.cli.app import EXAMPLES, PANELS, make_app
from oddville_env.cli.commands import tools
from oddville_env.core.compiled import cache as kernel_cache
from oddville_env.core.game.game_type import game_type
from oddville_env.core.system.extras import PACKAGES
from oddville_env.oddville.game_type import TABLES
from oddville_env.oldtown.cards import BASE
from oddville_env.oldtown.game_type import OLDTOWN
from support.program import Run, fails, works


def test_agents_lists_the_built_in_ones(run: Run) -> None:
    said = works(run("agents", "--json", "agents.json"))
    assert ":threads=1  trees, each in its own thread" in said.out
    plain = {agent["name"]: agent["options"] for agent in json.loads(Path("agents.json").read_text())}
    assert plain["greedy"][0].items() >= {"name": "weights", "default": "tuned", "expected": "a text"}.items()
    assert {"random", "greedy"} <= {line.strip("│| ").split()[0] for line in said.out.splitlines() if line.strip("│| ")}


def test_cards_check_sums_a_card_set_up(run: Run) -> None:
    said = works(run("cards", "check"))
    assert base_cards().digest[:12] in said.out
    assert "by suit" in said.out


@pytest.mark.parametrize("name", TABLES)
def test_tables_prints_what_is_printed_from_the_code(run: Run, name: str) -> None:
    assert run("tables", name) == (0, TABLES[name]() + "\n", "")


@pytest.mark.parametrize("words", [("cards", "copy"), ("cards", "draw", "--seed", 5)])
def test_card_set_completes_an_earlier_copy_and_overwrites_nothing_else(run: Run, words: tuple[object, ...]) -> None:
    assert run(*words, "deep/mine").code == run(*words, "mine").code == 0
    assert (load_cards("deep/mine") == base_cards()) is ("draw" not in words)
    whole = {file.name: file.read_bytes() for file in Path("mine").iterdir()}
    Path("mine/square.csv").unlink()
    assert run(*words, "mine").code == 0
    assert {file.name: file.read_bytes() for file in Path("mine").iterdir()} == whole
    for name in ("square.csv", "notes.txt"):
        Path("mine/square.csv").unlink()
        Path("mine", name).write_text("my own")
        fails(run(*words, "mine"), "not empty")
        assert Path("mine", name).read_text() == "my own"


def test_deck_is_checked_and_copied(oldtown: Run, tmp_path: Path) -> None:
    assert "is a deck, digest" in oldtown("cards", "check").out
    assert oldtown("cards", "copy", "mine.json").code == 0
    assert Path("mine.json").read_bytes() == BASE.read_bytes()


def test_agents_network_is_written_with_what_it_is_for(run: Run, tmp_path: Path) -> None:
    onnx = pytest.importorskip("onnx", reason="the extra onnx is not installed")
    said = run("export", "champion", "--out", "value.onnx")
    assert (said.code, said.out) == (0, "the network is value.onnx\n")
    model = onnx.load(tmp_path / "value.onnx")
    assert {each.key for each in model.metadata_props} >= {"layout", "own", "shared"}


def test_doctor_shows_versions_extras_and_kernels(run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folders, real = [tmp_path / "kernels"], tools.version
    folders[0].mkdir()
    (folders[0] / "a").write_bytes(b"12345")

    def version(package: str) -> str:
        if package == "onnx":
            raise tools.PackageNotFoundError(package)
        return real(package)

    monkeypatch.setattr(tools, "version", version)
    monkeypatch.setattr(kernel_cache, "folders", lambda: folders)
    told = json.loads(run("doctor", "--json", "-").out)
    assert told["version"] == __version__
    assert told["packages"]["numba"] is not None
    assert told["extras"].keys() == PACKAGES.keys()
    assert told["threads"]["usable_cores"] >= 1
    kernels = told["kernels"]
    assert (kernels["folder"], kernels["functions"], kernels["bytes"]) == (str(folders[0]), 1, 5)
    folders[0] /= "a/kernels"
    said = " ".join(run("doctor").out.split())
    assert "compiled code cannot be cached" in said
    assert "extra onnx missing: onnx. Without it no export of networks: pip install 'oddville-env[onnx]'" in said


def commands() -> dict[str, Any]:
    """Every command by the name of its function, those of groups too."""
    found = get_command(make_app(OLDTOWN)).commands.values()
    commands = [own for command in found for own in getattr(command, "commands", {"": command}).values()]
    return {command.callback.__name__: command for command in commands}


def test_every_command_has_examples_that_name_it_and_help_shows_them_in_groups(run: Run) -> None:
    assert {*commands(), "draw_cards"} == set(EXAMPLES)
    for name, command in commands().items():
        for example in EXAMPLES[name]:
            assert command.name in example.split()[:2]
    said = run("--help").out
    places = [said.index(f"─ {title} ─") for title in PANELS]
    assert places == sorted(places)
    assert "─ Commands ─" not in said
    assert EXAMPLES["simulate"][0][:60] in " ".join(run("simulate", "--help").out.split())


def test_package_runs_as_a_module_and_on_an_ascii_terminal() -> None:
    command = [sys.executable, "-m", "oddville_env"]
    done = subprocess.run([*command, "--version"], capture_output=True, text=True)
    assert done.stdout == f"oddville {__version__}\n"
    plain = {**os.environ, "PYTHONIOENCODING": "ascii", "NO_COLOR": "1"}
    done = subprocess.run([*command, "verify", "gone.jsonl"], capture_output=True, text=True, env=plain)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "error: gone.jsonl: No such file or directory\n")


LIBRARIES = ("torch", "stable_baselines3", "ray", "polars", "matplotlib", "starlette")


def test_shell_completes_what_a_program_knows(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture) -> None:
    for line, expected in {
        "oddville sim": ["simulate"],
        "oddville evaluate cha": ["champion"],
        "oddville evaluate greedy --against ra": ["random"],
        "oddville tournament random,gre": ["random,greedy", "random,greedy:weights=simple"],
        "oddville play --seats hu": ["human"],
        "oldtown benchmark heu": ["heuristic"],
        "oldtown selfplay --preset ": ["champion", "quick"],
        "oddville selfplay --preset hou": ["hour"],
        "oddville tables sum": ["summary"],
        "oldtown imitate greedy --encoding memo": ["memoryless"],
        "oddville dataset a.jsonl --reward ma": ["margin"],
    }.items():
        program = line.split()[0]
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", str(line.count(" ")))  # the last word was begun
        monkeypatch.setenv(f"_{program.upper()}_COMPLETE", "complete_bash")
        with pytest.raises(SystemExit):
            make_app(game_type(program))(prog_name=program)
        assert capsys.readouterr().out.split() == expected, line


def test_completion_imports_no_library_of_an_extra() -> None:
    code = (
        "import sys\n"
        "from oddville_env.cli.main import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        f"print([name for name in {LIBRARIES!r} if name in sys.modules])\n"
    )
    asked = {"COMP_WORDS": "oddville selfplay --preset h", "COMP_CWORD": "3", "_ODDVILLE_COMPLETE": "complete_bash"}
    command = [sys.executable, "-c", code]
    said = subprocess.run(command, capture_output=True, text=True, check=True, env={**os.environ, **asked}).stdout
    assert said.split() == ["hour", "[]"]
