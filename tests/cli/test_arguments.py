"""Lists, standard output and names on the command line."""

import json
from pathlib import Path

import pytest

from oddville_env import Game
from oddville_env.cli.options import player_counts, specs_of
from oddville_env.core.errors import SettingError
from support.program import Run


@pytest.mark.parametrize(
    ("words", "specs"),
    [
        (["a,b"], ["a", "b"]),
        (["a", "b"], ["a", "b"]),
        (["a,", "b"], ["a", "b"]),
        (["a, b"], ["a", "b"]),
        (["search:ms=50,threads=2,random", "x"], ["search:ms=50,threads=2", "random", "x"]),
        (["a,,b"], ["a", "", "b"]),
    ],
)
def test_list_of_specs_has_commas_or_spaces(words: list[str], specs: list[str]) -> None:
    assert specs_of(words) == specs


def test_list_of_numbers_has_commas_or_spaces() -> None:
    assert player_counts(["2,3", "4"]) == [2, 3, 4]
    with pytest.raises(SettingError, match="--players must be 2, 3, 4, or"):
        player_counts(["9" * 5000])


@pytest.mark.parametrize("agents", [["greedy,random"], ["greedy", "random"], ["greedy,", "random"]])
@pytest.mark.parametrize("table", [["5,3"], ["5", "3"]])
def test_lists_are_written_in_one_way_or_the_other(run: Run, agents: list[str], table: list[str]) -> None:
    said = run("simulate", "--agents", *agents, "--games", 2, "--table", *table, "--max-rounds=3", "--json", "-")
    assert [seat["agent"] for seat in json.loads(said.out)["seats"]] == ["greedy", "random"]


def test_records_go_to_standard_output(run: Run, tmp_path: Path) -> None:
    said = run("simulate", "--agents", "random,random", "--games", 3, "--out", "-")
    assert [json.loads(line)["players"] for line in said.out.splitlines()] == [2, 2, 2]
    assert "3 games, 0 cut off" in said.err
    assert list(tmp_path.iterdir()) == []


def test_picture_goes_to_standard_output(run: Run, games: Path) -> None:
    said = run("draw", games, "--out", "-")
    assert said.out == Game.from_record(games.read_text().splitlines()[0]).svg()


def test_json_of_verify_shows_every_record(run: Run, games: Path) -> None:
    games.write_text(games.read_text() + "{}\n")
    said = run("verify", games, "--json", "-")
    told = json.loads(said.out)
    assert (said.code, told["records"], told["good"], [bad["line"] for bad in told["bad"]]) == (1, 4, 3, [4])
    assert "3 of 4 records" in said.err


def test_square_brackets_in_names_are_no_markup(run: Run, tmp_path: Path) -> None:
    agent = tmp_path / "[b]mine[" / "b].py"
    agent.parent.mkdir()
    agent.write_text("def first(observation, mask):\n    return int(mask.argmax())\n")
    said = run("simulate", "--agents", "./[b]mine[/b].py:first,random", "--games", 1, "--max-rounds", 2)
    assert said.code == 0
    assert "[b]mine[/b]" in said.out.replace("\n", "").replace(" ", "").replace("│", "")


@pytest.mark.parametrize("seed", ["9" * 25, "9" * 4000])
def test_any_seed_deals(run: Run, seed: str) -> None:
    assert run("simulate", "--agents", "random,random", "--games", 2, "--seed", seed).code == 0
