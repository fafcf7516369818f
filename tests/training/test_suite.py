"""The benchmark suite: frozen anchors, a row of what was measured, and none where it would not be comparable."""

import json
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import polars as pl
import pytest

from oddville_agents import make_agent
from oddville_env.cli import main
from oddville_env.cli.commands.tournaments import FAILURES
from oddville_env.core.errors import GameError, SettingError
from oddville_env.core.game.game_type import GameType
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oldtown.game_type import OLDTOWN
from oddville_training.statistics.intervals import Estimate
from oddville_training.tournament import suite as suites
from oddville_training.tournament import tournament
from oddville_training.tournament.executors import on_this_machine
from oddville_training.tournament.suite import Anchor, Measured, Suite, head, measure, row, runs, suite_of

GREEDY = make_agent("greedy").version
SMALL = Suite("small", 3, "", (2, 3), (Anchor("random", "1", "", 12), Anchor("greedy", GREEDY, "", 8)))
OF_OLD_TOWN = SMALL._replace(anchors=(Anchor("random", "1", "", 12), Anchor("greedy", "1", "", 12)))
GAMES = (ODDVILLE, OLDTOWN)
ANCHORS = [pytest.param(game, each, id=f"{game.name}-{each.spec}") for game in GAMES for each in suite_of(game).anchors]


def measured(agent: str, folder: Path, suite: Suite = SMALL, game: GameType = ODDVILLE) -> Measured:
    for name, config in runs(agent, suite, game).items():
        tournament.run(config, folder / name, on_this_machine(1), lambda *_: None)
    return measure(agent, folder, suite)


@pytest.mark.parametrize(("game", "anchor"), ANCHORS)
def test_anchors_play_as_when_the_suite_was_frozen(game: GameType, anchor: Anchor) -> None:
    version = make_agent(anchor.spec, game.name).version
    assert (version, suites.fingerprint(anchor.spec, game)) == (anchor.version, anchor.plays)


def test_a_suite_belongs_to_its_game_and_is_for_the_base_cards() -> None:
    for game in GAMES:
        suites.check_anchors(suite_of(game), game)
        assert suite_of(game).cards
    with pytest.raises(SettingError, match="there is no suite 'v2' of Old Town, expected v1"):
        suite_of(OLDTOWN, "v2")
    with pytest.raises(SettingError, match="there is no benchmark suite of New yet"):
        suite_of(replace(OLDTOWN, name="new", title="New"))


@pytest.fixture
def benchmark(monkeypatch: pytest.MonkeyPatch) -> Callable[..., object]:
    """The command, with another suite; its exit code."""

    def run(suite: Suite, out: Path, *words: str) -> object:
        monkeypatch.setattr("oddville_training.tournament.suite.suite_of", lambda *_: suite)
        asked = f"oddville benchmark greedy --workers 1 --out {out}".split()
        monkeypatch.setattr(sys, "argv", [*asked, *words])
        with pytest.raises(SystemExit) as ended:
            main()
        return ended.value.code

    return run


@pytest.mark.parametrize(("suite", "game"), [(SMALL, ODDVILLE), (OF_OLD_TOWN, OLDTOWN)], ids=["oddville", "oldtown"])
def test_row_tells_every_cell_and_overall_and_is_not_played_again(suite: Suite, game: GameType, tmp_path: Path) -> None:
    found = measured("greedy", tmp_path, suite, game)
    assert [(cell.players, cell.anchor) for cell in found.cells] == [
        (2, "random"), (3, "random"), (2, "greedy"), (3, "greedy")
    ]  # fmt: skip
    against_random, against_itself = found.cells[:2], found.cells[2:]
    assert all(cell.wins.value > (0.9 if game is ODDVILLE else 1 / cell.players) for cell in against_random)
    assert [cell.wins.value for cell in against_itself] == [pytest.approx(1 / 2), pytest.approx(1 / 3)]
    assert [cell.duel.value for cell in against_itself] == pytest.approx([0.5, 0.5])
    assert found.overall.value == pytest.approx(sum(cell.duel.value for cell in found.cells) / 4)
    assert found.overall.low < found.overall.value < found.overall.high
    assert found.failures == {}
    won = tournament.read_results(tmp_path / "greedy").filter(agent="greedy").group_by("block")
    assert game is OLDTOWN or set(won.agg((pl.col("rank") == 1).sum())["rank"]) == {1}
    line = row(found)
    assert line.count("|") == head(suite).splitlines()[0].count("|") == head(suite).splitlines()[1].count("|")
    version = make_agent("greedy", game.name).version
    assert line.startswith(f"| `greedy` {version} | small | {100 * found.overall.value:.1f} (")
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()}
    assert measured("greedy", tmp_path, suite, game) == found
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*") if path.is_file()} == before


def test_the_command_prints_the_row_alone_as_markdown_or_json(
    tmp_path: Path, benchmark: Callable[..., object], capsys: pytest.CaptureFixture[str]
) -> None:
    assert benchmark(SMALL, tmp_path) == 0
    captured = capsys.readouterr()
    assert captured.out == row(measure("greedy", tmp_path, SMALL)) + "\n"
    assert captured.err.splitlines()[-2:] == head(SMALL).splitlines()
    assert benchmark(SMALL, tmp_path, "--json", "-") == 0
    plain, found = json.loads(capsys.readouterr().out), measure("greedy", tmp_path, SMALL)
    assert (plain["game"], plain["agent"], plain["suite"]) == ("oddville", "greedy", "small")
    assert plain["overall"]["value"] == found.overall.value
    assert [each["wins"]["low"] for each in plain["cells"]] == [each.wins.low for each in found.cells]


def test_a_row_tells_of_every_agent_what_it_lost_by_a_failure(
    here: Path, forked: None, benchmark: Callable[[Suite, Path], object], capsys: pytest.CaptureFixture[str]
) -> None:
    broken = "mine.py:BadStart"
    anchors = (Anchor(broken, make_agent(broken).version, "", 3), Anchor("random", "1", "", 2))
    suite = SMALL._replace(players=(2,), anchors=anchors)
    assert measured(broken, here / "itself", suite).failures == {broken: 10}
    assert benchmark(suite, here / "anchor") == FAILURES
    assert measure("greedy", here / "anchor", suite).failures == {broken: 6}
    assert capsys.readouterr().err.splitlines()[-1] == f"games lost by a failure of {broken}: 6"


@pytest.mark.parametrize(("changed", "sentence"), [
    ({"anchors": (Anchor("random", "0", "", 1),)},
     "suite small needs random in version 0, but version 1 is installed: figures of the suite would not be"),
    ({"anchors": (Anchor("nobody", "1", "", 1),)}, "no agent is called 'nobody'"),
    ({"cards": "123"}, "suite small is for the cards 123, not "),
])  # fmt: skip
def test_a_suite_whose_anchors_or_cards_differ_is_refused(changed: dict[str, object], sentence: str) -> None:
    with pytest.raises(GameError, match=sentence):
        runs("greedy", SMALL._replace(**changed), ODDVILLE)


def test_par_is_half_of_the_duels_equal_shares_are_surer_together_and_a_name_cannot_break_the_row() -> None:
    assert [suites.as_duel(1 / players, players) for players in (2, 3, 4)] == pytest.approx([0.5] * 3)
    assert [(suites.as_duel(0, players), suites.as_duel(1, players)) for players in (2, 3, 4)] == [(0, 1)] * 3
    assert suites.as_duel(0.3, 2) == 0.3
    mean = suites.mean_of([Estimate(0.5, 0.4, 0.7)] * 4)
    assert (mean.value, mean.low, mean.high) == pytest.approx((0.5, 0.45, 0.6))
    share = Estimate(0.5, 0.4, 0.6)
    assert row(Measured("a|b", "1|2", "v1", share, (), 0)) == "| `a\\|b` 1\\|2 | v1 | 50.0 (40.0-60.0) |"
