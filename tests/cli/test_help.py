"""Help, examples, version and shell completion."""

import os
import subprocess
import sys
from typing import Any

import pytest
from typer.main import get_command

from oddville_env import __version__
from oddville_env.cli.app import EXAMPLES, PANELS, make_app
from oddville_env.core.game.game_type import game_type
from oddville_env.oldtown.game_type import OLDTOWN
from support.program import Run, Said


def commands() -> dict[str, Any]:
    """Every command by the name of its function, those of groups too."""
    found = get_command(make_app(OLDTOWN)).commands.values()  # type: ignore[attr-defined]
    commands = [own for command in found for own in getattr(command, "commands", {"": command}).values()]
    return {command.callback.__name__: command for command in commands}


def test_every_command_has_examples_that_name_it() -> None:
    assert {*commands(), "draw_cards"} == set(EXAMPLES)
    for name, command in commands().items():
        for example in EXAMPLES[name]:
            assert command.name in example.split()[:2]


def test_help_shows_the_commands_in_groups(run: Run) -> None:
    said = run("--help").out
    places = [said.index(f"─ {title} ─") for title in PANELS]
    assert places == sorted(places)
    assert "─ Commands ─" not in said
    assert EXAMPLES["simulate"][0][:60] in " ".join(run("simulate", "--help").out.split())
    assert run("--version") == Said(0, f"oddville {__version__}\n", "")


def test_package_runs_as_a_module_in_a_shell_that_completes_commands_and_on_an_ascii_terminal() -> None:
    words = {"COMP_WORDS": "oddville sim", "COMP_CWORD": "1", "_ODDVILLE_COMPLETE": "complete_bash"}
    for more, shown in ({}, f"oddville {__version__}\n"), (words, "simulate\n"):
        command = [sys.executable, "-m", "oddville_env", *([] if more else ["--version"])]
        done = subprocess.run(command, capture_output=True, text=True, env={**os.environ, **more})
        assert done.stdout == shown
    plain, command = {**os.environ, "PYTHONIOENCODING": "ascii", "NO_COLOR": "1"}, [*command, "verify", "gone.jsonl"]
    done = subprocess.run(command, capture_output=True, text=True, env=plain)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "error: gone.jsonl: No such file or directory\n")


LIBRARIES = ("torch", "stable_baselines3", "ray", "polars", "matplotlib", "starlette")


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):  # type: ignore[no-untyped-def]
    """What bash is offered for a line, the last word of which was begun."""

    def words(line: str) -> list[str]:
        program = line.split()[0]
        environment = {
            "COMP_WORDS": line,
            "COMP_CWORD": str(line.count(" ")),
            f"_{program.upper()}_COMPLETE": "complete_bash",
        }
        for name, value in environment.items():
            monkeypatch.setenv(name, value)
        with pytest.raises(SystemExit):
            make_app(game_type(program))(prog_name=program)
        return capsys.readouterr().out.split()

    return words


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("oddville evaluate cha", ["champion"]),
        ("oddville evaluate greedy --against ra", ["random"]),
        ("oddville tournament random,gre", ["random,greedy", "random,greedy:weights=simple"]),
        ("oddville play --seats hu", ["human"]),
        ("oldtown benchmark heu", ["heuristic"]),
        ("oldtown selfplay --preset ", ["champion", "quick"]),
        ("oddville selfplay --preset hou", ["hour"]),
        ("oddville tables sum", ["summary"]),
        ("oldtown imitate greedy --encoding memo", ["memoryless"]),
        ("oddville dataset a.jsonl --reward ma", ["margin"]),
        ("oddville doc", ["doctor"]),
    ],
)
def test_shell_completes_what_a_program_knows(offered, line: str, expected: list[str]) -> None:  # type: ignore[no-untyped-def]
    assert offered(line) == expected


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
