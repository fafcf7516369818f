"""The base of the environments: spaces, the order of calls, and one game after another, played by ids."""

from collections.abc import Mapping
from functools import cached_property
from operator import index as as_index
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded

from oddville_env.core.checked import check_seed, game_seeds, whole_number
from oddville_env.core.compiled.arrays import copied
from oddville_env.core.errors import IllegalMoveError, SettingError, shown
from oddville_env.core.game.game_type import NOBODY, GameType, Outcome
from oddville_env.core.game.view import Chance, View
from oddville_env.core.parts.chance import following_seed
from oddville_env.envs.arguments import RewardSettings
from oddville_env.envs.potentials import make_shaping
from oddville_env.envs.render import Renderer
from oddville_env.envs.rewards import forfeit_of, make_reward


def vector_space(encoder: Any) -> spaces.Box:
    """The observation: [N] or [T, D] of the encoder's dtype, every number within its piece's bounds."""
    return spaces.Box(encoder.low, encoder.high, dtype=encoder.dtype)


def action_space(box: Any) -> spaces.Discrete:
    """The ids of all moves."""
    return spaces.Discrete(box.layout.size)


BEFORE = "reset() comes first: no game has been dealt yet"
BROKEN_OFF = "reset() comes first: the last call was interrupted, so the games are between two moves"
OVER = "reset() comes first: the game is over"


class StepGuard:
    """Refuses calls out of order: `begin` and `finish` stand around every call that changes games."""

    def __init__(self) -> None:
        self._refusal = BEFORE

    def check(self) -> None:
        """Raises ResetNeeded where a reset has to come first."""
        if self._refusal:
            raise ResetNeeded(self._refusal)

    def check_dealt(self) -> None:
        """Raises ResetNeeded before the first reset."""
        if self._refusal == BEFORE:
            raise ResetNeeded(BEFORE)

    def end(self) -> None:
        """The game is over: the next call has to be a reset."""
        self._refusal = OVER

    def begin(self) -> None:
        """A call begins; an error before `finish` leaves the games between two moves."""
        self._refusal = BROKEN_OFF

    def finish(self) -> None:
        """The call is complete."""
        self._refusal = ""


class LiveGame:
    """The state of the game that is played now, and the seat to move.

    `state` is [1] record of the box and keeps its memory from game to game. `seed` is the game's own, uint64.
    """

    def __init__(self, game_type: GameType, box: Any) -> None:
        self.game_type, self.box = game_type, box
        self.state = np.zeros(1, box.games)
        self.to_move = NOBODY
        self._legal = np.zeros(box.layout.size, np.bool_)
        self._dealt = copied(self.state)
        self._actions: list[int] = []
        self.seed = game_seeds(check_seed(None))[0]

    @property
    def mask(self) -> np.ndarray:
        """The legal moves, bool [A]: a copy, as moves are checked against the game's own."""
        return self._legal.copy()

    @property
    def action_mask(self) -> np.ndarray:
        """The legal moves as int8 [A]: a copy."""
        return self._legal.view(np.int8).copy()

    def deal(self, seed: int | None = None, orders: Mapping[str, Any] | None = None) -> None:
        """Begin a game. Without a seed it follows from the last one's; orders may fix the game's hidden orders.

        Raises SettingError.
        """
        if orders is not None and not isinstance(orders, Mapping):
            raise SettingError(f"options must map names to hidden orders, not {shown(orders)}")
        entries, boxes = self.game_type.entries, self.box.record
        fresh = np.uint64(following_seed(self.seed)) if seed is None else game_seeds(check_seed(seed))[0]
        if orders:
            self.state[:] = self.game_type.deal(self.box, fresh, self._known(orders))
        else:
            entries.shuffle(boxes, self.state, 0, fresh)
        self.seed, self._actions = fresh, []
        self._dealt = copied(self.state)
        self.to_move = entries.lay_table(boxes, self.state, 0, self._legal)

    def play(self, action: object) -> int:
        """Play an id; returns the seat to move, NOBODY when the game is over. Raises IllegalMoveError."""
        return self.play_legal(self.check(action))

    def check(self, action: object) -> int:
        """The id of a legal move as a plain number; raises IllegalMoveError for anything else."""
        number = action if type(action) is int and 0 <= action < self._legal.size else self.known(action)
        if not self._legal[number]:
            raise IllegalMoveError(f"action {number} ({self.word(number)}) is not legal now: see the action mask")
        return number

    def known(self, action: object) -> int:
        """The id of a move of this table, legal or not, as a plain number; raises IllegalMoveError."""
        number, size = as_id(action), self._legal.size
        if number is None or not 0 <= number < size:
            expected = f"expected a whole number from 0 to {size - 1}"
            raise IllegalMoveError(f"action {shown(action)} is not a move on this table, {expected}")
        return number

    def word(self, number: int) -> str:
        """The word of an id."""
        return self.game_type.words(self.box.layout)[number]

    def play_legal(self, action: int) -> int:
        """The same as `play` for what `check` gave."""
        self._actions.append(action)
        self.to_move = self.game_type.entries.step(self.box.record, self.state, 0, action, self._legal)
        return self.to_move

    def is_legal(self, number: int) -> bool:
        """Whether a number is the id of a legal move."""
        return 0 <= number < self._legal.size and bool(self._legal[number])

    def view(self, chance: Chance = np.random.default_rng) -> View:
        """The view of the seat to move. Raises IllegalMoveError when the game is over."""
        return View(self.game_type, self.box, self.state, 0, self._legal, chance)

    @property
    def outcome(self) -> Outcome | None:
        """The end of the game, None while it is not over."""
        return self.game_type.outcome(self.box, self.state, 0)

    @property
    def game(self) -> Any:
        """The game so far, for people: a copy that knows its moves and its record."""
        return self.game_type.game.from_deal(self.box, self._dealt, self._actions)

    def _known(self, options: Mapping[str, Any]) -> Mapping[str, Any]:
        """The hidden orders among the options; wrappers and tests may pass others on."""
        orders = self.game_type.orders
        for name in sorted(set(options) - set(orders)):
            expected = ", ".join(orders) or "none"
            gymnasium.logger.warn(f"option {shown(name)} is not known, expected {expected}: it is ignored")
        return {name: options.get(name) for name in orders}


class SeesGame:
    """The base of environments of one game: its view, its afterstates, its pictures, and the game for people."""

    def _set_up(
        self, game_type: GameType, settings: Any, encoding: str, paid: RewardSettings, render_mode: str | None
    ) -> Any:
        """Everything that does not depend on who plays; the box. Raises SettingError."""
        box = game_type.box(settings)
        self.live = LiveGame(game_type, box)
        self.encoder = game_type.make_encoder(box, encoding)
        self.render_mode, self._renderer = render_mode, Renderer(game_type, render_mode)
        self._reward, self.forfeit = make_reward(paid.reward), forfeit_of(paid.reward)
        self._shaping = make_shaping(game_type, box, 1, paid.potential, paid.discount)
        self._guard = StepGuard()
        return box

    def render(self) -> Any:
        """The table as text (`ansi`), as pixels uint8 [height, width, 3] (`rgb_array`) or in a window (`human`).

        A learning seat sees what it may see, several seats what everybody knows.
        """
        self._guard.check_dealt()
        return self._renderer.render(self.live.box, self.live.state, getattr(self, "seat", None))

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def close(self) -> None:
        """Close the window, if there is one."""
        self._renderer.close()

    @cached_property
    def state_encoder(self) -> Any:
        """The encoder of the global state: `state_encoder.views(state)` names its pieces."""
        return self.live.game_type.state_encoder(self.live.box)

    @cached_property
    def state_space(self) -> spaces.Box:
        """The space of the global state."""
        return vector_space(self.state_encoder)

    def state(self, seat: int | None = None) -> np.ndarray:
        """Returns the global state [M]: for centralised critics in training, never for a policy.

        seat: of a seat, what it sees [N]. Raises ResetNeeded, SettingError.
        """
        self._guard.check_dealt()
        encoder = self.state_encoder if seat is None else self.encoder
        seat = 0 if seat is None else whole_number("seat", seat, 0, self.live.box.players - 1)
        state: np.ndarray = encoder.observation(self.live.box.record, self.live.state, 0, seat)
        return state

    def view(self, chance: Chance = np.random.default_rng) -> View:
        """The view of the seat to move, so that any agent of the roster can answer for it.

        Raises IllegalMoveError when the game is over.
        """
        self._guard.check_dealt()
        return self.live.view(chance)

    def afterstates(self, encoding: str | None = None) -> tuple[np.ndarray, np.ndarray]:
        """The afterstates of the seat to move, as `View.afterstates` gives them: ids int64 [L] and observations [L, N].

        encoding: another one than the environment's. Raises SettingError, and IllegalMoveError when the game is over.
        """
        return self.view().afterstates(encoding or self.encoder.encoding)

    def word(self, action: int) -> str:
        """Returns the move of an id in the words of the law; raises IllegalMoveError for no id."""
        return self.live.word(self.live.known(action))

    @property
    def game(self) -> Any:
        """The game so far, for people: a copy with its moves, record and drawings."""
        self._guard.check_dealt()
        return self.live.game


def as_id(action: object) -> int | None:
    """The whole number that could be the id of a move; None for truth values and all that is no number."""
    if isinstance(action, bool | np.bool_):
        return None
    try:
        return as_index(action)  # type: ignore[arg-type]
    except TypeError:
        return None
