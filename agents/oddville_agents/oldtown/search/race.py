"""A race between moves: each is tried in the same deals, and the game is played on for some turns and valued there.

    score(move) = (sum over deals of the mover's chance to win + trusted x prior) / (deals + trusted)
    a move drops out where the mean of (best - move) over deals is above sure x the standard error of that mean

All that the seat cannot know is dealt anew again and again, and in every deal all moves that are still in the race are
tried: so the luck of a deal, which is far larger than what moves differ by, is the same for all of them. A move that
is behind the best one by more than chance would have it drops out (racing, Maron and Moore 1994; in blocks as Birattari
et al. 2002 do it). On the way everybody, the mover too, plays by the heuristic, one move ahead and from what that seat
sees: so nobody plans with cards that nobody knows (strategy fusion, Long et al. 2010).

Letters of shapes: M moves, P seats.
"""

import math
from typing import NamedTuple

import numpy as np

from oddville_agents.agent import Candidate
from oddville_agents.oldtown.heuristic import choice as heuristic
from oddville_agents.oldtown.value.choice import odds_after_moves
from oddville_agents.oldtown.value.evaluator import values
from oddville_env.core.compiled.arrays import overwrite
from oddville_env.core.compiled.jit import kernel
from oddville_env.core.game.view import View
from oddville_env.core.parts import chance
from oddville_env.oldtown.cards.words import NOBODY
from oddville_env.oldtown.rules import hidden, turn
from oddville_env.oldtown.rules.box import Box
from oddville_env.oldtown.rules.state import SEATS, STATE

DEAL, NOW, AHEAD = 0, 1, 2  # the games of a race
ONE_SEES = 3  # games that one move ahead needs


class RaceParams(NamedTuple):
    """Parameters of a race."""

    turns: int = 4  # that are played on behind a move
    sure: float = 2.0  # standard errors that a move is behind when it drops out
    first: int = 6  # deals before one may
    trusted: float = 6.0  # deals that the value one move ahead counts as


class Race(NamedTuple):
    """The moves of a race and how they did."""

    moves: np.ndarray  # int64 [M]: ids, ascending
    runs: np.ndarray  # bool [M]: still in the race
    deals: np.ndarray  # int64 [M]: in which a move was tried; those still in the race in all of them
    totals: np.ndarray  # float64 [M, P]: the sum of every seat's chances behind a move
    gaps: np.ndarray  # float64 [M, M]: the sum of squared differences of two moves, for the mover
    priors: np.ndarray  # float64 [M]: the mover's chance to win, one move ahead
    found: np.ndarray  # float64 [M, P]: chances in the deal of this moment


class Scratch(NamedTuple):
    """Memory in which games are played on."""

    games: np.ndarray  # [5] STATE: the deal, the game behind a move, and three to look ahead with
    mask: np.ndarray  # bool [A]
    odds: np.ndarray  # float64 [A]
    chances: np.ndarray  # float64 [P]


def make_scratch(box: Box) -> Scratch:
    """Scratch for games of this box."""
    size = box.layout.size
    return Scratch(np.zeros(AHEAD + ONE_SEES, STATE), np.zeros(size, np.bool_), np.zeros(size), np.zeros(SEATS))


def begin(box: Box, games: np.ndarray, mask: np.ndarray, evaluators: np.ndarray, scratch: Scratch) -> Race:
    """The race of the legal moves of games[0], a state as its seat to move sees it: mask [A] bool."""
    moves = np.flatnonzero(mask)
    odds_after_moves(box.record, games, 0, mask, evaluators, scratch.games[AHEAD:], scratch.odds)
    number, priors = len(moves), 1 / (1 + np.exp(-scratch.odds[moves]))
    found = np.zeros((number, SEATS))
    return Race(moves, np.ones(number, np.bool_), np.zeros(number, np.int64), found.copy(),
                np.zeros((number, number)), priors, found)  # fmt: skip


def best_first(race: Race, seat: int, params: RaceParams) -> np.ndarray:
    """The ids of all moves, those that are still in the race before the others, and the mover's best chances first.

    The value one move ahead counts as some deals.
    """
    chances = (race.totals[:, seat] + params.trusted * race.priors) / (race.deals + params.trusted)
    order: np.ndarray = race.moves[np.lexsort((-chances, -race.deals))]
    return order


def candidates(found: Race, view: View, params: RaceParams) -> tuple[Candidate, ...]:
    """Every legal move with its deals and chances, the best first."""
    total, places = int(found.deals.sum()), {int(move): at for at, move in enumerate(found.moves)}
    found_moves = []
    for move in best_first(found, view.seat, params).tolist():
        at = places[move]
        deals = int(found.deals[at])
        values = tuple((found.totals[at, : view.players] / deals).tolist()) if deals else ()
        share = deals / total if total else 1.0  # without a deal there is but one move
        found_moves.append(Candidate(move, share, values, deals, (move,)))
    return tuple(found_moves)


@kernel
def run(boxes, games, weights, evaluators, race, scratch, seed, play_outs, params):
    """Deals for so many play-outs more, or until one move is left, from games[0]; returns how many there were."""
    box, seat, played = boxes[0], games[0].to_move, 0
    while played < play_outs and race.runs.sum() > 1:
        deal_seed = chance.scatter(seed + np.uint64(race.deals.max()) * chance.INCREMENT)
        scratch.games[DEAL] = games[0]
        hidden.sample_unseen(box, scratch.games[DEAL], seat, deal_seed)
        for at in range(race.moves.size):
            if race.runs[at]:
                scratch.games[NOW] = scratch.games[DEAL]
                play_on(boxes, weights, race.moves[at], params.turns, scratch)
                values(box, scratch.games[NOW], evaluators[0], scratch.chances)
                overwrite(race.found[at], scratch.chances)
                played += 1
        count(box, seat, race)
        drop(seat, race, params)
    return played


@kernel
def play_on(boxes, weights, move, turns, scratch):
    """Play a move, and what follows by the heuristic until so many turns have begun."""
    games, mask = scratch.games, scratch.mask
    last = games[NOW].turn + turns
    turn.step(boxes[0], games[NOW], move, mask)
    while games[NOW].to_move != NOBODY and games[NOW].turn < last:
        action = heuristic.best_move(boxes, games, NOW, mask, weights)
        turn.step(boxes[0], games[NOW], action, mask)


@kernel
def count(box, seat, race):
    """Add up what was found in a deal."""
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
def drop(seat, race, params):
    """Moves that are surely behind the best one leave the race."""
    best, deals = 0, race.deals.max()
    if deals < params.first:
        return
    for at in range(race.moves.size):
        if race.runs[at] and (not race.runs[best] or race.totals[at, seat] > race.totals[best, seat]):
            best = at
    for at in range(race.moves.size):
        if race.runs[at] and at != best:
            behind = (race.totals[best, seat] - race.totals[at, seat]) / deals
            spread = max(race.gaps[best, at] / deals - behind * behind, 0.0)
            if behind > params.sure * math.sqrt(spread / deals):
                race.runs[at] = False
