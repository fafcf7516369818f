"""The program `oldtown`: the commands of `oddville` for the other game."""

import gzip
import io
import json
import subprocess
import sys
from pathlib import Path

import pytest
from typer.main import get_command

from oddville_env import OldTown, __version__
from oddville_env.cli import oldtown
from oddville_env.cli.app import make_app
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oldtown.cards.deck import BASE
from oddville_env.oldtown.game_type import OLDTOWN
from support.program import Run, Said
from support.town import random_game

PROGRAM = ("oldtown", oldtown)


def fails(said: Said, sentence: str) -> None:
    """It ended with one sentence about what was wrong."""
    assert said.code == 1
    assert sentence in said.err.replace("\n", " ")
    assert len(said.err.strip().splitlines()) == 1
    assert "Traceback" not in said.err


def test_both_games_have_the_same_commands() -> None:
    names = [set(get_command(make_app(game)).commands) for game in (ODDVILLE, OLDTOWN)]  # type: ignore[attr-defined]
    assert names[0] <= names[1]


def test_settings_of_the_game_are_options() -> None:
    commands = get_command(make_app(OLDTOWN)).commands  # type: ignore[attr-defined]
    assert {"lone_confirm", "deck"} <= {param.name for param in commands["simulate"].params}
    assert "deck" in {param.name for param in commands["verify"].params}
    assert not {"lone_confirm", "table", "cards"} & {param.name for param in commands["verify"].params}


def test_help_and_version_name_the_game(run: Run) -> None:
    assert "Old Town: a board game for 2-4 players" in run("--help").out
    assert run("--version") == Said(0, f"oldtown {__version__}\n", "")
    assert "oldtown simulate" in " ".join(run("simulate", "--help").out.split())


def test_simulated_games_verify_and_replay(run: Run, tmp_path: Path) -> None:
    said = run("simulate", "--agents", "random,random,random", "--games", 6, "--seed", 3, "--out", "games.jsonl.gz")
    assert said.code == 0
    with gzip.open("games.jsonl.gz", "rt") as file:
        records = [json.loads(line) for line in file]
    assert [record["format"] for record in records] == ["oldtown-record"] * 6
    assert OldTown.from_record(records[0]).record() == records[0]
    assert records[2]["hands"] == OldTown(3, 5).record()["hands"]
    assert "6 of 6 records" in run("verify", "games.jsonl.gz").out
    steps = [json.loads(line) for line in run("replay", "games.jsonl.gz", "--index", 2, "--positions").out.splitlines()]
    assert [step["move"] for step in steps] == records[2]["moves"]
    assert all(step["position"]["view"] is None and step["move"] in step["legal"] for step in steps)
    assert isinstance(steps[0]["position"]["common"], list)
    assert run("replay", "games.jsonl.gz").out.splitlines()[-1].startswith("scores [")


def test_equal_scores_share_the_win(run: Run) -> None:
    said = run("simulate", "--agents", "random,random", "--games", 60, "--json", "figures.json")
    assert said.code == 0
    figures = json.loads(Path("figures.json").read_text())
    assert sum(seat["won"] for seat in figures["seats"]) == pytest.approx(1)
    assert figures["truncated"] == 0


def test_a_broken_record_is_told_by_its_line(run: Run, tmp_path: Path) -> None:
    record = random_game(3, 5).record()
    Path("games.jsonl").write_text(json.dumps(record) + "\n" + json.dumps({**record, "scores": [0, 0, 0]}) + "\n")
    said = run("verify", "games.jsonl")
    assert said.code == 1
    assert "line 2: scores: the record says [0, 0, 0]" in said.err


def test_a_record_of_the_other_game_is_refused(run: Run) -> None:
    Path("games.jsonl").write_text(json.dumps({"format": "oddville-record", "version": 1}) + "\n")
    fails(run("replay", "games.jsonl"), "field format: expected 'oldtown-record', not 'oddville-record'")


def test_a_game_is_watched_to_its_end(run: Run) -> None:
    said = run("watch", "--agents", "random,random", "--delay", 0, "--seed", 2)
    assert said.code == 0
    assert "win" in said.out.splitlines()[-1]


def test_agents_are_those_that_play_the_game(run: Run) -> None:
    said = run("agents", "--json", "-")
    names = [agent["name"] for agent in json.loads(said.out)]
    assert "random" in names
    assert "champion" not in names or "oldtown" in said.out
    fails(run("simulate", "--agents", "nobody,random"), "no agent is called 'nobody'")


def test_a_model_of_the_other_game_is_refused_in_one_sentence(run: Run) -> None:
    Path("model.json").write_text(json.dumps({"format": "oddville-model", "version": 1}))
    Path("model.safetensors").write_bytes(b"")
    fails(
        run("simulate", "--agents", "./model.safetensors,random"),
        "it is a model of the game 'oddville', not of oldtown",
    )


def test_lines_of_play_are_counted(run: Run) -> None:
    said = run("perft", "--depth", 3, "--players", 3, "--seed", 1)
    assert [line.split(":")[1].split()[0] for line in said.out.splitlines()] == ["18", "306", "4,896"]


def test_tables_are_printed(run: Run) -> None:
    assert "| `pass` | 1124 | 1 | T4 |" in run("tables", "actions").out
    fails(
        run("tables", "nothing"),
        "there is no table 'nothing', expected actions, observations, summary, solo, state, rules",
    )


def test_a_deck_is_checked_and_copied(run: Run, tmp_path: Path) -> None:
    assert "is a deck, digest" in run("cards", "check").out
    assert run("cards", "copy", "mine.json").code == 0
    assert Path("mine.json").read_bytes() == BASE.read_bytes()
    fails(run("cards", "copy", "mine.json"), "mine.json is there already")
    plain = json.loads(Path("mine.json").read_text())
    plain["cards"][0]["lots"][0] = 17
    Path("mine.json").write_text(json.dumps(plain))
    said = run("cards", "check", "mine.json")
    assert (said.code, said.err) == (1, "card 1: field lots: expected a whole number from 1 to 16, found 17\n")
    fails(run("simulate", "--agents", "random,random", "--deck", "mine.json"), "card 1: field lots: expected")


def test_a_tournament_belongs_to_its_game(run: Run) -> None:
    pytest.importorskip("polars")
    words = ("tournament", "random", "random", "--players", 2, "--blocks", 4, "--workers", 1, "--out", "cup", "--moves")
    said = run(*words)
    assert said.code == 0, said.err
    import polars as pl

    results = pl.read_parquet("cup/results.parquet")
    sources = ["a_cards", "c_cards", "b_cards", "pairs"]
    assert (results.select(sources).sum_horizontal() == results["score"]).all()
    assert results["rounds"].min() > 5
    with gzip.open("cup/games.jsonl.gz", "rt") as file:
        records = [json.loads(line) for line in file]
    assert len(records) == 8
    for record in records:
        played = {name: value for name, value in record.items() if name not in ("block", "game", "agents")}
        assert OldTown.from_record(played).record() == played
    command = [sys.executable, "-m", "oddville_env", "report", "cup"]
    other = subprocess.run(command, capture_output=True, text=True, check=False)
    assert other.returncode == 1
    assert "holds a tournament of the game 'oldtown', not of oddville" in other.stderr.replace("\n", " ")
    assert run("report", "cup").code == 0


@pytest.mark.parametrize(("seats", "same"), [("random,human", False), ("human,human", True)])
def test_who_plays_alone_is_dealt_anew_what_was_seen_before_it_was_taken_back(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, seats: str, same: bool
) -> None:
    dealt = OldTown(2, 4).record()["hands"]
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\nu\n1\nq\n"))

    said = run("play", "--terminal", "--seats", seats, "--seed", 4, "--out", "game.json")

    assert "was taken back" in said.out
    hands = json.loads((tmp_path / "game.json").read_text())["hands"]
    assert hands[1] == dealt[1]  # seat 1 begins
    assert (hands[0] == dealt[0]) is same
