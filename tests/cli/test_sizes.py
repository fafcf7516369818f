"""Oversized files and numbers are refused in little time and memory."""

import gzip
import json
import resource
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from oddville_env import DeckError, OldTownSolo, RecordError, load_deck
from oddville_env.cli.commands.cards import MOST_PROBLEMS
from oddville_env.core.disk import reading
from oddville_env.oldtown.cards import base_deck
from oddville_env.oldtown.cards.deck import BASE
from oddville_env.oldtown.deduction import proof
from oddville_env.oldtown.deduction.proof import prove
from oddville_env.oldtown.deduction.puzzle import PuzzleError, puzzle_of
from support.helpers import random_game
from support.program import Run

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
    assert "after 3 such lines the rest is not looked at" in said.err
    assert len(json.loads((tmp_path / "a.json").read_text())["bad"]) == 3


def test_record_file_of_the_page_has_a_size_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    records: Any = pytest.importorskip("oddville_env.web.sessions.saving", reason="the page needs the extra web")
    file = tmp_path / "a.jsonl"
    file.write_text((json.dumps(random_game(2, 1).record()) + "\n") * 3)
    assert len(records.RecordFile(file)) == 3
    monkeypatch.setattr(reading, "MOST_HELD", file.stat().st_size // 2)
    with pytest.raises(RecordError, match=r"a\.jsonl: it holds more than 0 MB, give it in parts"):
        records.RecordFile(file)
    with pytest.raises(RecordError, match="line 1 is longer than"):
        records.RecordFile(bomb(tmp_path / "bomb.jsonl.gz", b"x", 20))


def test_file_read_whole_has_a_size_limit(tmp_path: Path) -> None:
    file = tmp_path / "deck.json"
    file.write_bytes(b" " * (reading.LARGEST_TEXT + 1))
    with pytest.raises(DeckError, match=r"deck\.json: .*it is larger than 16 MB"):
        load_deck(file)
    with pytest.raises(DeckError, match="it is no regular file"):
        load_deck("/dev/zero")


def test_deck_with_too_much_in_it_is_reported_at_once(oldtown: Run, tmp_path: Path) -> None:
    plain = json.loads(BASE.read_text())
    letters = [chr(97 + number // 26**place % 26) for number in range(MANY) for place in range(4)]
    many = [{"key": "".join(letters[4 * number : 4 * number + 4]), "name": "x"} for number in range(MANY)]
    keys = {f"k{number}": number for number in range(MANY)}
    file = tmp_path / "deck.json"
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
