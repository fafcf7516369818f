"""`champion` and `search`: a race between moves, each played on in the same samples of the hidden cards and valued.

    score(move) = (sum over samples of the mover's chance to win + TRUSTED x prior) / (samples + TRUSTED)
    a move drops out if the mean of (best - move) over samples is above SURE x the standard error of that mean

In every sample all moves of the race are tried, so the luck of the deal, which is far larger than the difference of
moves, is the same for all. A move that is significantly behind the best one drops out (racing, Maron and Moore 1994; in
blocks as by Birattari et al. 2002). Every seat, the mover too, is played on by the heuristic from its own view, so no
plan uses cards that its seat cannot know (strategy fusion, Long et al. 2010).

Shapes: M moves, P seats.
"""

import math
import time
from abc import abstractmethod
from math import inf
from typing import Annotated, NamedTuple
from zlib import crc32

import numpy as np

from oddville_agents.agent import Agent, Candidate, Opinion
from oddville_agents.oldtown.heuristic import choice as heuristic
from oddville_agents.oldtown.heuristic.choice import WEIGHTS_TEXT, weight_set
from oddville_agents.oldtown.value.evaluator import make_evaluator, odds_after_moves, value_graph, values
from oddville_agents.oldtown.value.network import network_of
from oddville_agents.policies.graph import Graph
from oddville_agents.roster import Ms, NetworkName, Option, clock_of
from oddville_env.core.checked import text, whole
from oddville_env.core.compiled.arrays import overwrite
from oddville_env.core.compiled.jit import kernel
from oddville_env.core.game.view import View
from oddville_env.core.parts import chance
from oddville_env.oldtown.cards.words import NOBODY
from oddville_env.oldtown.rules import hidden, turn
from oddville_env.oldtown.rules.box import Box
from oddville_env.oldtown.rules.state import SEATS, STATE

DEAL, NOW, AHEAD = 0, 1, 2  # indices into Scratch.games
ONE_SEES = 3  # games that looking one move ahead needs
FORMER = 4  # turns of a play-out of version 2, and with fewer than four players
WITH_FOUR = 6
MOST_TURNS = 100
SURE = 2.0  # standard errors behind the best move at which a move drops out
FIRST = 6  # samples before a move may drop out
TRUSTED = 6.0  # samples that the value one move ahead counts as
TURNS_TEXT = "turns played on; if not given 4, with four players 6; 4 is version 2, for `champion` of 60 play-outs"
Turns = Annotated[int | None, Option(whole(1, MOST_TURNS), TURNS_TEXT)]


class Race(NamedTuple):
    """The moves of a race and their results."""

    moves: np.ndarray  # int64 [M]: ids, ascending
    runs: np.ndarray  # bool [M]: still in the race
    deals: np.ndarray  # int64 [M]: samples in which a move was tried
    totals: np.ndarray  # float64 [M, P]: the sum of every seat's chances behind a move
    gaps: np.ndarray  # float64 [M, M]: the sum of squared differences of two moves, for the mover
    priors: np.ndarray  # float64 [M]: the mover's chance to win, one move ahead
    found: np.ndarray  # float64 [M, P]: chances in the current sample


class Scratch(NamedTuple):
    """Working memory."""

    games: np.ndarray  # [5] STATE: the sample, the game after a move, and three to look ahead with
    mask: np.ndarray  # bool [A]
    odds: np.ndarray  # float64 [A]
    chances: np.ndarray  # float64 [P]


class RaceAgent(Agent):
    """An agent that plays the best move of a race; a subclass says how long it runs."""

    def __init__(self, network: str, weights: str, turns: int | None) -> None:
        self._network, self._weights, self._turns = network, weights, turns
        self.version = "2" if turns == FORMER else "3"
        self._evaluators = make_evaluator(network_of(network))  # raises for unknown names
        weight_set(weights, 2)
        self._box: Box | None = None

    @abstractmethod
    def search(self, view: View) -> tuple[Race, float | None]:
        """Return the race of the legal moves, and the seconds that it took if they are known."""

    def act(self, view: View) -> int:
        """Return the move with the best chances, the first of equals."""
        if np.count_nonzero(view.mask) == 1:
            return int(view.mask.argmax())
        race, _ = self.search(view)
        return int(best_first(race, view.seat)[0])

    def opinion(self, view: View) -> Opinion:
        """Return every legal move with its samples and chances, the best first."""
        race, seconds = self.search(view)
        total, index = int(race.deals.sum()), {int(move): at for at, move in enumerate(race.moves)}
        found = []
        for move in best_first(race, view.seat).tolist():
            at = index[move]
            deals = int(race.deals[at])
            values = tuple((race.totals[at, : view.players] / deals).tolist()) if deals else ()
            share = deals / total if total else 1.0  # one legal move is never sampled
            found.append(Candidate(move, share, values, deals, (move,)))
        return Opinion(tuple(found), total, seconds)

    def begin(self, view: View) -> Race:
        """Return a race of the legal moves, valued one move ahead."""
        if view.box is not self._box:
            size = view.box.layout.size
            self._box, games = view.box, np.zeros(AHEAD + ONE_SEES, STATE)
            self._scratch = Scratch(games, np.zeros(size, np.bool_), np.zeros(size), np.zeros(SEATS))
        moves, scratch = np.flatnonzero(view.mask), self._scratch
        ahead = scratch.games[AHEAD:]
        odds_after_moves(view.box.record, view.state, 0, view.mask, self._evaluators, ahead, scratch.odds)
        number, priors = len(moves), 1 / (1 + np.exp(-scratch.odds[moves]))
        found = np.zeros((number, SEATS))
        return Race(moves, np.ones(number, np.bool_), np.zeros(number, np.int64), found.copy(),
                    np.zeros((number, number)), priors, found)  # fmt: skip

    def run(self, view: View, race: Race, seed: np.uint64, play_outs: int) -> int:
        """Continue a race for so many play-outs, and return how many there were."""
        weights = weight_set(self._weights, view.players)
        everything = (view.state, weights, self._evaluators, race, self._scratch, seed)
        turns = self._turns or (WITH_FOUR if view.players == SEATS else FORMER)
        return int(run(view.box.record, *everything, play_outs, turns))


def best_first(race: Race, seat: int) -> np.ndarray:
    """Return the ids of all moves: those still in the race first, then by the mover's chances."""
    chances = (race.totals[:, seat] + TRUSTED * race.priors) / (race.deals + TRUSTED)
    order: np.ndarray = race.moves[np.lexsort((-chances, -race.deals))]
    return order


@kernel
def run(boxes, games, weights, evaluators, race, scratch, seed, play_outs, turns):
    """Run so many play-outs more from games[0], or until one move is left; returns how many there were."""
    box, seat, played = boxes[0], games[0].to_move, 0
    while played < play_outs and race.runs.sum() > 1:
        deal_seed = chance.scatter(seed + np.uint64(race.deals.max()) * chance.INCREMENT)
        scratch.games[DEAL] = games[0]
        hidden.sample_unseen(box, scratch.games[DEAL], seat, deal_seed)
        for at in range(race.moves.size):
            if race.runs[at]:
                scratch.games[NOW] = scratch.games[DEAL]
                play_on(boxes, weights, race.moves[at], turns, scratch)
                values(box, scratch.games[NOW], evaluators[0], scratch.chances)
                overwrite(race.found[at], scratch.chances)
                played += 1
        count(box, seat, race)
        drop(seat, race)
    return played


@kernel
def play_on(boxes, weights, move, turns, scratch):
    """Play a move, then the heuristic's moves until so many turns have begun."""
    games, mask = scratch.games, scratch.mask
    last = games[NOW].turn + turns
    turn.step(boxes[0], games[NOW], move, mask)
    while games[NOW].to_move != NOBODY and games[NOW].turn < last:
        action = heuristic.best_move(boxes, games, NOW, mask, weights)
        turn.step(boxes[0], games[NOW], action, mask)


@kernel
def count(box, seat, race):
    """Add up the chances of a sample."""
    for at in range(race.moves.size):
        if race.runs[at]:
            race.deals[at] += 1
            for other in range(box.players):
                race.totals[at, other] += race.found[at, other]
            for other in range(at):
                if race.runs[other]:
                    gap = race.found[at, seat] - race.found[other, seat]
                    race.gaps[at, other] += gap * gap
                    race.gaps[other, at] += gap * gap


@kernel
def drop(seat, race):
    """Drop the moves that are significantly behind the best one."""
    best, deals = 0, race.deals.max()
    if deals < FIRST:
        return
    for at in range(race.moves.size):
        if race.runs[at] and (not race.runs[best] or race.totals[at, seat] > race.totals[best, seat]):
            best = at
    for at in range(race.moves.size):
        if race.runs[at] and at != best:
            behind = (race.totals[best, seat] - race.totals[at, seat]) / deals
            spread = max(race.gaps[best, at] / deals - behind * behind, 0.0)
            if behind > SURE * math.sqrt(spread / deals):
                race.runs[at] = False


PLAY_OUTS = 240
FORMER_PLAY_OUTS = 60  # of version 2


class ChampionAgent(RaceAgent):
    """A race of at most 240 play-outs, or of 60 by `turns=4`."""

    name = "champion"

    def __init__(self, network: NetworkName = "learned", turns: Turns = None) -> None:
        super().__init__(network, "tuned", turns)

    def __deepcopy__(self, memo: dict[int, object]) -> "ChampionAgent":
        return self._new_with(self._network, self._turns)

    def graph(self) -> Graph:
        """Return the network."""
        return value_graph(network_of(self._network))

    def search(self, view: View) -> tuple[Race, None]:
        """Return the race of the legal moves."""
        race, state = self.begin(view), view.state
        plain = b"".join(state[name].tobytes() for name in state.dtype.names or ())  # bytes between are undefined
        play_outs = FORMER_PLAY_OUTS if self._turns == FORMER else PLAY_OUTS
        self.run(view, race, np.uint64(crc32(plain)), play_outs)
        return race, None


CLOCK = 8  # milliseconds between looks at the clock
CHUNK = 32  # play-outs until the speed is known, and without a clock
MOST_SIMS = 10**9


class SearchAgent(RaceAgent):
    """A race for at most `ms` milliseconds or about `sims` play-outs; a sample that has begun is finished.

    It stops early where one move is left. Equal seeds give equal moves with `sims`, but not with a clock.
    """

    name = "search"

    def __init__(
        self,
        ms: Ms = None,
        sims: Annotated[int | None, Option(whole(1, MOST_SIMS), "play-outs for a move, without a clock")] = None,
        network: NetworkName = "learned",
        weights: Annotated[str, Option(text(), f"of the heuristic in play-outs: {WEIGHTS_TEXT}")] = "tuned",
        turns: Turns = None,
    ) -> None:
        super().__init__(network, weights, turns)
        self.ms, self._sims = clock_of(ms, sims), sims
        self.reset(0, 2, 0)

    def __deepcopy__(self, memo: dict[int, object]) -> "SearchAgent":
        return self._new_with(self.ms, self._sims, self._network, self._weights, self._turns)

    def reset(self, seat: int, players: int, seed: int) -> None:
        """Start a game."""
        self._seed, self._begun = np.uint64(seed), 0

    def search(self, view: View) -> tuple[Race, float]:
        """Return the race of the legal moves, and the seconds that it took."""
        seed = np.uint64(np.random.SeedSequence([int(self._seed), self._begun]).generate_state(1, np.uint64)[0])
        self._begun += 1
        race = self.begin(view)
        self.run(view, race, seed, 0)  # loads compiled code before the clock runs
        start, done, left, chunk = time.perf_counter(), 0, inf, CHUNK
        while left >= 1 and race.runs.sum() > 1:
            wanted = chunk if self.ms is not None else min(chunk, (self._sims or 0) - done)
            done += self.run(view, race, seed, wanted)
            if self.ms is None:
                left = (self._sims or 0) - done
            else:
                spent = 1000 * (time.perf_counter() - start)
                left = (self.ms - spent) * done / spent
                chunk = max(int(min(CLOCK * done / spent, left)), 1)
        return race, time.perf_counter() - start
