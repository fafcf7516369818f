"""`analyse`: every move judged, two agents compared, and options that exclude each other."""

import json
from pathlib import Path
from typing import Any

import pytest

from oddville_agents import judge
from oddville_agents.play import analyse
from oddville_env import Game
from support.program import Run

JUDGED = ("analyse", "games.jsonl", "--judge", "--agent", "champion", "--out")


def test_judge_writes_the_cost_of_each_move_and_resumes(run: Run, games: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    polars, lines = pytest.importorskip("polars"), games.read_text().splitlines()
    games.write_text("".join(json.dumps(json.loads(line) | {"agents": list("abcd"[:n])}) + "\n"
                             for n, line in enumerate(lines, 2)))  # fmt: skip
    run(*JUDGED, "whole.parquet")
    verdicts, asked = judge.verdicts, []

    def stopped(game: Game, *more: Any) -> Any:
        asked.append(game.players)
        if len(asked) == 2:
            raise KeyboardInterrupt
        return verdicts(game, *more)

    monkeypatch.setattr(judge, "verdicts", stopped)
    assert "interrupted after 1 games" in run(*JUDGED, "part.parquet", "--resume").err
    assert "not by champion, seed 1" in run(*JUDGED, "part.parquet", "--resume", "--seed", 1).err
    run(*JUDGED, "part.parquet", "--resume")
    assert asked == [2, 3, 3, 4]
    written = Path("part.parquet").stat()
    assert "games are in part.parquet, and none of them is new" in run(*JUDGED, "part.parquet", "--resume").out
    assert (asked, Path("part.parquet").stat()) == ([2, 3, 3, 4], written)
    rows = polars.read_parquet("part.parquet").to_dicts()
    assert rows == polars.read_parquet("whole.parquet").to_dicts()
    assert [row["word"] for row in rows if row["game"] == 1] == json.loads(lines[1])["moves"]
    row = next(row for row in rows if row["loss"] > 0.1)
    game = Game.from_record(lines[row["game"]])
    game.take_back(row["move"] - 1)
    found = {one.word: one.values[row["seat"]] for one in analyse(game, "champion").candidates}
    assert (row["agent"], row["before"], row["after"]) == ("abcd"[row["seat"]], found[row["best"]], found[row["word"]])
    assert row["loss"] == pytest.approx(row["before"] - row["after"])


def edited(old: str, new: str, lines: int | None = None) -> Any:
    return lambda table: "".join(table.replace(old, new).splitlines(keepends=True)[:lines])


@pytest.mark.parametrize(("edit", "sentence"), [
    (lambda _: "move\n1\n", 'a.csv cannot be continued (unable to find column "game"; valid columns: ["move"])'),
    (edited("\n0,", "\nx,"), "a.csv cannot be continued (conversion from `str` to `i64` failed in column 'game'"),
    (edited(',"champion, seed 0"', ","), "a.csv is by the judge 'None', not by champion, seed 0"),
    (edited('"champion, seed 0"', "5"), "a.csv is by the judge '5', not by champion, seed 0"),
    (edited("", "", 9), "the table has other moves of game 0 than games.jsonl"),
    (edited(",setup:stone,", ",setup:wood,"), "the table has other moves of game 0 than games.jsonl"),
])  # fmt: skip
def test_table_that_does_not_fit_is_refused(run: Run, games: Path, edit: Any, sentence: str) -> None:
    pytest.importorskip("polars")
    games.write_text(games.read_text().splitlines()[0])
    run(*JUDGED, "a.csv")
    whole = Path("a.csv").read_text()
    written = edit(whole)
    assert written != whole
    Path("a.csv").write_text(written)
    said = run(*JUDGED, "a.csv", "--resume")
    assert f"error: --resume: {sentence}" in said.err
    assert (said.code, said.out, Path("a.csv").read_text()) == (1, "", written)


def test_empty_table_is_resumed(run: Run, games: Path) -> None:
    pytest.importorskip("polars")
    games.write_text(games.read_text().splitlines()[0])
    run(*JUDGED, "whole.csv")
    whole = Path("whole.csv").read_text()
    Path("a.csv").write_text(whole.splitlines()[0])
    run(*JUDGED, "a.csv", "--resume")
    assert Path("a.csv").read_text() == whole


def test_standard_error_is_that_of_independent_analyses() -> None:
    game = Game(2, seed=1, moves=["setup:wood", "setup:clay", "coins:3"])
    verdict, losses = list(judge.verdicts(game, "search:sims=40", 5))[-1], []
    for seed in range(5, 5 + judge.REPEATS):
        game.take_back(2)
        found = analyse(game, "search:sims=40", seed, "coins:3").candidates
        (played,) = (one for one in found if one.played)
        losses.append(found[0].values[verdict.seat] - played.values[verdict.seat])
    mean = sum(losses) / judge.REPEATS
    spread = (sum((loss - mean) ** 2 for loss in losses) / (judge.REPEATS - 1)) ** 0.5
    assert spread > 0
    assert (verdict.loss, verdict.standard_error) == pytest.approx((mean, spread / judge.REPEATS**0.5))


def test_two_agents_are_compared_where_there_is_a_choice(oldtown: Run, run: Run, games: Path) -> None:
    said = run("analyse", games.name, "--agent", "champion", "--compare", "champion", "--json", "same.json")
    found = json.loads(Path("same.json").read_text())
    told = f"champion and champion choose the same move in 100.0% ± 0.0% of {found['decisions']:,} decisions"
    assert told in said.out
    moves = sum(len(json.loads(line)["moves"]) for line in games.read_text().splitlines())
    assert 0 < found["decisions"] == found["same"] < moves
    oldtown("simulate", "--agents", "random,random", "--games", 1, "--out", "town.jsonl")
    said = oldtown("analyse", "town.jsonl", "--agent", "champion", "--compare", "greedy", "--json", "-")
    assert 0 < json.loads(said.out)["same"] < json.loads(said.out)["decisions"]


def test_positions_where_two_agents_differ_are_listed_the_costliest_first(run: Run, games: Path) -> None:
    polars = pytest.importorskip("polars")
    lines = games.read_text().splitlines()[:2]
    games.write_text("\n".join(lines))
    asked = ("analyse", games.name, "--agent", "champion", "--compare")
    said = run(*asked, "search:sims=40", "--out", "differ.parquet", "--json", "said.json")
    rows, found = polars.read_parquet("differ.parquet").to_dicts(), json.loads(Path("said.json").read_text())
    assert len(rows) == found["decisions"] - found["same"] > 5
    costs = [(row["cost"] or 0) + (row["other_cost"] or 0) for row in rows]
    assert costs == sorted(costs, reverse=True)
    row = rows[0]
    assert all(word in said.out for word in (row["one"], row["other"]))
    game = Game.from_record(lines[row["game"]])
    assert row["word"] == game.moves[row["move"] - 1].word
    game.take_back(row["move"] - 1)
    champion, search = ({one.word: one.values[row["seat"]] for one in analyse(game, agent).candidates if one.values}
                        for agent in ("champion", "search:sims=40"))  # fmt: skip
    assert (row["one"], row["other"]) == (next(iter(champion)), next(iter(search)))
    assert row["cost"] == champion[row["one"]] - champion[row["other"]]
    assert row["other_cost"] == search[row["other"]] - search[row["one"]]
    assert "random" in run(*asked, "random", "--out", "differ.csv").out
    assert {row["other_cost"] for row in polars.read_csv("differ.csv").to_dicts()} == {None}
