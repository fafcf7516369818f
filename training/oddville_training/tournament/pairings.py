"""Pairings by results: rounds of blocks of a round robin's schedule, chosen by what the rounds before brought.

A choice depends on whole rounds only, so it is the same for any number of workers and after any interruption.
"""

from collections.abc import Callable
from functools import partial
from math import ceil, log2
from typing import NamedTuple

import numpy as np

from oddville_env.core.checked import above_zero, check
from oddville_env.core.errors import SettingError, shown
from oddville_training.statistics.ratings import ANCHORS, ELO, ratings
from oddville_training.tournament.config import ScheduleError, TournamentConfig
from oddville_training.tournament.results import table_of

ROUND_ROBIN = "round-robin"
ROUND = 4  # deals of a pair in a round of Swiss, knock-out and the first adaptive one
GROWTH = 8  # an adaptive round plays an eighth of the blocks before, at least a block for each agent
RESAMPLES = 200  # of the intervals that end an adaptive run
PRIOR = 0.25  # information of the game that each agent is credited with

Choose = Callable[[np.ndarray], np.ndarray]
"""Rows of all blocks of the rounds before -> the numbers of the next round's blocks, none at the end."""


class Meetings(NamedTuple):
    """All pairs of a schedule, and what was played: pairs [L, 2], blocks [L], wins [A, A] of the one over the other."""

    pairs: np.ndarray
    played: np.ndarray
    wins: np.ndarray

    def line_up(self, one: int, other: int) -> int:
        """The line-up of two agents."""
        return int(np.flatnonzero((self.pairs == sorted((one, other))).all(1))[0])


def make_choose(pairing: str, config: TournamentConfig, within: float = 30.0) -> Choose | None:
    """The choice of blocks by a pairing, None for a round robin.

    within: an adaptive run ends when each 95 % interval reaches at most so many Elo points up and down.
    Raises SettingError, ScheduleError.
    """
    check({"within": within}, {"within": above_zero(10_000.0)}, SettingError)
    if pairing == ROUND_ROBIN:
        return None
    if pairing not in PAIRINGS:
        raise SettingError(f"pairing must be one of {', '.join([ROUND_ROBIN, *PAIRINGS])}, not {shown(pairing)}")
    if [section.players for section in config.schedule.sections] != [2] or len(config.entrants) < 2:
        raise ScheduleError(f"a pairing {pairing} is for games of two: --players 2, and at least 2 agents")
    return partial(PAIRINGS[pairing], config, within)


def _meetings(config: TournamentConfig, rows: np.ndarray) -> Meetings:
    schedule, size = config.schedule, len(config.entrants)
    pairs, wins = np.array(schedule.sections[0].lineups), np.zeros((size, size))
    _, line_ups, _ = schedule.places(np.unique(rows["block"]))
    sorted_rows = rows[np.lexsort((rows["rank"], rows["game"]))].reshape(-1, 2)
    first, second = sorted_rows["agent"][:, 0], sorted_rows["agent"][:, 1]
    equal = (sorted_rows["rank"][:, 0] == sorted_rows["rank"][:, 1]) / 2
    np.add.at(wins, (first, second), 1 - equal)
    np.add.at(wins, (second, first), equal)
    return Meetings(pairs, np.bincount(line_ups, minlength=len(pairs)), wins)


def _blocks(config: TournamentConfig, met: Meetings, more: np.ndarray) -> np.ndarray:
    """The numbers of the next blocks of line-ups, more [L] of each, as far as there are deals."""
    ends = np.minimum(met.played + more, config.schedule.number)
    chunks = [
        config.schedule.chunk(0, at, np.arange(start, end)).blocks
        for at, (start, end) in enumerate(zip(met.played.tolist(), ends.tolist(), strict=True))
    ]
    return np.sort(np.concatenate(chunks))


def _of_pairs(config: TournamentConfig, met: Meetings, pairs: list[tuple[int, int]]) -> np.ndarray:
    more = np.zeros(len(met.pairs), np.int64)
    for one, other in pairs:
        more[met.line_up(one, other)] = ROUND
    return _blocks(config, met, more)


def swiss(config: TournamentConfig, within: float, rows: np.ndarray) -> np.ndarray:
    """Neighbours by wins who have met least often meet, in log2 of their number of rounds, rounded up, and one more."""
    met, size = _meetings(config, rows), len(config.entrants)
    rounds = round(met.played.sum() / (size // 2) / min(ROUND, config.schedule.number))
    if rounds >= ceil(log2(size)) + 1:
        return np.zeros(0, np.int64)
    left = np.argsort(-met.wins.sum(1), kind="stable").tolist()
    if size % 2:  # the agent with the most games rests, the last of equals
        games = (met.wins + met.wins.T).sum(1)
        left.remove(max(reversed(left), key=lambda agent: games[agent]))
    pairs = []
    while left:
        one = left.pop(0)
        other = min(left, key=lambda agent: met.played[met.line_up(one, agent)])
        left.remove(other)
        pairs.append((one, other))
    return _of_pairs(config, met, pairs)


def knock_out(config: TournamentConfig, within: float, rows: np.ndarray) -> np.ndarray:
    """The first of those left meets the last, and so on; losers leave, and of equals the one named later."""
    met, left = _meetings(config, rows), list(range(len(config.entrants)))
    while len(left) > 1:
        pairs = [(left[at], left[-1 - at]) for at in range(len(left) // 2)]
        if any(not met.played[met.line_up(*pair)] for pair in pairs):
            return _of_pairs(config, met, pairs)
        out = {other if met.wins[one, other] >= met.wins[other, one] else one for one, other in pairs}
        left = [agent for agent in left if agent not in out]
    return np.zeros(0, np.int64)


def adaptive(config: TournamentConfig, within: float, rows: np.ndarray) -> np.ndarray:
    """The pairs whose games tell most of agents with wide intervals, until none is wider, or no deals are left."""
    met, size = _meetings(config, rows), len(config.entrants)
    if not len(rows):
        ring = [(agent, (agent + 1) % size) for agent in range(size)]
        return _of_pairs(config, met, ring)
    names = config.names
    rated = {each.agent: each.elo for each in ratings(table_of(rows, [], config), RESAMPLES).agents}
    unsure = np.array(
        [max(rated[name].high - rated[name].value, rated[name].value - rated[name].low) for name in names]
    )
    open_pairs = met.played < config.schedule.number
    if (unsure <= within).all() or not open_pairs.any():
        return np.zeros(0, np.int64)
    elo = np.array([rated[name].value for name in names])
    anchor = next((names.index(name) for name in ANCHORS if name in names), None)
    number = max(int(met.played.sum()) // GROWTH, size)
    return _blocks(config, met, _most_telling(met, elo / ELO, unsure > within, anchor, number, config.schedule.number))


def _most_telling(
    met: Meetings, strength: np.ndarray, unsure: np.ndarray, anchor: int | None, number: int, deals: int
) -> np.ndarray:
    """How many blocks more [L] of each line-up make the variances of unsure agents [A] smallest, one by one.

    A-optimal design: a game of two tells p (1 - p) of their difference.
    """
    size, (one, other) = len(strength), met.pairs.T
    chance = 1 / (1 + np.exp(strength[other] - strength[one]))
    told = 2 * chance * (1 - chance)  # [L] by a block of two games
    along = np.eye(size)[one] - np.eye(size)[other]  # [L, A]
    covariance = np.linalg.inv(PRIOR * np.eye(size) + (along.T * (told * met.played)) @ along)
    to_scale = np.eye(size) - (1 / size if anchor is None else np.eye(size)[anchor])
    more = np.zeros(len(met.pairs), np.int64)
    for _ in range(number):
        moved = covariance @ along.T  # [A, L]
        spread = (along * moved.T).sum(1)
        gain = told / (1 + told * spread) * ((to_scale @ moved)[unsure] ** 2).sum(0)
        gain[met.played + more >= deals] = -1
        best = int(gain.argmax())
        if gain[best] < 0:
            break
        more[best] += 1
        covariance -= told[best] / (1 + told[best] * spread[best]) * np.outer(moved[:, best], moved[:, best])
    return more


PAIRINGS: dict[str, Callable[[TournamentConfig, float, np.ndarray], np.ndarray]] = {
    "swiss": swiss,
    "knock-out": knock_out,
    "adaptive": adaptive,
}
