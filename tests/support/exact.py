"""Solve endings to the last move, to judge search.

A solver here looks at every line of moves; it shares nothing with the search but the step of the rules.
"""

from dataclasses import replace
from itertools import permutations

import numpy as np

from oddville_env.core.compiled.arrays import copied
from oddville_env.oddville.cards import CardSet, base_cards
from oddville_env.oddville.cards.words import NOBODY
from oddville_env.oddville.outcome import outcome_of
from oddville_env.oddville.rules import batch
from oddville_env.oddville.rules.box import Box

Winners = frozenset[int]


class TooLargeError(Exception):
    """More positions than one wants to look at."""


def open_all(state: np.ndarray) -> None:
    """Make every card and character known to everybody: what comes is fixed."""
    state["card_seen"], state["unseen"], state["character_seen"] = 1, 0, 1


def open_nearly_all(state: np.ndarray) -> None:
    """The same, but for the deck's two top cards and the last coin of the seat to move: no seat has seen them."""
    open_all(state)
    game = state[0]
    coins = game.coin[game.to_move, : game.coins[game.to_move]]
    state["card_seen"][0, [*game.deck[[game.deck_top, (game.deck_top + 1) % len(game.deck)]], *coins[-1:]]] = 0


def legal_ids(box: Box, state: np.ndarray) -> list[int]:
    """The ids of all legal moves."""
    mask = np.zeros(box.layout.size, np.bool_)
    batch.legal(box.record, state, 0, mask)
    return np.flatnonzero(mask).tolist()


def after(box: Box, state: np.ndarray, action: int) -> np.ndarray:
    """The state that a move leads to."""
    child = copied(state)
    batch.step(box.record, child, 0, action, np.zeros(box.layout.size, np.bool_))
    return child


class Solver:
    """The seats that can win from a fully known position when all play to win.

    A seat that has a move with which it surely wins plays one; else one with which it may win; else any at all.
    """

    def __init__(self, box: Box, most: int) -> None:
        self.box, self.most = box, most
        self.known: dict[bytes, Winners] = {}

    def winners(self, state: np.ndarray) -> Winners:
        if state[0].to_move == NOBODY:
            return frozenset([outcome_of(self.box, state).winner])
        key = state.tobytes()
        if key not in self.known:
            if len(self.known) >= self.most:
                raise TooLargeError
            self.known[key] = self.choice(int(state[0].to_move), [*self.by_move(state).values()])
        return self.known[key]

    def by_move(self, state: np.ndarray) -> dict[int, Winners]:
        """The same for every legal move."""
        found = {}
        for action in legal_ids(self.box, state):
            child = after(self.box, state, action)
            if (child[0].reshuffles != state[0].reshuffles).any():
                raise TooLargeError
            found[action] = self.winners(child)
        return found

    @staticmethod
    def choice(seat: int, options: list[Winners]) -> Winners:
        if frozenset([seat]) in options:
            return frozenset([seat])
        hopeful = [winners for winners in options if seat in winners]
        return frozenset().union(*(hopeful or options))


class Expectation:
    """Each seat's chance to win where some cards and reshuffles are unknown: every order of them is tried."""

    def __init__(self, box: Box, most: int) -> None:
        self.box, self.most = box, most
        self.known: dict[bytes, np.ndarray] = {}

    def values(self, state: np.ndarray) -> np.ndarray:
        """Float64 [P]."""
        seat = int(state[0].to_move)
        if seat == NOBODY:
            return np.eye(self.box.players)[outcome_of(self.box, state).winner]
        key = self.as_seen(state)
        if key not in self.known:
            if len(self.known) >= self.most:
                raise TooLargeError
            self.known[key] = max(self.by_move(state).values(), key=lambda values: values[seat])
        return self.known[key]

    def by_move(self, state: np.ndarray) -> dict[int, np.ndarray]:
        """The same for every legal move."""
        found: dict[int, np.ndarray] = {}
        for action in legal_ids(self.box, state):
            worlds = self.worlds(state, after(self.box, state, action))
            found[action] = np.mean([self.values(after(self.box, world, action)) for world in worlds], axis=0)
        return found

    def worlds(self, before: np.ndarray, after: np.ndarray) -> list[np.ndarray]:
        """All that `before` may really be, where that matters to what came after it."""
        if (before[0].card_seen != after[0].card_seen).any():
            return self.card_orders(before)
        if (before[0].reshuffles != after[0].reshuffles).any():
            return self.pile_orders(before, after)
        return [before]

    @staticmethod
    def card_orders(state: np.ndarray) -> list[np.ndarray]:
        places = unseen_places(state[0])
        worlds = []
        for order in permutations([state[0][field][at] for field, at in places]):
            world = state.copy()
            for (field, at), card in zip(places, order, strict=True):
                world[0][field][at] = card
            worlds.append(world)
        return worlds

    def pile_orders(self, before: np.ndarray, after: np.ndarray) -> list[np.ndarray]:
        guild = int(np.flatnonzero(before[0].reshuffles != after[0].reshuffles)[0])
        back = [c for c in range(len(before[0].owner)) if self.box.cards.guild[c] == guild and before[0].owner[c] >= 0]
        worlds = []
        for order in permutations(back):
            world = before.copy()
            world[0].next_pile[: len(order)] = order
            worlds.append(world)
        return worlds

    @staticmethod
    def as_seen(state: np.ndarray) -> bytes:
        seen = state.copy()
        places = unseen_places(seen[0])
        for (field, at), card in zip(places, sorted(seen[0][field][at] for field, at in places), strict=True):
            seen[0][field][at] = card
        seen["seed"] = 0
        return seen.tobytes()


def unseen_places(game: np.record) -> list[tuple[str, tuple[int, ...]]]:
    """Where the cards lie that no seat has seen."""
    places = [("deck", (at,)) for at in range(len(game.deck))]
    places += [("coin", at) for at in np.ndindex(game.coin.shape)]
    return [(field, at) for field, at in places if game[field][at] >= 0 and not game.card_seen[game[field][at]]]


def wild_cards() -> CardSet:
    """The base card set with characters whose points differ widely, so that a reshuffle often decides a game."""
    return replace(base_cards(), points=np.array([0, 9, 18] * 4, base_cards().points.dtype))
