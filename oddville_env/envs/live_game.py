"""One game after another, played by ids as fast as Python can: what the environments stand on."""

from collections.abc import Mapping
from typing import Any

import gymnasium
import numpy as np

from oddville_env.core.errors import IllegalMoveError
from oddville_env.oddville.cards.words import NOBODY
from oddville_env.oddville.deal import check_deal, shuffled
from oddville_env.oddville.game import Game
from oddville_env.oddville.moves import words
from oddville_env.oddville.outcome import Outcome, outcome_of
from oddville_env.oddville.rules import batch
from oddville_env.oddville.rules.box import Box
from oddville_env.oddville.settings import check_seed, game_seeds

ORDERS = ("deck", "piles", "first")


class LiveGame:
    """A box, the state of the game that is played with it, its legal moves and the seat to move.

    `state` is [1] record of the box, `mask` [A] bool; both keep their memory from game to game. `seed` is the game's
    own, uint64.
    """

    def __init__(self, box: Box) -> None:
        self.box = box
        self.state = np.zeros(1, box.games)
        self.mask = np.zeros(box.layout.size, np.bool_)
        self.to_move = NOBODY
        self._dealt = self.state.copy()
        self._actions: list[int] = []
        self.seed = game_seeds(check_seed(None))[0]

    def deal(self, seed: int | None = None, orders: Mapping[str, Any] | None = None) -> None:
        """Begin a game. Without a seed the luck goes on from the last one's; orders may fix `Game`'s hidden orders.

        Raises SettingError.
        """
        fresh = self._following_seed() if seed is None else game_seeds(check_seed(seed))[0]
        if orders:
            self.state[:] = shuffled(self.box, fresh, check_deal(self.box, **_known(orders)))
        else:
            batch.shuffle(self.box.record, self.state, 0, fresh)
        self.seed, self._actions = fresh, []
        self._dealt = self.state.copy()
        self.to_move = batch.lay_table(self.box.record, self.state, 0, self.mask)

    def _following_seed(self) -> np.uint64:
        return np.uint64(batch.following_seed(self.seed))

    def play(self, action: int) -> int:
        """Play an id; returns the seat to move, NOBODY when the game is over. Raises IllegalMoveError."""
        if not 0 <= action < len(self.mask) or not self.mask[action]:
            raise IllegalMoveError(self._why_not(action))
        self._actions.append(action)
        self.to_move = batch.step(self.box.record, self.state, 0, int(action), self.mask)
        return self.to_move

    def _why_not(self, action: int) -> str:
        if not 0 <= action < len(self.mask):
            return f"action {action} is no move of this table, expected 0 to {len(self.mask) - 1}"
        return f"action {action} ({words(self.box.layout)[action]}) is not legal now: see the action mask"

    @property
    def outcome(self) -> Outcome | None:
        """How the game ended, None while it has not."""
        return outcome_of(self.box, self.state)

    @property
    def game(self) -> Game:
        """The game so far, for people: a copy that knows its moves and its record."""
        return Game.from_deal(self.box, self._dealt, self._actions)


def _known(options: Mapping[str, Any]) -> dict[str, Any]:
    """The hidden orders among the options; wrappers and tests may pass others on."""
    for name in sorted(set(options) - set(ORDERS)):
        gymnasium.logger.warn(f"option {name!r} is not known, expected {', '.join(ORDERS)}: it is ignored")
    return {name: options.get(name) for name in ORDERS}
