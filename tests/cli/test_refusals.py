"""Every mistake on the command line ends in one sentence and exit code 1 or 2, and nothing is written."""

import gzip
import json
import os
import random
import shutil
from importlib.util import find_spec
from pathlib import Path

import pytest

from frozen.ask import MODEL, stored_run
from oddville_agents.roster import Roster
from oddville_env.oddville.cards import sheet
from support.bad_values import mutated
from support.helpers import random_game
from support.program import Run, Said, fails, left

BASE = Path(sheet.__file__).parent / "base"
LONGEST = 2000  # characters of an error
TWO, DUEL, JUDGE = "simulate --agents random,random", "tournament random greedy", "analyse games.jsonl"

REFUSED = {
    "oddville": [
        ("simulate --agents greedy,nobody", "no agent is called 'nobody': expected random, greedy"),
        ("simulate --agents greedy", "--agents must name 2 to 4 agents, not 1"),
        ("simulate --agents greedy,,random", "an agent is named by a text such as greedy, not ''"),
        ("simulate --agents greedy,random:x=1", "agent 'random:x=1': it takes other options"),
        (f"{TWO} --seed -1", "seed must be a whole number of at least 0"),
        (f"{TWO} --max-rounds 0", "max_rounds must be a whole number from 1 to 30000, not 0"),
        (f"{TWO} --games 1 --out file/a.jsonl", "file"),
        (f"{TWO} --games 1 --out /proc/none/a.jsonl", "/proc/none"),
        ("perft --players 5", "players must be a whole number from 2 to 4, not 5"),
        ("bench --threads 1,many", "--threads must be 1, 2, or several as 1,2,4, not '1,many'"),
        ("tables moves", "there is no table 'moves', expected actions, "),
        ("verify gone.jsonl", "gone.jsonl: No such file or directory"),
        ("verify [/b].jsonl", "[/b].jsonl: No such file or directory"),
        ("verify empty.jsonl", "empty.jsonl: there is no record in it"),
        ("verify bytes.jsonl", "bytes.jsonl: it cannot be read to the end ('utf-8' codec can't decode"),
        ("verify cut.jsonl.gz", "cut.jsonl.gz: it cannot be read to the end (Compressed file ended before"),
        ("verify bad.jsonl.gz", "bad.jsonl.gz: it cannot be read"),
        ("replay games.jsonl --index 3", "games.jsonl: there is no game 3, expected 0 to 2"),
        ("replay wrong.jsonl", "wrong.jsonl, line 1: field format: expected 'oddville-record', not None"),
        ("draw games.jsonl --out a.svg --move 9999", "moves, --move must be from 0 to that, not 9999"),
        ("draw games.jsonl --out table", ".svg"),
        ("analyse games.jsonl --move 9999 --out new/a.svg", "--move must be from 1"),
        ("film games.jsonl --index 9 --out new/a.gif", "there is no game 9"),
        ("verify gone.jsonl --json new/a.json", "gone.jsonl"),
        ("simulate --agents", "expected at least one"),
        ("cards check cards", "square.csv"),
        (f"{TWO} --cards nowhere", "nowhere: there is no such folder"),
        ("simulate", "Error"),
        (f"{TWO} --speed 9", "Error"),
        ("dance", "Error"),
        ("cards copy -", "not written to standard output"),
        ("film games.jsonl --out -", "--out must end in .gif, .mp4, .html"),
        ("questions --out a.csv", "out must end in .jsonl, .jsonl.gz, .parquet"),
        ("questions --kinds odd --out new.jsonl", "the kinds must be some of legal, card, winner, not 'odd'"),
        ("questions --players 5 --out new.jsonl", "players must be a whole number from 2 to 4"),
    ],
    "oldtown": [
        ("replay oddville.jsonl", "field format: expected 'oldtown-record', not 'oddville-record'"),
        ("simulate --agents ./model.safetensors,random", "it is a model of the game 'oddville', not of oldtown"),
        (f"{TWO} --deck deck.json", "card 1: field lots: expected"),
        ("cards check deck.json", "card 1: field lots: expected a whole number from 1 to 16, found 17"),
        ("cards copy deck.json", "deck.json is there already"),
        ("puzzles play --puzzle 9", "there is no puzzle"),
        ("puzzles play --level easy --puzzle 1", "not both"),
        ("puzzles generate --level cruel", "easy, medium, hard"),
        ("puzzles dataset --level cruel --out new.jsonl", "level must be one of easy, medium, hard, not 'cruel'"),
        ("puzzles dataset --count 0 --out new.jsonl", "count must be a whole number"),
        ("puzzles dataset --out a.csv", "out must end in .jsonl, .jsonl.gz, .parquet, not 'a.csv'"),
        ("puzzles print --out page.pdf", ".html or .svg"),
        ("solve puzzle.json", "puzzle.json, puzzle 1"),
        ("solve none.json", "there is no puzzle"),
    ],
}  # fmt: skip
WITH_EXTRAS = {
    ("oddville", "starlette"): [
        ("play --seats human", "--seats must name 2 to 4 seats, not 1"),
        ("play --seats human,search:ms=0", "ms must be a number above 0"),
        ("play --host 256.256.256.256", "the server cannot listen at 256.256.256.256"),
        ("view empty.jsonl", "empty.jsonl: it holds no record"),
        ("view empty.jsonl --agents nobody", "no agent is called 'nobody'"),
    ],
    ("oddville", "polars"): [
        (f"{DUEL} --blocks 1 --workers 1 --out -", "not written to standard output"),
        ("tournament random --out a", "a tournament needs at least 2 agents, not 1"),
        ("tournament random nobody --out a", "no agent is called 'nobody'"),
        (f"{DUEL} --players 5 --out a", "players must be a whole number from 2 to 4, not 5"),
        (f"{DUEL} --blocks 0 --out a", "blocks must be a whole number from 1 to"),
        (f"{DUEL} --limit-s 0 --out a", "limit_s must be above 0 and at most 86400 seconds, not 0.0"),
        (f"{DUEL} --challenger x --out a", "the challenger must be one of the agents (random, greedy), not 'x'"),
        (f"{DUEL} --sprt 5 --out a", "--sprt must be elo0,elo1, e.g. 0,20, not '5'"),
        (f"{DUEL} --sprt 0,20 --challenger greedy --out a", "--sprt is a match of the first agent against the second"),
        (f"{DUEL} random --sprt 0,5 --out a", "--sprt is for a match: two agents and --players 2"),
        (f"{DUEL} --cards nowhere --out a", "nowhere: there is no such folder"),
        (f"{DUEL} --address here --out a", "--executor must be processes or ray, and --address is for ray only"),
        (f"{DUEL} --out file", "file"),
        (JUDGE, "expected one of --move, --judge, --compare, not none"),
        (f"{JUDGE} --move 3 --judge --out a.csv", "expected one of --move, --judge, --compare, not --move and --judge"),
        (f"{JUDGE} --move 3 --resume", "--resume cannot be combined with --move, expected some of --agent, --index"),
        (f"{JUDGE} --judge --index 2 --out a.csv", "--index cannot be combined with --judge"),
        (f"{JUDGE} --compare greedy --resume", "--resume cannot be combined with --compare"),
        (
            f"{JUDGE} --compare greedy --out a.svg",
            "--compare needs an --out that ends in .parquet or .csv, not 'a.svg'",
        ),
        (f"{JUDGE} --judge", "--judge needs an --out that ends in .parquet or .csv, not none"),
        (f"{JUDGE} --judge --out a.svg", "--judge needs an --out that ends in .parquet or .csv, not 'a.svg'"),
        (f"{JUDGE} --judge --out a.csv --agent random", "random gives no win chances: expected a judge that does"),
    ],
    ("oddville", "onnx"): [
        ("export greedy --out none.onnx", "'greedy' has no network, expected"),
        ("export champion:network=formula --out none.onnx", "champion:network=formula has no network"),
        ("export ./nothing.safetensors --out none.onnx", "there is no model"),
    ],
    ("oddville", "sb3_contrib"): [
        ("train --folder run --seed -1", "seed must be a whole number from 0 to 4294967295, not -1"),
        ("train --folder run --minutes nan", "minutes must be a number above 0"),
        (f"train --folder run --players {'9' * 4000}", "players must be"),
        ("train --folder run --reward money", "reward must be one of outcome, rank, margin, not 'money'"),
        ("train --folder run --resume --init model.safetensors", "--init cannot be combined with --resume"),
        (
            "selfplay --folder run --preset nothing",
            "there is no preset 'nothing', expected champion, first, hour",
        ),
        ("selfplay --folder run --best-response random", "a best response is to greedy, champion or"),
        ("selfplay --folder run --preset quick --config plan.toml", "both name a plan"),
        ("selfplay --folder run --config missing.toml", "missing.toml cannot be read"),
        ("selfplay --folder run --config pipe.toml", "pipe.toml cannot be read (it is not a regular file)"),
        ("selfplay --folder run --config huge.toml", "it is larger than 16 MB"),
        ("selfplay --folder run --config drawn-5-3.toml", "must name 1 to 10000 card sets"),
        ("selfplay --folder run --executor nowhere", "executor must be processes or ray"),
        ("selfplay --folder run --resume", "holds no run"),
        ("imitate random --games 1 --workers 1 --out -", "not written to standard output"),
    ],
    ("oldtown", "sb3_contrib"): [
        ("train --folder run --against greedy:weights=simple", "it takes other options"),
        ("train --folder run --deck nowhere.json", "nowhere.json"),
        ("train --folder run --init model.safetensors", "expected format 'oldtown-model', version 1"),
        ("train --folder run --resume", "holds no checkpoint"),
        ("train --folder theirs --resume", "expected format 'oldtown-model', version 1"),
    ],
}
CASES = [(program, *case) for program, cases in REFUSED.items() for case in cases] + [
    pytest.param(program, *case, marks=pytest.mark.skipif(find_spec(module) is None, reason=f"{module} is missing"))
    for (program, module), cases in WITH_EXTRAS.items()
    for case in cases
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, three_records: str) -> Path:
    """A folder with files of all kinds that are wrong; no command changes it."""
    folder = tmp_path_factory.mktemp("wrong")
    (folder / "games.jsonl").write_text(three_records)
    (folder / "file").write_text("in the way")
    (folder / "empty.jsonl").write_text("\n")
    (folder / "bytes.jsonl").write_bytes(b"\xff\xfe\x00")
    (folder / "wrong.jsonl").write_text('{"a": 1}\n')
    (folder / "oddville.jsonl").write_text('{"format": "oddville-record", "version": 1}\n')
    (folder / "cut.jsonl.gz").write_bytes(gzip.compress(three_records.encode())[:300])
    (folder / "bad.jsonl.gz").write_bytes(gzip.compress(b"")[:10] + b"\xff" * 200)
    shutil.copytree(BASE, folder / "cards")
    (folder / "cards" / "square.csv").unlink()
    deck = json.loads((BASE.parents[2] / "oldtown" / "cards" / "base" / "deck.json").read_text())
    deck["cards"][0]["lots"][0] = 17
    (folder / "deck.json").write_text(json.dumps(deck))
    (folder / "puzzle.json").write_text('{"a": [99], "b": [], "c": [], "mine": null, "mine_count": 1}')
    (folder / "none.json").write_text("[]")
    for path in (MODEL, MODEL.with_suffix(".json")):
        shutil.copy(path, folder)
    os.mkfifo(folder / "pipe.toml")
    (folder / "huge.toml").touch()
    os.truncate(folder / "huge.toml", 10 << 30)
    (folder / "drawn-5-3.toml").write_text('cards = ["drawn:5-3"]\n')
    stored_run(folder / "theirs")
    return folder


def sentence(said: Said) -> str:
    """The one sentence, or the panel of a usage error, that a mistake ends with."""
    assert said.code in (1, 2), said
    assert "Traceback" not in said.out + said.err
    assert len(said.err) < LONGEST
    if said.code == 1 and ".csv" not in said.err:
        assert len([line for line in said.err.splitlines() if line.strip()]) == 1, said.err
    return " ".join(said.err.replace("│", " ").split())


@pytest.mark.parametrize(("program", "words", "expected"), CASES)
def test_mistake_ends_in_one_sentence_and_writes_nothing(
    programs: dict[str, Run], folder: Path, monkeypatch: pytest.MonkeyPatch, program: str, words: str, expected: str
) -> None:
    monkeypatch.chdir(folder)
    before = left(folder)
    assert expected in sentence(programs[program](*words.split()))
    assert left(folder) == before


HUGE = ["9" * 5000, "-" + "9" * 30, "nan", "1e400", "", "\0", "x" * 9000, "[/b]", "1.5"]


@pytest.mark.parametrize("words", [
    f"{TWO} --games {{}}",
    f"{TWO} --games 1 --table {{}},3",
    f"{TWO} --games 1 --cards {{}}",
    "simulate --agents {},random --games 1",
    "watch --agents random,random --delay {} --max-rounds 0",
    "replay games.jsonl --index {}",
    "draw games.jsonl --out a/{}",
    "analyse games.jsonl --move {} --agent search:sims=1",
    "verify {}",
])  # fmt: skip
def test_strange_value_is_refused_and_nothing_is_written(run: Run, games: Path, words: str) -> None:
    for value in HUGE:
        sentence(run(*(word.replace("{}", value) for word in words.split())))
        assert left(games.parent) == {"games.jsonl"}, value


@pytest.mark.parametrize("words", [
    f"{TWO} --games 1 --out {{}}",
    f"{TWO} --games 1 --json {{}}",
    "draw games.jsonl --out {}",
    "analyse games.jsonl --move 1 --agent random --out {}",
    "film games.jsonl --out {}",
])  # fmt: skip
def test_standard_output_never_becomes_a_file(run: Run, games: Path, words: str) -> None:
    for name in ("-", "/dev/stdout"):
        said = run(*words.format(name).split())
        if said.code:
            sentence(said)
        assert left(games.parent) == {"games.jsonl"}


@pytest.mark.parametrize("command", ["verify", "replay", "draw --out a.svg"])
def test_mutated_record_is_read_or_refused(run: Run, tmp_path: Path, command: str) -> None:
    chance, record = random.Random(command), random_game(2, 3, moves=25).record()
    name, *options = command.split()
    for _ in range(16):
        try:
            text = json.dumps(mutated(record, chance), default=repr)
        except ValueError:  # an integer with too many digits
            text = "{"
        (tmp_path / "a.jsonl").write_text(f"{text}\n")
        said = run(name, "a.jsonl", *options)
        if said.code:
            sentence(said)


def test_cards_check_reports_every_mistake(run: Run, tmp_path: Path) -> None:
    shutil.copytree(BASE, tmp_path / "cards")
    (tmp_path / "cards" / "square.csv").unlink()
    board = tmp_path / "cards" / "board.csv"
    board.write_text(board.read_text().replace("2*", "x*", 1))
    said = run("cards", "check", "cards")
    assert (said.code, {line.split(".csv")[0] for line in said.err.splitlines()}) == (1, {"board", "square"})


def test_game_without_self_play_is_refused(oldtown: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("oddville_agents.roster_of", lambda _: Roster())
    fails(oldtown("selfplay", "--folder", "run"), "Old Town has no self-play: `oldtown train` trains a policy")
