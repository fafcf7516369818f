"""What the commands do: games, records, pictures, tables, cards and lists on the command line."""

import gzip
import io
import json
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from typer.main import get_command

from oddville_env import Game, OldTown, SettingError
from oddville_env.cli.app import make_app
from oddville_env.cli.commands import bench
from oddville_env.cli.options import player_counts, specs_of
from oddville_env.core.parts.entries import count_lines as perft
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oldtown.game_type import OLDTOWN
from support.program import Run, fails, left, works


def records(file: Path) -> list[dict]:
    return [json.loads(line) for line in file.read_text().splitlines()]


def test_simulate_plays_games_takes_their_settings_and_sums_them_up(run: Run, tmp_path: Path) -> None:
    said = works(run("simulate", "--agents", "greedy,random,random", "--games", 20, "--seed", 3))
    assert "20 games, 0 cut off" in said.out
    rows = [[cell.strip() for cell in line.strip("│|").split("│")] for line in said.out.splitlines() if "%" in line]
    assert [row[:2] for row in rows] == [["0", "greedy"], ["1", "random"], ["2", "random"]]
    assert sum(float(row[2].rstrip("%")) for row in rows) == pytest.approx(100, abs=0.2)
    assert sum(float(row[4]) for row in rows) == pytest.approx(6, abs=0.02)
    settings = ("--table", 5, 3, "--max-rounds", 2, "--cards", ODDVILLE.cards.base)
    said = run("simulate", "--agents", "random,random,random,random", "--games", 3, "--out", "a.jsonl", *settings)
    assert "3 games, 3 cut off" in said.out
    assert all((r["table"], r["max_rounds"], r["players"]) == ([5, 3], 2, 4) for r in records(tmp_path / "a.jsonl"))


@pytest.mark.parametrize(("name", "make", "dealt"), [("oddville", Game, "deck"), ("oldtown", OldTown, "hands")])
def test_simulate_writes_records_that_replay(
    programs: dict[str, Run], tmp_path: Path, name: str, make: Any, dealt: str
) -> None:
    run, words = programs[name], ("simulate", "--agents", "greedy,random", "--games", 5, "--seed", 3, "--out")
    assert run(*words, "deep/er/one.jsonl").code == run(*words, "two.jsonl.gz").code == 0
    one, two = tmp_path / "deep" / "er" / "one.jsonl", tmp_path / "two.jsonl.gz"
    assert one.read_bytes() == gzip.decompress(two.read_bytes())
    assert [make.from_record(record).record() for record in records(one)] == records(one)
    assert [record[dealt] for record in records(one)] == [make(2, seed).record()[dealt] for seed in range(3, 8)]
    assert left(tmp_path) == {"deep", "er", "one.jsonl", "two.jsonl.gz"}
    assert run("verify", "two.jsonl.gz")[:2] == (0, "two.jsonl.gz: 5 of 5 records replay to the same end\n")
    steps = list(map(json.loads, run("replay", "two.jsonl.gz", "--index", 2, "--positions").out.splitlines()))
    game = make(2, 5)
    assert steps[0]["position"] == game.position()
    for step in steps:
        assert step["legal"] == game.legal_moves.words()
        game.push(step["move"])
    assert game.record() == records(one)[2]
    figures = json.loads(run("simulate", "--agents", "random,random", "--games", 60, "--json", "-").out)
    assert sum(seat["won"] for seat in figures["seats"]) == pytest.approx(1)  # equal scores share the win


INTERRUPTED = """
import signal

from oddville_agents.policies.baselines import RandomAgent

class Impatient(RandomAgent):
    games = 0

    def reset(self, *told):
        super().reset(*told)
        Impatient.games += told[1] > 0
        if Impatient.games > 3:
            signal.raise_signal(signal.SIGINT)
"""


def test_interrupt_keeps_the_games_that_are_finished(run: Run, tmp_path: Path) -> None:
    (tmp_path / "impatient.py").write_text(INTERRUPTED)
    said = works(run("simulate", "--agents", "./impatient.py:Impatient,random", "--games", 50, "--out", "a.jsonl"))
    assert "interrupted after 3 games" in said.err
    assert "fault" not in said.err
    assert len(records(tmp_path / "a.jsonl")) == 3


def test_agent_that_cheats_leaves_no_half_written_file(run: Run, tmp_path: Path) -> None:
    (tmp_path / "cheat.py").write_text("def cheat(observation, mask):\n    return 471\n")
    said = run("simulate", "--agents", "random,./cheat.py:cheat", "--games", 2, "--out", "a.jsonl")
    fails(said, "agent './cheat.py:cheat': illegal move: done")
    assert not {name for name in left(tmp_path) if "jsonl" in name}


def test_verify_reports_what_differs_in_which_line(run: Run, games: Path) -> None:
    lines = games.read_text().splitlines()
    wrong = json.dumps(json.loads(lines[1]) | {"scores": [0, 0, 0]})
    games.write_text("\n".join([lines[0], "", wrong, lines[2], "{", "[1]"]))
    said = run("verify", games, "--json", "all.json")
    assert (said.code, said.out.endswith("2 of 5 records replay to the same end\n")) == (1, True)
    plain = json.loads(Path("all.json").read_text())
    assert (plain["records"], plain["good"], [bad["line"] for bad in plain["bad"]]) == (5, 2, [3, 5, 6])
    told = [line.removeprefix(f"{games}, line ").split()[:3] for line in said.err.strip().splitlines()]
    assert told == [["3:", "scores:", "the"], ["5:", "this", "is"], ["6:", "a", "record"]]


def test_replay_shows_every_move_with_its_seat_and_scores_of_finished_games(run: Run, games: Path) -> None:
    record, lines = records(games)[1], run("replay", games, "--index", 1).out.splitlines()
    assert [line.split()[-1] for line in lines[:-1]] == record["moves"]
    assert lines[0].split()[:3] == ["1", "seat", str((record["first"] - 1) % 3)]
    assert lines[-1] == f"scores {record['scores']}, ranks {record['ranks']}"
    unfinished = run("replay", games, "--index", 2).out
    assert len(unfinished.splitlines()) == 50
    assert "scores" not in unfinished


def test_draw_makes_a_picture_of_a_position(run: Run, games: Path, tmp_path: Path) -> None:
    game = Game.from_record(records(games)[0])
    assert run("draw", games, "--out", "-").out == game.svg()
    assert run("draw", games, "--out", "a/table.svg", "--move", 20).code == 0
    game.take_back(20)
    drawn = (tmp_path / "a" / "table.svg").read_text()
    assert drawn == game.svg()
    ElementTree.fromstring(drawn)


def test_draw_makes_pixels_with_the_extra(run: Run, games: Path, tmp_path: Path) -> None:
    pytest.importorskip("pygame")
    pytest.importorskip("resvg_py")
    assert run("draw", games, "--out", "table.png").code == 0
    assert (tmp_path / "table.png").read_bytes().startswith(b"\x89PNG")


def test_perft_counts_as_the_library_does(run: Run) -> None:
    said = run("perft", "--depth", 4, "--players", 3, "--seed", 2)
    counts = [int(line.split()[2].replace(",", "")) for line in said.out.splitlines()]
    assert counts == [perft(Game(3, 2), depth) for depth in (1, 2, 3, 4)]


def test_watch_shows_every_move_and_the_winner(run: Run) -> None:
    said = works(run("watch", "--agents", "greedy,random,greedy,random", "--delay", 0, "--seed", 4, "--max-rounds", 4))
    assert "seat 0 (" in said.out
    assert ": setup:" in said.out
    assert " wins, scores [" in said.out.splitlines()[-1]


def test_tournament_belongs_to_its_game(run: Run, oldtown: Run) -> None:
    pl = pytest.importorskip("polars")
    words = "tournament random random --players 2 --blocks 4 --workers 1 --out cup --moves"
    works(oldtown(*words.split()))
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
    fails(run("report", "cup"), "holds a tournament of the game 'oldtown', not of oddville")
    assert oldtown("report", "cup").code == 0


@pytest.mark.parametrize(("seats", "same"), [("random,human", False), ("human,human", True)])
def test_undo_alone_deals_unknown_anew(
    oldtown: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, seats: str, same: bool
) -> None:
    dealt = OldTown(2, 4).record()["hands"]
    monkeypatch.setattr(sys, "stdin", io.StringIO("1\nu\n1\nq\n"))
    said = oldtown("play", "--terminal", "--seats", seats, "--seed", 4, "--out", "game.json")
    assert "was taken back" in said.out
    hands = json.loads((tmp_path / "game.json").read_text())["hands"]
    assert hands[1] == dealt[1]  # seat 1 begins
    assert (hands[0] == dealt[0]) is same


def test_both_games_have_the_same_commands_with_their_own_settings() -> None:
    one, other = (get_command(make_app(game)).commands for game in (ODDVILLE, OLDTOWN))
    assert set(one) <= set(other)
    assert {"lone_confirm", "deck"} <= {param.name for param in other["simulate"].params}
    assert "deck" in {param.name for param in other["verify"].params}
    assert not {"lone_confirm", "table", "cards"} & {param.name for param in other["verify"].params}


def test_list_of_specs_has_commas_or_spaces() -> None:
    for words, specs in (
        (["a,b"], ["a", "b"]),
        (["a,", "b"], ["a", "b"]),
        (["a, b"], ["a", "b"]),
        (["search:ms=50,threads=2,random", "x"], ["search:ms=50,threads=2", "random", "x"]),
        (["a,,b"], ["a", "", "b"]),
        (["chat:model=a:1b,url=http://b:1/c,tries=2,random"], ["chat:model=a:1b,url=http://b:1/c,tries=2", "random"]),
    ):
        assert specs_of(words) == specs
    assert player_counts(["2,3", "4"]) == [2, 3, 4]
    with pytest.raises(SettingError, match="--players must be 2, 3, 4, or"):
        player_counts(["9" * 5000])


def test_records_go_to_standard_output(run: Run, tmp_path: Path) -> None:
    words = "simulate --agents random random --games 3 --table 5,3 --out - --seed"
    said = run(*words.split(), "9" * 25)
    assert [json.loads(line)["table"] for line in said.out.splitlines()] == [[5, 3]] * 3
    assert "3 games, " in said.err
    assert list(tmp_path.iterdir()) == []


def test_bench_compares_numbers_of_threads_with_one(oldtown: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bench, "GAMES", 16)
    monkeypatch.setattr(bench, "STEPS", 2)
    found = json.loads(oldtown("bench", "--threads", "4,2", "--quick", "--json", "-").out)["figures"]
    named = [f"16 games, features, {threads}" for threads in ("1 thread", "2 threads", "4 threads")]
    efficiencies = ["efficiency of 2 threads", "efficiency of 4 threads"]
    assert [row["what"] for row in found] == [*named, *efficiencies, "fewest threads within 5 % of the fastest"]
    one, two, _, efficiency, _, enough = (row["runs"] for row in found)
    assert efficiency == pytest.approx([50 * b / a for a, b in zip(one, two, strict=True)])
    medians = {threads: row["median"] for threads, row in zip((1, 2, 4), found, strict=False)}
    assert medians[enough[0]] >= 0.95 * max(medians.values())


def test_square_brackets_in_names_are_no_markup(run: Run, tmp_path: Path) -> None:
    agent = tmp_path / "[b]mine[" / "b].py"
    agent.parent.mkdir()
    agent.write_text("def first(observation, mask):\n    return int(mask.argmax())\n")
    said = works(run("simulate", "--agents", "./[b]mine[/b].py:first,random", "--games", 1, "--max-rounds", 2))
    assert "[b]mine[/b]" in said.out.replace("\n", "").replace(" ", "").replace("│", "")
