"""The help of commands, their examples, the version, the program as a module, completion."""

import os
import subprocess
import sys
from typing import Any

import pytest
from typer.main import get_command

from oddville_env import __version__
from oddville_env.cli.app import PANELS, make_app
from oddville_env.cli.examples import EXAMPLES
from oddville_env.oddville.game_type import ODDVILLE
from support.program import Run, Said

# Help


def commands() -> dict[str, Any]:
    """Every command by its name, those of groups too."""
    found = {}
    for name, command in get_command(make_app(ODDVILLE)).commands.items():  # type: ignore[attr-defined]
        found |= getattr(command, "commands", None) or {name: command}
    return found


def test_every_command_has_examples_that_name_it() -> None:
    assert set(commands()) <= set(EXAMPLES)
    for name in commands():
        for example in EXAMPLES[name]:
            assert name in example.split()[:3]


def test_the_help_shows_the_commands_in_groups(run: Run) -> None:
    said = run("--help").out

    places = [said.index(f"─ {title} ─") for title in PANELS]
    assert places == sorted(places)
    assert "─ Commands ─" not in said


@pytest.mark.parametrize("name", sorted({"simulate", "tournament", "train"}))
def test_help_ends_with_examples(run: Run, name: str) -> None:
    said = run(name, "--help")

    assert said.code == 0
    assert EXAMPLES[name][0][:60] in " ".join(said.out.split())


def test_the_version_is_told(run: Run) -> None:
    assert run("--version") == Said(0, f"oddville {__version__}\n", "")


def program(*words: str, **environment: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "oddville_env", *words]
    return subprocess.run(command, capture_output=True, text=True, env={**os.environ, **environment})


def test_the_package_runs_as_a_module() -> None:
    assert program("--version").stdout == f"oddville {__version__}\n"


def test_a_shell_can_complete_commands() -> None:
    words = {"COMP_WORDS": "oddville sim", "COMP_CWORD": "1", "_ODDVILLE_COMPLETE": "complete_bash"}

    assert program(**words).stdout.split() == ["simulate"]
