"""Oversized files and faulty agents: refused in a sentence, in little time and memory."""

import gzip
import json
import resource
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from oddville_env import DeckError, OldTownSolo, RecordError, base_deck, load_deck
from oddville_env.cli.commands.cards import MOST_PROBLEMS
from oddville_env.core.disk import reading
from oddville_env.oldtown.cards import BASE
from oddville_env.oldtown.deduction import proof
from oddville_env.oldtown.deduction.proof import prove
from oddville_env.oldtown.deduction.puzzle import PuzzleError, puzzle_of
from support.helpers import random_game
from support.program import Run, Said

MEGABYTE = 2**20
MANY = 20_000  # comparing all pairs would take half a minute


def memory(begin: bool = False) -> int:
    """The most bytes that this process had at once; from its beginning or, where the system can, from `begin` on."""
    if begin:
        with suppress(OSError):  # Linux
            Path("/proc/self/clear_refs").write_text("5")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def bomb(path: Path, part: bytes, megabytes: int) -> Path:
    """A small packed file that holds very much."""
    with gzip.open(path, "wb", compresslevel=1) as file:
        for _ in range(megabytes):
            file.write(part * (MEGABYTE // len(part)))
    return path


def test_gzip_bomb_is_refused_in_little_memory(run: Run, tmp_path: Path) -> None:
    file, begun = bomb(tmp_path / "bomb.jsonl.gz", b"x", 150), memory(begin=True)
    for command in (["verify"], ["replay"], ["draw", "--out", "a.svg"], ["analyse", "--move", 1]):
        said = run(command[0], file, *command[1:])
        assert said.code == 1
        assert f"bomb.jsonl.gz, line 1 is longer than {reading.LONGEST_LINE:,} characters" in said.err
    assert memory() - begun < 100 * MEGABYTE
    bomb(file, b"\n", 3)
    begun = memory(begin=True)
    assert "there is no record in it" in run("verify", file).err
    assert memory() - begun < 10 * MEGABYTE


def test_verify_ends_where_nothing_is_a_record(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oddville_env.cli.commands.records.MOST_BAD", 3)
    (tmp_path / "a.jsonl").write_text("x\n" * 100)
    said = run("verify", "a.jsonl", "--json", "a.json")
    assert said.code == 1
    assert "after 3 such lines the rest is skipped" in said.err
    assert len(json.loads((tmp_path / "a.json").read_text())["bad"]) == 3


def test_file_read_whole_and_records_of_the_page_are_limited(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "deck.json"
    file.write_bytes(b" " * (reading.LARGEST_TEXT + 1))
    with pytest.raises(DeckError, match=r"deck\.json cannot be read \(it is larger than 16 MB"):
        load_deck(file)
    with pytest.raises(DeckError, match="it is not a regular file"):
        load_deck("/dev/zero")
    records: Any = pytest.importorskip("oddville_env.web.sessions.saving", reason="the page needs the extra web")
    file = tmp_path / "a.jsonl"
    file.write_text((json.dumps(random_game(2, 1).record()) + "\n") * 3)
    assert len(records.RecordFile(file)) == 3
    monkeypatch.setattr(reading, "MOST_HELD", file.stat().st_size // 2)
    with pytest.raises(RecordError, match=r"a\.jsonl: it holds more than 0 MB: split it"):
        records.RecordFile(file)
    with pytest.raises(RecordError, match="line 1 is longer than"):
        records.RecordFile(bomb(tmp_path / "bomb.jsonl.gz", b"x", 20))


def test_deck_with_too_much_in_it_is_reported_at_once(oldtown: Run, tmp_path: Path) -> None:
    plain = json.loads(BASE.read_text())
    letters = [chr(97 + number // 26**place % 26) for number in range(MANY) for place in range(4)]
    many = [{"key": "".join(letters[4 * number : 4 * number + 4]), "name": "x"} for number in range(MANY)]
    keys, file = {f"k{number}": number for number in range(MANY)}, tmp_path / "deck.json"
    for changed in (
        {"buildings": [plain["buildings"][0] | keys, *plain["buildings"][1:]]},
        {"buildings": many},
        {"cards": plain["cards"] * (MANY // 60)},
    ):
        file.write_text(json.dumps(plain | changed))
        begun = time.process_time()
        with pytest.raises(DeckError) as error:
            load_deck(file)
        assert time.process_time() - begun < 2
        assert len(str(error.value)) < 10_000
    file.write_text(json.dumps(plain | {"cards": [{}] * MANY}))
    said = oldtown("cards", "check", file)
    lines = said.err.splitlines()
    assert (said.code, len(lines)) == (1, MOST_PROBLEMS + 1)
    assert lines[-1].startswith("and ")


def test_puzzle_with_too_few_clues_is_reported(oldtown: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    keys = base_deck().keys[:16]
    cards = [{"card": 37 + number, "building": key} for number, key in enumerate(keys)]
    free = {"a": [], "b": cards, "c": [], "mine": [keys[0]], "mine_count": 1}
    (tmp_path / "free.json").write_text(json.dumps(free))
    begun, said = time.process_time(), oldtown("solve", "free.json")
    assert said.code == 0
    assert "at least 1000 placements" in said.out
    with pytest.raises(PuzzleError, match="1000 placements or more"):
        OldTownSolo(free | {"mine": None})
    assert time.process_time() - begun < 5
    monkeypatch.setattr(proof, "MOST_INFERENCES", 2_000)
    with pytest.raises(PuzzleError, match="too few to prove its solutions in 2,000 steps"):
        prove(puzzle_of(free))


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
    "reset": "at the start of a game",
    "act": "when it was asked",
    "generator": "when it was asked",
    "opinion": "when it was asked for an analysis",
    "batch_agent": "when it was asked to play several games",
    "copy": "when it was copied",
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
