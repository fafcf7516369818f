"""What commands say of mistakes: one sentence, and nothing is written."""

import gzip
import shutil
from pathlib import Path

import pytest

from support.program import Run, fails, left

BASE = Path(__file__).parents[2] / "oddville_env" / "oddville" / "cards" / "base"


# Mistakes


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        ("simulate --agents greedy,nobody", "no agent is called 'nobody': expected random, greedy"),
        ("simulate --agents greedy,[/b]", "no agent is called '[/b]': expected"),
        ("simulate --agents greedy", "--agents must name 2 to 4 agents, not 1"),
        ("simulate --agents a,b,c,d,e", "--agents must name 2 to 4 agents, not 5"),
        ("simulate --agents greedy,,random", "an agent is named by a text such as greedy, not ''"),
        ("simulate --agents greedy,random:x=1", "agent 'random:x=1': it takes other options"),
        ("simulate --agents random,random --games 0", "games must be a whole number from 1 to 1000000000, not 0"),
        ("simulate --agents random,random --seed -1", "seed must be a whole number of at least 0"),
        ("simulate --agents random,random --table 4 3", "table's number of columns must be odd"),
        ("simulate --agents random,random --max-rounds 0", "max_rounds must be a whole number from 1 to 30000, not 0"),
        ("simulate --agents random,random --games 1 --out file/a.jsonl", "file"),
        ("simulate --agents random,random --games 1 --out /proc/none/a.jsonl", "/proc/none"),
        ("simulate --agents random,random --games 1 --out folder", "folder: Is a directory"),
        ("simulate --agents random,random --games 1 --out .", "."),
        ("watch --agents random", "--agents must name 2 to 4 agents, not 1"),
        ("watch --agents random,random --delay -1", "delay must be"),
        ("watch --agents random,random --delay nan", "delay must be"),
        ("perft --players 5", "players must be a whole number from 2 to 4, not 5"),
        ("perft --depth 0", "depth must be a whole number from 1 to 12, not 0"),
        ("perft --depth 13", "depth must be a whole number from 1 to 12, not 13"),
        ("warm --workers 0", "workers must be a whole number of at least 1, not 0"),
        ("tables moves", "expected actions, common, features, ids, summary, state, rules, options"),
        ("verify gone.jsonl", "gone.jsonl: No such file or directory"),
        ("verify [/b].jsonl", "[/b].jsonl: No such file or directory"),
        ("verify [bold]gone.jsonl", "[bold]gone.jsonl: No such file or directory"),
        ("verify folder", "folder: Is a directory"),
        ("verify empty.jsonl", "empty.jsonl: there is no record in it"),
        ("verify bytes.jsonl", "bytes.jsonl: it cannot be read to its end ('utf-8' codec can't decode"),
        ("verify cut.jsonl.gz", "cut.jsonl.gz: it cannot be read to its end (Compressed file ended before"),
        ("verify bad.jsonl.gz", "bad.jsonl.gz: it cannot be read"),
        ("verify text.jsonl.gz", "text.jsonl.gz: "),
        ("replay gone.jsonl", "gone.jsonl: No such file or directory"),
        ("replay games.jsonl --index 3", "games.jsonl: there is no game 3, expected 0 to 2"),
        ("replay games.jsonl --index -1", "games.jsonl: there is no game -1, expected 0 to 2"),
        ("replay empty.jsonl", "empty.jsonl: there is no record in it"),
        ("replay cut.jsonl --index 1", "cut.jsonl, line 2: this is not JSON"),
        ("replay wrong.jsonl", "wrong.jsonl, line 1: field format: expected 'oddville-record', not None"),
        ("replay bytes.jsonl", "bytes.jsonl: it cannot be read to its end"),
        ("draw gone.jsonl --out a.svg", "gone.jsonl: No such file or directory"),
        ("draw games.jsonl --out a.svg --index 9", "games.jsonl: there is no game 9, expected 0 to 2"),
        ("draw games.jsonl --out a.svg --move -1", "moves, --move must be from 0 to that, not -1"),
        ("draw games.jsonl --out a.svg --move 9999", "moves, --move must be from 0 to that, not 9999"),
        ("draw cut.jsonl --out a.svg --index 1", "cut.jsonl, line 2: this is not JSON"),
        ("draw games.jsonl --out file/a.svg", "file"),
        ("draw games.jsonl --out folder.svg", "folder.svg: Is a directory"),
    ],
)  # fmt: skip
def test_a_mistake_ends_in_one_sentence_and_writes_nothing(run: Run, games: Path, words: str, sentence: str) -> None:
    folder, text = games.parent, games.read_text()
    (folder / "file").write_text("in the way")
    (folder / "folder").mkdir()
    (folder / "folder.svg").mkdir()
    (folder / "empty.jsonl").write_text("\n")
    (folder / "bytes.jsonl").write_bytes(b"\xff\xfe\x00")
    (folder / "wrong.jsonl").write_text('{"a": 1}\n')
    (folder / "cut.jsonl").write_text(text[: text.index("\n") + 500])
    (folder / "cut.jsonl.gz").write_bytes(gzip.compress(text.encode())[:300])
    (folder / "bad.jsonl.gz").write_bytes(gzip.compress(b"")[:10] + b"\xff" * 200)
    (folder / "text.jsonl.gz").write_text("no gzip")
    before = left(folder)

    fails(run(*words.split()), sentence)

    assert left(folder) == before


@pytest.mark.parametrize(
    "words",
    [
        "simulate",
        "simulate --agents random,random --seed abc",
        "simulate --agents random,random --seed 1.5",
        "simulate --agents random,random --table 5",
        "simulate --agents random,random --speed 9",
        "perft --players two",
        "replay",
        "replay games.jsonl --index x",
        "draw games.jsonl",
        "tables",
        "dance",
    ],
)
def test_words_that_are_no_command_are_told(run: Run, words: str) -> None:
    fails(run(*words.split()), "Error", code=2)


@pytest.fixture
def broken_cards(tmp_path: Path) -> Path:
    """A card set with a mistake in one line and a table less."""
    folder = tmp_path / "cards"
    shutil.copytree(BASE, folder)
    (folder / "square.csv").unlink()
    (folder / "board.csv").write_text((folder / "board.csv").read_text().replace("2*", "x*", 1))
    return folder


def test_cards_check_tells_every_mistake(run: Run, broken_cards: Path) -> None:
    said = run("cards", "check", broken_cards)

    assert said.code == 1
    assert {line.split(".csv")[0] for line in said.err.splitlines()} == {"board", "square"}
    assert "Traceback" not in said.err


@pytest.mark.parametrize("folder", ["cards", "nowhere"])
@pytest.mark.parametrize(
    "words",
    ["simulate --agents random,random", "watch --agents random,random", "perft", "verify games.jsonl",
     "replay games.jsonl", "draw games.jsonl --out a.svg"],
)  # fmt: skip
def test_broken_cards_are_told_by_every_command(
    run: Run, games: Path, broken_cards: Path, words: str, folder: str
) -> None:
    said = run(*words.split(), "--cards", folder)

    assert said.code == 1
    assert "square.csv" in said.err or "nowhere: there is no such folder" in said.err
    assert "Traceback" not in said.err
