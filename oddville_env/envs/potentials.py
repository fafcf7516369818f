"""Dense rewards: a potential of the position, paid as a difference (Ng, Harada and Russell 1999).

    paid to a seat at each of its decisions after the first = discount * potential(now) - potential(its last decision)
    paid at the end, beside the reward                      = -potential(its last decision)

With the learner's discount the sum over a game is -potential(first decision), which no move changes: the best policy
stays the best. A named potential is compiled. A function of your own is called at every step with a copy of all games,
which is slow.
"""

from collections.abc import Callable
from functools import cache, cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from oddville_env.core.checked import check, number
from oddville_env.core.compiled.arrays import copied
from oddville_env.core.compiled.jit import kernel
from oddville_env.core.errors import SettingError, shown
from oddville_env.core.game.game_type import GameType
from oddville_env.core.system.extras import find_agents
from oddville_env.envs.rewards import finite, margin_of


class Positions:
    """Games in the middle, for potentials: `games` are B records of `box`, P of its `players` sit at each.

    Potentials see the true state; what they return reaches learners as rewards only.
    """

    def __init__(self, game_type: GameType, box: Any, games: np.ndarray) -> None:
        self.game_type, self.box, self.games = game_type, box, games

    @cached_property
    def scores(self) -> np.ndarray:
        """The scores by seat as if the games ended now, int16 [B, P]."""
        scores, ranks = (np.zeros((len(self.games), self.box.players), np.int16) for _ in range(2))
        self.game_type.loops.rank_now(self.box.record, self.games, np.arange(len(self.games)), scores, ranks)
        return scores

    def position(self, index: int, seat: int | None = None) -> dict[str, Any]:
        """One of the games in plain lists and words, as a seat sees it, or as everybody does."""
        return self.game_type.position(self.box, self.games, index, seat)


Potential = Callable[[Positions], ArrayLike]
"""Positions of B games -> numbers [B, P] by seat."""


def margin(positions: Positions) -> np.ndarray:
    """A seat's score now less the mean of the others', in points; alone, its score."""
    return margin_of(positions.scores)


POTENTIALS: dict[str, Potential] = {"margin": margin}
"""Of every game; those of a game's agents (`oddville_agents.<game>.potentials`) have names beside them."""


def named_potentials(game_type: GameType) -> dict[str, Potential]:
    """The potentials of a game that have names."""
    try:
        learned: dict[str, Potential] = find_agents(f"{game_type.name}.potentials").POTENTIALS
    except ModuleNotFoundError as error:
        if not (error.name or "").startswith("oddville_agents"):
            raise
        learned = {}  # a game whose agents have none
    return POTENTIALS | learned


class Shaping:
    """What a potential pays in a batch of games, by seat.

    scores: the running scores, int16 [B, P], of the last call of `begin` or `pay`.
    """

    def __init__(
        self, game_type: GameType, box: Any, size: int, potential: str | Potential, discount: float = 1.0
    ) -> None:
        """Raises SettingError."""
        self._own = callable(potential)
        self._potential: Potential = potential if callable(potential) else _named(game_type, potential)
        self._game_type, self._box, self._discount = game_type, box, discount
        self._all = np.arange(size)
        self._last = np.full((size, box.players), np.nan)  # the potential at a seat's last decision; nan before it

    def begin(self, games: np.ndarray, seats: np.ndarray) -> None:
        """All games [B] begin, with decisions of these seats [B]."""
        self._last[:] = np.nan
        self.pay(games, seats)

    def pay(self, games: np.ndarray, seats: np.ndarray) -> np.ndarray:
        """What seats [B] that decide now get for the games [B]: float64 [B], 0 at their first decisions."""
        positions = Positions(self._game_type, self._box, games)
        now = self._values(positions)[self._all, seats]
        self.scores = positions.scores
        paid: np.ndarray = np.nan_to_num(self._discount * now - self._last[self._all, seats])
        self._last[self._all, seats] = now
        return paid

    def end(self, tables: np.ndarray) -> np.ndarray:
        """What all seats get at the end of the games at these tables [T]: float64 [T, P]."""
        paid: np.ndarray = -np.nan_to_num(self._last[tables])
        self._last[tables] = np.nan
        return paid

    def _values(self, positions: Positions) -> np.ndarray:
        if not self._own:
            return np.asarray(self._potential(positions))
        box, games = self._box.for_agents(), copied(positions.games)
        found = self._potential(Positions(self._game_type, box, games))
        return finite("potential", self._potential, found, self._last.shape)


def _named(game_type: GameType, name: object) -> Potential:
    """The potential of a name. Raises SettingError."""
    known = POTENTIALS if isinstance(name, str) and name in POTENTIALS else named_potentials(game_type)
    if not isinstance(name, str) or name not in known:
        expected = f"one of {', '.join(known)}, a function or None"
        raise SettingError(f"potential must be {expected}, not {shown(name)}")
    return known[name]


@cache
def by_seat(write: Callable[..., Any]) -> Callable[[Positions, np.ndarray], np.ndarray]:
    """Returns a function of positions and a record [1]: what the kernel write(box, game, record, out [P]) writes.

    Its result is float64 [B, P].
    """

    @kernel
    def write_all(boxes: np.ndarray, games: np.ndarray, records: np.ndarray, out: np.ndarray) -> None:
        """The same for all games: out [B, P]."""
        for index in range(games.size):
            write(boxes[0], games[index], records[0], out[index])

    def of_positions(positions: Positions, record: np.ndarray) -> np.ndarray:
        out = np.zeros((len(positions.games), positions.box.players))
        write_all(positions.box.record, positions.games, record, out)
        return out

    return of_positions


def make_shaping(
    game_type: GameType, box: Any, size: int, potential: str | Potential | None, discount: float
) -> Shaping | None:
    """What a potential pays in a batch of games, None without one. Raises SettingError."""
    check({"discount": discount}, {"discount": number(0, 1)}, SettingError)
    return None if potential is None else Shaping(game_type, box, size, potential, discount)
