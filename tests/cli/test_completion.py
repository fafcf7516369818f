"""What a shell offers behind a word that was begun."""

import os
import subprocess
import sys

import pytest

from oddville_env.cli.app import make_app
from oddville_env.core.game.game_type import game_type

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
def test_a_shell_completes_what_a_program_knows(offered, line: str, expected: list[str]) -> None:  # type: ignore[no-untyped-def]
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
