"""Help, examples, version and shell completion."""

import os
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
from typer.main import get_command

from oddville_env import __version__
from oddville_env.cli.app import EXAMPLES, PANELS, make_app
from oddville_env.core.game.game_type import game_type
from oddville_env.oldtown.game_type import OLDTOWN
from support.program import Run


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


def test_package_runs_as_a_module_and_on_an_ascii_terminal() -> None:
    command = [sys.executable, "-m", "oddville_env"]
    done = subprocess.run([*command, "--version"], capture_output=True, text=True)
    assert done.stdout == f"oddville {__version__}\n"
    plain = {**os.environ, "PYTHONIOENCODING": "ascii", "NO_COLOR": "1"}
    done = subprocess.run([*command, "verify", "gone.jsonl"], capture_output=True, text=True, env=plain)
    assert (done.returncode, done.stdout, done.stderr) == (1, "", "error: gone.jsonl: No such file or directory\n")


LIBRARIES = ("torch", "stable_baselines3", "ray", "polars", "matplotlib", "starlette")


@pytest.fixture
def offered(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Callable[[str], list[str]]:
    """What bash is offered for a line, the last word of which was begun."""

    def words(line: str) -> list[str]:
        program = line.split()[0]
        monkeypatch.setenv("COMP_WORDS", line)
        monkeypatch.setenv("COMP_CWORD", str(line.count(" ")))
        monkeypatch.setenv(f"_{program.upper()}_COMPLETE", "complete_bash")
        with pytest.raises(SystemExit):
            make_app(game_type(program))(prog_name=program)
        return capsys.readouterr().out.split()

    return words


def test_shell_completes_what_a_program_knows(offered: Callable[[str], list[str]]) -> None:
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
        assert offered(line) == expected, line


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
