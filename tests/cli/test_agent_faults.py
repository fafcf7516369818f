"""What an agent's own file does wrong is told in a sentence by every command that asks it, whatever it raises."""

from pathlib import Path

import pytest

from support.program import Run, Said

AGENT = """
from copy import copy
from oddville_agents import Agent

def fail(place):
    if place == {place!r}:
        raise {error}

class Odd(Agent):
    def __init__(self):
        fail("init")

    def reset(self, seat, players, seed):
        fail("reset")

    def act(self, view):
        fail("act")
        return next(moves()) if {place!r} == "generator" else int(view.actions[0])

    def opinion(self, view):
        fail("opinion")
        return super().opinion(view)

    def batch_agent(self, tables):
        fail("batch_agent")
        return super().batch_agent(tables)

    def __deepcopy__(self, memo):
        fail("copy")
        return copy(self)

def moves():
    fail("generator")
    yield 0

fail("import")
"""
ERRORS = {
    "SystemExit(0)": "SystemExit: 0",
    "KeyboardInterrupt": "KeyboardInterrupt",
    "GeneratorExit": "GeneratorExit",
    "RuntimeError('own')": "RuntimeError: own",
}
WHEN = {
    "import": "cannot be imported",
    "init": "when it was made",
    "reset": "when it was told that a game begins",
    "act": "when it was asked",
    "generator": "when it was asked",
    "opinion": "when it was asked what it thinks",
    "batch_agent": "when it was asked to sit at several tables",
    "copy": "when a copy of it was made",
}
COMMANDS = {
    "simulate --agents ./odd.py:Odd,random --games 2": "import init reset act generator",
    "evaluate ./odd.py:Odd --against random --games 2": "init act",
    "evaluate random --against ./odd.py:Odd --games 2": "reset act",
    "watch --agents random,./odd.py:Odd --delay 0": "act",
    "play --terminal --seats ./odd.py:Odd,random": "reset act",
    "analyse games.jsonl --move 3 --agent ./odd.py:Odd": "generator opinion",
    "imitate ./odd.py:Odd --out data --games 2 --workers 1": "act batch_agent copy",
    "imitate ./odd.py:Odd --out data --games 2 --workers 2": "act",
    "train --folder new --against random ./odd.py:Odd --steps 256 --taught 0 --envs 2": "reset copy",
    "play --seats ./odd.py:Odd,human": "import",
    "export ./odd.py:Odd --out odd.onnx": "import",
    "tournament ./odd.py:Odd random --blocks 1 --workers 1 --out cup": "init",
}
NEEDS = {"imitate": "torch", "train": "sb3_contrib", "export": "onnx", "tournament": "polars"}
CASES = [
    (words, place, error)
    for words, places in COMMANDS.items()
    for place in places.split()
    for error in (ERRORS if words.startswith("simulate") else ["SystemExit(0)"])
]


def told(said: Said, name: str, when: str, error: str) -> None:
    assert said.code == 1
    assert "Traceback" not in said.err
    (line,) = [line for line in said.err.splitlines() if line.startswith("error: ")]
    assert name in line
    assert when in line
    assert error in line


@pytest.mark.parametrize(("words", "place", "error"), CASES)
def test_agent_that_raises_is_named(run: Run, games: Path, words: str, place: str, error: str) -> None:
    pytest.importorskip(NEEDS.get(words.split()[0], "typer"))
    (games.parent / "odd.py").write_text(AGENT.format(place=place, error=error))
    told(run(*words.split()), "'./odd.py:Odd'", WHEN[place], ERRORS[error])


HEAD = """
from oddville_agents.agent import Agent, Candidate, Opinion

class Mute(Exception):
    def __str__(self):
        raise Mute

class Odd(Agent):
    name = "odd"
    def act(self, view):
        return view.actions[0]
"""
ANSWER = """
    def act(self, view):
        class Answer:
            def __index__(self):
                raise {}
        return Answer()
"""
OPINION = """
    def opinion(self, view):
        return {}
"""


@pytest.mark.parametrize(("body", "reason"), [
    (ANSWER.format("SystemExit(0)"), "SystemExit: 0"),
    (ANSWER.format("Mute"), "raised: Mute "),
    ("    name = 7", "its name must be a text, not 7"),
    (OPINION.format("None"), "has no attribute 'candidates'"),
    (OPINION.format("Opinion((Candidate(10**6, 1.0),))"), "illegal move: 1000000"),
    (OPINION.format("Opinion((Candidate(view.actions[0], 'much'),))"), "could not convert"),
    (OPINION.format("Opinion((Candidate(view.actions[0], 1.0, line=(10**6,)),))"), "IndexError"),
])  # fmt: skip
def test_wrong_answer_is_reported(run: Run, games: Path, body: str, reason: str) -> None:
    (games.parent / "odd.py").write_text(HEAD + body)
    asked = ("analyse", games, "--move", 3, "--agent", "./odd.py:Odd")
    if "opinion" not in body:
        asked = ("simulate", "--agents", "./odd.py:Odd,random", "--games", 2)
    told(run(*asked), "'./odd.py:Odd'", "", reason)
