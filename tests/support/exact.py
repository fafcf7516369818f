"""Solve endings to the last move, to judge search.

The solver looks at every line of moves; it shares nothing with the search but the step of the rules.
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


def open_all(state: np.ndarray) -> None:
    """Make every card and character known to everybody: what comes is fixed."""
    state["card_seen"], state["unseen"], state["character_seen"] = 1, 0, 1


def open_nearly_all(state: np.ndarray) -> None:
    """The same, but for the deck's two top cards and the last coin of the seat to move: no seat has seen them."""
    open_all(state)
    game = state[0]
    coins = game.coin[game.to_move, : game.coins[game.to_move]]
    state["card_seen"][0, [*game.deck[[game.deck_top, (game.deck_top + 1) % len(game.deck)]], *coins[-1:]]] = 0


def after(box: Box, state: np.ndarray, action: int) -> np.ndarray:
    """The state that a move leads to."""
    child = copied(state)
    batch.step(box.record, child, 0, action, np.zeros(box.layout.size, np.bool_))
    return child


class Expectation:
    """Each seat's chance to win where all play to win; of unknown cards and reshuffles every order is tried."""

    def __init__(self, box: Box) -> None:
        self.box = box
        self.known: dict[bytes, np.ndarray] = {}

    def values(self, state: np.ndarray) -> np.ndarray:
        """Float64 [P]."""
        seat = int(state[0].to_move)
        if seat == NOBODY:
            return np.eye(self.box.players)[outcome_of(self.box, state).winner]
        key = self.as_seen(state)
        if key not in self.known:
            self.known[key] = max(self.by_move(state).values(), key=lambda values: values[seat])
        return self.known[key]

    def by_move(self, state: np.ndarray) -> dict[int, np.ndarray]:
        """The same for every legal move."""
        found, mask = {}, np.zeros(self.box.layout.size, np.bool_)
        batch.legal(self.box.record, state, 0, mask)
        for action in np.flatnonzero(mask).tolist():
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
        places, worlds = unseen_places(state[0]), []
        for order in permutations([state[0][field][at] for field, at in places]):
            world = state.copy()
            for (field, at), card in zip(places, order, strict=True):
                world[0][field][at] = card
            worlds.append(world)
        return worlds

    def pile_orders(self, before: np.ndarray, after: np.ndarray) -> list[np.ndarray]:
        guild = int(np.flatnonzero(before[0].reshuffles != after[0].reshuffles)[0])
        back = [c for c in range(len(before[0].owner)) if self.box.cards.guild[c] == guild and before[0].owner[c] >= 0]
        worlds = [before.copy() for _ in permutations(back)]
        for world, order in zip(worlds, permutations(back), strict=True):
            world[0].next_pile[: len(order)] = order
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
