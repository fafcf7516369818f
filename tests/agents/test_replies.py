"""Lookahead of `champion` beyond its turn, against a slow twin in Python."""

from collections.abc import Iterator
from functools import partial
from itertools import count
from typing import Any

import numpy as np
import pytest

from oddville_agents.oddville.champion import ChampionAgent
from oddville_agents.oddville.value import replies
from oddville_agents.oddville.value.evaluator import TRIED, chances_after_moves, make_evaluator, values
from oddville_agents.oddville.value.formula import appraisal
from oddville_agents.oddville.value.formula.values import step_covered
from oddville_agents.oddville.value.formula.weights import weight_set
from oddville_agents.oddville.value.moves import is_dearer, later_moves
from oddville_agents.oddville.value.network import LEARNED_3, network_of
from oddville_env import Game
from oddville_env.oddville.cards.words import NOBODY, NOTHING, Character
from oddville_env.oddville.rules.actions import Kind
from oddville_env.oddville.rules.box import Box
from oddville_env.oddville.rules.state import GUILDS, SEATS, Phase
from support.helpers import every_number, many_states, random_game

ROUNDING = 1e-5  # values beside another base differ by less


class Twin:
    """The lookahead over copies of states."""

    def __init__(self, box: Box) -> None:
        self.box, self.size = box, box.layout.size
        self.evaluator = make_evaluator(weight_set("search", box.players), network_of(LEARNED_3.stem))
        self.scratch = replies.make_reply_scratch(box)
        self.effort = self.scratch.effort

    def likes(self, state: np.ndarray, moves: list[int]) -> dict[int, np.ndarray]:
        """Every seat's chances behind moves."""
        mask, chances = np.isin(np.arange(self.size), moves), np.zeros((self.size, self.box.players))
        chances_after_moves(self.box.record, state, 0, mask, self.evaluator, self.scratch.turn, chances)
        return {move: chances[move] for move in moves}

    def later(self, state: np.ndarray) -> list[int]:
        mask, moves, copy = np.zeros(self.size, np.bool_), np.zeros(self.size, np.int64), state.copy()
        count = later_moves(self.box.record[0], copy[0], mask, moves, self.evaluator[0])
        return [int(move) for move in moves[:count]]

    def is_best_cell(self, state: np.ndarray, index: int, cell: int) -> bool:
        """Whether a held building is worth as much on a cell as on the best one that the value function keeps."""
        box, game, evaluator = self.box.record[0], state[0], self.evaluator[0]
        seat, card, at = game.to_move, game.held[game.to_move, index], appraisal.find_city(game, evaluator)
        appraisal.look_for_places(box, game, card, evaluator, at)
        worth = appraisal.worth_of_cell(box, game, card, cell, evaluator) + 2 * evaluator.gain[seat]
        return np.float32(worth) == evaluator.best[at, card, seat]

    def like(self, state: np.ndarray, move: int) -> tuple[int, ...]:
        """What a move does, whichever worker card or cell it names."""
        kind, first, second, _ = self.box.layout.parts[move]
        if kind in (Kind.BUY, Kind.SWAP):
            return kind, int(state[0].row[second])
        if kind == Kind.BUILD:
            return kind, int(state[0].held[state[0].to_move, first])
        return kind, second if kind in (Kind.TAKE, Kind.COINS) else first

    def likes_of(self, state: np.ndarray, values: dict[int, float]) -> dict[tuple[int, ...], float]:
        """The best value of the moves that are alike."""
        alike: dict[tuple[int, ...], float] = {}
        for move, value in values.items():
            alike[self.like(state, move)] = max(value, alike.get(self.like(state, move), -np.inf))
        return alike

    def liked(self, state: np.ndarray, alike: dict[tuple[int, ...], float], margin: float) -> list[int]:
        """The later moves whose like was good, or is new."""
        worth = {move: alike.get(self.like(state, move)) for move in self.later(state)}
        most = max((value for value in worth.values() if value is not None), default=0.0)
        return [move for move, value in worth.items() if value is None or value >= most - margin]

    def of_reply(self, is_first: bool, noted: list[Any], numbers: Iterator[int], state: np.ndarray) -> list[int]:
        """The moves of a reply that are looked at: all behind the best move, else those whose like was good there."""
        number, moves = next(numbers), self.later(state)
        if is_first:
            noted.append(self.likes_of(state, self.later_values(state, moves)))
        elif number < min(len(noted), replies.NOTED):
            return self.liked(state, noted[number], self.effort.further if number else self.effort.replies)
        return moves

    def looked_at(self, state: np.ndarray, legal: list[int]) -> dict[int, float]:
        """The mover's chances behind legal moves, a dearer worker's only where the cheapest one is good."""
        box, mask, seat = self.box.record[0], np.isin(np.arange(self.size), legal), int(state[0].to_move)
        found = {move: float(chances[seat]) for move, chances in self.likes(state, legal).items()}
        cheap = {move: value for move, value in found.items() if not is_dearer(box, mask, move)}
        self.alike = self.likes_of(state, cheap)
        least = max(cheap.values()) - replies.WORKERS
        return cheap | {move: found[move] for move in legal if self.alike[self.like(state, move)] >= least}

    def later_values(self, state: np.ndarray, moves: list[int]) -> dict[int, float]:
        """The mover's chances behind moves, -inf where a move is much worse by the formula than one before it."""
        mover, most, found = int(state[0].to_move), -np.inf, {}
        for move, chances in self.likes(state, moves).items():
            plain = self.by_formula(state, move)[mover]
            found[move] = -np.inf if -np.inf < plain <= most - self.effort.worse else float(chances[mover])
            most = max(most, plain)
        return found

    def by_formula(self, state: np.ndarray, move: int) -> np.ndarray:
        """Every seat's chances behind a move without the network; no more than that of a game that is over."""
        after, players = state.copy(), self.box.players
        step_covered(self.box.record[0], after[0], move, np.zeros(self.size, np.bool_))
        if after[0].phase == Phase.OVER:
            return np.full(players, -np.inf)
        self.chances(after)
        odds = np.exp(self.evaluator["odds"][0, :players])
        return np.asarray(odds / odds.sum())

    def best(self, state: np.ndarray, moves: list[int]) -> tuple[int, np.ndarray]:
        best = max(moves, key=self.later_values(state, moves).__getitem__)
        return best, self.likes(state, [best])[best]

    def turn(self, state: np.ndarray, move: int, chances: np.ndarray, listed: Any) -> tuple[np.ndarray, np.ndarray]:
        """The end of the turn that goes on with the best of the listed moves, and everybody's chances there."""
        box, mover, after, mask = self.box.record[0], state[0].to_move, state.copy(), np.zeros(self.size, np.bool_)
        while True:
            step_covered(box, after[0], move, mask)
            if after[0].to_move == mover and after[0].phase == Phase.END:
                step_covered(box, after[0], self.box.layout.starts[Kind.DONE], mask)
                return after, self.chances(after)
            moves = listed(after) if after[0].to_move == mover else []
            if not moves:
                return after, chances
            move, chances = self.best(after, moves)

    def chances(self, state: np.ndarray) -> np.ndarray:
        out = np.zeros(SEATS)
        values(self.box.record[0], state[0], self.evaluator[0], out)
        return out

    def behind(self, end: np.ndarray, seat: int, is_first: bool) -> float:
        """The chance of a seat behind all replies, and behind its own next move."""
        for noted in self.noted:
            listed = partial(self.of_reply, is_first, noted, count())
            moves = [] if end[0].to_move in (seat, NOBODY) else listed(end)
            if not moves:
                break
            end, _ = self.turn(end, *self.best(end, moves), listed)
        own = self.liked(end, self.alike, self.effort.later) if end[0].to_move == seat else []
        return float(self.best(end, own)[1][seat] if own else self.chances(end)[seat])

    def worth(self, state: np.ndarray, legal: list[int]) -> dict[int, float]:
        """The values of the moves that are compared in the end."""
        seat, worth, ends = int(state[0].to_move), {}, {}
        state = state.copy()
        state["seed"] = 0
        first = self.looked_at(state, legal)
        for move in sorted(first, key=lambda move: -first[move])[:TRIED]:
            if first[move] >= max(first.values()) - replies.NEAR:
                chances: Any = np.full(self.box.players, first[move])
                flips = self.box.record[0].kind[move] == Kind.FLIP
                ends[move], chances = (state, chances) if flips else self.turn(state, move, chances, self.later)
                worth[move] = replies.FIRST * first[move] + (1 - replies.FIRST) * chances[seat]
        order = sorted(worth, key=lambda move: -worth[move])
        close = [move for move in order if worth[move] >= worth[order[0]] - self.effort.close][: self.effort.compared]
        if state[0].phase != Phase.MAIN or len(close) == 1:
            return worth
        self.noted: list[list[Any]] = [[] for _ in range(1, self.box.players)]
        for move in close:
            if ends[move][0].to_move != seat:
                behind = self.behind(ends[move], seat, move == order[0])
                worth[move] = replies.KEPT * worth[move] + (1 - replies.KEPT) * behind
        return {move: worth[move] for move in close}


@every_number
def test_champion_looks_at_replies_behind_close_moves(players: int) -> None:
    champion, compared, twin = ChampionAgent(), 0, Twin(Game(players, 7).box)
    games = (random_game(players, seed, length) for seed in (32, 34, 38, 47) for length in range(0, 90, 4))
    for game in (game for game in games if not game.is_over):
        worth = twin.worth(game.view().state, np.flatnonzero(game.mask).tolist())
        compared += game.state[0].phase == Phase.MAIN and len(worth) > 1
        assert worth[champion.act(game.view())] == pytest.approx(max(worth.values()), abs=ROUNDING)
    assert compared > 6


@every_number
def test_lookahead_tries_the_cheapest_worker_and_the_best_cell(players: int) -> None:
    twin, builds = Twin(Game(players, 7).box), 0
    box = twin.box.record[0]
    for length in range(0, 120, 3):
        game = random_game(players, 11, length)
        if game.is_over:
            break
        state, legal = game.view().state, np.flatnonzero(game.mask).tolist()
        state[0].row[0] = NOTHING
        tried = twin.later(state)
        assert set(tried) <= set(legal)
        what = [(Kind(box.kind[move]), *box.part[move]) for move in tried]
        worker_moves = [(kind, second) for kind, _, second, _ in what if kind in (Kind.BUY, Kind.TAKE, Kind.COINS)]
        assert len(set(worker_moves)) == len(worker_moves)
        assert Kind.FLIP not in {kind for kind, *_ in what}
        assert (Kind.BUY, 0) not in worker_moves
        for worker, position in ((worker, position) for kind, worker, position, _ in what if kind == Kind.BUY):
            able = [box.part[move][0] for move in legal if tuple(box.part[move][1:]) == (position, 0)
                    and box.kind[move] == Kind.BUY]  # fmt: skip
            assert box.price[worker, position] == min(box.price[other, position] for other in able)
        built = [first for kind, first, *_ in what if kind == Kind.BUILD]
        assert len(set(built)) == len(built)
        builds += len(built)
    assert builds > 0


@every_number
def test_lookahead_builds_on_the_best_cell_beside_own_buildings_and_swaps_for_no_covered_card(players: int) -> None:
    twin, builds, swaps = Twin(Game(players, 7).box), 0, 0
    for game in many_states(60, players):
        building, swapping = game.state.copy(), game.state.copy()
        seat, size = building[0].to_move, building[0].city_size
        building[0].stock[seat], building[0].supply[seat], building[0].city_owner[1:size] = 9, 1, seat
        swapping[0].owner[Character.BOOKKEEPER], swapping[0].row[0] = seat, NOTHING
        builds_here, swaps_here = (
            [parts for parts in map(twin.box.layout.parts.__getitem__, twin.later(state)) if parts[0] == kind]
            for state, kind in ((building, Kind.BUILD), (swapping, Kind.SWAP))
        )
        assert all(twin.is_best_cell(building, index, cell) for _, index, cell, _ in builds_here)
        assert all(position != 0 for _, _, position, _ in swaps_here)
        builds, swaps = builds + len(builds_here), swaps + len(swaps_here)
    assert builds > 20
    assert swaps > 0


@every_number
def test_covered_character_that_is_taken_is_nobodys(players: int) -> None:
    box, taken = Game(players, 7).box, 0
    scratch, done = np.zeros(box.layout.size, np.bool_), box.layout.starts[Kind.DONE]
    for game in many_states(150, players):
        builds = [action for action in np.flatnonzero(game.mask) if box.layout.parts[action][0] == Kind.BUILD]
        for action in builds[:1]:
            state = game.state.copy()
            suit = box.record[0].suit[state[0].held[state[0].to_move, box.layout.parts[action][1]]]
            if suit < GUILDS and state[0].pile_size[suit] > 0:
                size, owners = state[0].pile_size[suit], state[0].owner.tolist()
                state[0].pile[suit, size - 1] = NOTHING
                while state[0].pile_size[suit] == size:
                    step_covered(box.record[0], state[0], action, scratch)
                    action = done
                assert state[0].owner.tolist() == owners
                taken += 1
    assert taken > 3
