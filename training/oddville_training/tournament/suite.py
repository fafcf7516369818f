"""The benchmark suite of a game: frozen anchors that any agent is measured against.

A suite is data. A change of it, or of an anchor's moves, needs a new version: rows of equal versions are comparable.
"""

import tomllib
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from math import sqrt
from pathlib import Path
from typing import Any, NamedTuple
from zlib import crc32

import numpy as np
import polars as pl

from oddville_agents import make_agent
from oddville_agents.play import play
from oddville_env.core.errors import SettingError, shown
from oddville_env.core.game.game_type import GameType
from oddville_env.envs.live_game import LiveGame
from oddville_training.statistics.intervals import Estimate
from oddville_training.statistics.standings import standings
from oddville_training.statistics.tally import ResultsError
from oddville_training.tournament.config import Schedule, Section, TournamentConfig, entrants_of, one_against
from oddville_training.tournament.manifest import version_of
from oddville_training.tournament.results import read_results


class Anchor(NamedTuple):
    """An agent that others are measured against.

    version: of the agent · plays: the `fingerprint` of its games · blocks: deals for each number of players.
    """

    spec: str
    version: str
    plays: str
    blocks: int


class Suite(NamedTuple):
    """One agent against tables full of an anchor, in every seat: for each anchor, for each number of players."""

    version: str
    seed: int
    cards: str  # the first characters of the base card set's digest
    players: tuple[int, ...]
    anchors: tuple[Anchor, ...]


class Cell(NamedTuple):
    """The agent against one anchor with one number of players: its share of wins, and what that is in a duel."""

    players: int
    anchor: str
    wins: Estimate
    duel: Estimate


class Measured(NamedTuple):
    """The result of an agent in a suite.

    overall: the mean of all cells' duels · failures: games lost by a failure, by agent; a game that an anchor lost so
    says nothing about the measured agent.
    """

    agent: str
    version: str
    suite: str
    overall: Estimate
    cells: tuple[Cell, ...]
    failures: dict[str, int]

    def as_json(self) -> dict[str, Any]:
        """The same as plain values; shares are from 0 to 1."""
        cells = [each._asdict() | {"wins": asdict(each.wins), "duel": asdict(each.duel)} for each in self.cells]
        return self._asdict() | {"overall": asdict(self.overall), "cells": cells}


def suite_of(game: GameType, version: str = "v1") -> Suite:
    """The suite of a game, from `suite.toml` in its folder; raises SettingError where there is none."""
    path = Path(__file__).resolve().parents[1] / game.name / "suite.toml"
    if not path.exists():
        raise SettingError(f"there is no benchmark suite of {game.title} yet")
    plain = tomllib.loads(path.read_text(encoding="utf-8"))
    if version != plain["version"]:
        raise SettingError(f"there is no suite {shown(version)} of {game.title}, expected {plain['version']}")
    anchors = tuple(Anchor(**each) for each in plain.pop("anchors"))
    return Suite(**{**plain, "players": tuple(plain["players"]), "anchors": anchors})


def check_anchors(suite: Suite, game: GameType) -> None:
    """Raises SettingError where the anchors or cards are not those of the suite, AgentError where there is none."""
    cards = game.cards.load(game.cards.base)
    if not cards.digest.startswith(suite.cards):
        raise SettingError(f"suite {suite.version} is for the cards {suite.cards}, not {cards.digest[:12]}")
    for anchor in suite.anchors:
        version = make_agent(anchor.spec, game.name).version
        if version != anchor.version:
            raise SettingError(
                f"suite {suite.version} needs {anchor.spec} in version {anchor.version}, but version {version} is "
                "installed: figures of the suite would not be comparable"
            )


def fingerprint(spec: str, game: GameType) -> str:
    """A hash of the moves that an agent plays against itself in one game of two and one of three."""
    moves: list[int] = []
    for players in (2, 3):
        seated = [make_agent(spec, game.name) for _ in range(players)]
        play(LiveGame(game, game.box(game.settings(players))), seated, 0, lambda _, action: moves.append(action))
    return f"{crc32(np.array(moves, np.int16).tobytes()):08x}"


def runs(agent: str, suite: Suite, game: GameType) -> dict[str, TournamentConfig]:
    """The tournaments of an agent against a suite, by the name of the folder of each.

    Raises SettingError and AgentError where the suite's anchors are not there.
    """
    check_anchors(suite, game)
    found = {}
    for anchor in suite.anchors:
        sections = tuple(Section(players, (one_against(0, 1, players),)) for players in suite.players)
        schedule = Schedule(sections, suite.seed, anchor.blocks)
        found[anchor.spec] = TournamentConfig(entrants_of([agent, anchor.spec]), schedule, game)
    return found


def measure(agent: str, folder: Path, suite: Suite) -> Measured:
    """The result of an agent by the finished runs of a suite, in folders of a folder. Raises RunError, ResultsError."""
    cells, failures, version = [], Counter[str](), ""
    for anchor in suite.anchors:
        where = folder / anchor.spec
        version, results = version_of(agent, where), read_results(where)
        failed = results.filter(pl.col("failure").is_not_null())["agent"]
        failures.update(agent if name == agent else anchor.spec for name in failed)
        for players in suite.players:
            cells.append(_cell(results.filter(pl.col("players") == players), agent, anchor))
    return Measured(agent, version, suite.version, mean_of([cell.duel for cell in cells]), tuple(cells), dict(failures))


def _cell(rows: pl.DataFrame, agent: str, anchor: Anchor) -> Cell:
    found = standings(rows)
    wins = next((each.wins for each in found.agents if each.agent == agent), None)
    if wins is None:
        raise ResultsError(f"the results tell no game of {agent} with {found.players} players")
    duel = Estimate(*(as_duel(share, found.players) for share in (wins.value, wins.low, wins.high)))
    return Cell(found.players, anchor.spec, wins, duel)


def as_duel(share: float, players: int) -> float:
    """A share of wins against players - 1 equals as the share of duels that has the same odds: par becomes 1/2."""
    rivals = players - 1
    return share * rivals / (1 + share * (rivals - 1))


def mean_of(shares: Sequence[Estimate]) -> Estimate:
    """The mean of independent shares; their distances to the interval's ends add up as errors do (squared)."""
    value, number = sum(each.value for each in shares) / len(shares), len(shares)
    down = sqrt(sum((each.value - each.low) ** 2 for each in shares)) / number
    up = sqrt(sum((each.high - each.value) ** 2 for each in shares)) / number
    return Estimate(value, value - down, value + up)


def head(suite: Suite) -> str:
    """The first two lines of the table that rows belong to."""
    names = ["agent", "suite", "overall"]
    names += [f"{anchor.spec}, {players}" for anchor in suite.anchors for players in suite.players]
    return f"| {' | '.join(names)} |\n|{'---|' * len(names)}"


def row(measured: Measured) -> str:
    """An agent's line of the table: shares in per cent with their 95 % intervals."""
    agent = f"`{measured.agent}` {measured.version}".replace("|", "\\|")
    shares = [measured.overall, *(cell.wins for cell in measured.cells)]
    cells = [f"{100 * each.value:.1f} ({100 * each.low:.1f}-{100 * each.high:.1f})" for each in shares]
    return f"| {agent} | {measured.suite} | {' | '.join(cells)} |"
