"""Arguments of environment classes: how they pay, who plays the other seats, their signatures and docstrings."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from inspect import Parameter, cleandoc, signature
from typing import Any, TypedDict, TypeVar, cast

import numpy as np

from oddville_env.core.checked import whole_number
from oddville_env.core.errors import SettingError
from oddville_env.core.game.game_type import GameType
from oddville_env.core.parts.chance import seating_draw
from oddville_env.core.system.extras import find_agents
from oddville_env.envs.potentials import Potential
from oddville_env.envs.rewards import Reward

Made = TypeVar("Made", bound=type)
Played = TypeVar("Played")


class RewardKeywords(TypedDict, total=False):
    """`RewardSettings` as keywords."""

    reward: str | Reward
    potential: str | Potential | None
    discount: float


@dataclass(frozen=True)
class RewardSettings:
    """How an environment pays.

    Args:
        reward: `outcome`, `rank`, `margin` or a function of (scores, ranks), paid at the end.
        potential: `margin`, `win_chance`, in OddVille `expected_margin`, or a function of `Positions`, paid as it
            changes; None for none.
        discount: The learner's discount, by which a potential is paid.
    """

    reward: str | Reward = "outcome"
    potential: str | Potential | None = None
    discount: float = 1.0


def settings_and_rewards(
    make: Callable[..., Played], players: int, given: Mapping[str, object]
) -> tuple[Played, RewardKeywords]:
    """The settings of a game, and the keywords that say how its environment pays. Raises SettingError."""
    paid = {name: value for name, value in given.items() if name in RewardKeywords.__annotations__}
    others: dict[str, Any] = {name: value for name, value in given.items() if name not in paid}
    return make(players, **others), cast(RewardKeywords, paid)


SEEDS = 2**31

Opponent = Any
"""An agent's spec, a function of (observation, mask), or an Agent."""
Opponents = Any
"""One Opponent for all seats, or a sequence of them."""


class OtherSeats:
    """The players of all seats but the learning one: `Player`s, or `BatchPlayer`s for so many tables.

    The learning seat is `seat`, or drawn by the seed of each game if None. Raises SettingError and AgentError.
    """

    def __init__(
        self, game_type: GameType, opponents: Opponents, players: int, seat: int | None, tables: int | None = None
    ) -> None:
        self._seat = None if seat is None else whole_number("seat", seat, 0, players - 1)
        self._seats, number = players, players - 1
        several = isinstance(opponents, Sequence) and not isinstance(opponents, str)
        specs: list[Opponent] = list(opponents) if several else [opponents] * number
        if len(specs) != number:
            raise SettingError(f"opponents must be one agent or {number}, one for each other seat, not {len(specs)}")
        home, copy_of = find_agents(), find_agents("player").copy_of
        agents = [home.make_agent(spec, game_type.name) for spec in specs]
        own = [copy_of(agent) if agent in agents[:index] else agent for index, agent in enumerate(agents)]
        self.players = [home.Player(agent) if tables is None else home.BatchPlayer(agent, tables) for agent in own]

    def sit_down(self, seed: np.uint64) -> tuple[int, list[tuple[Any, int, int]]]:
        """The learning seat of a game; then each player clockwise, its seat, and the seed of its own chance."""
        seat = int(seating_draw(seed, 0, self._seats)) if self._seat is None else self._seat
        return seat, [
            (player, (seat + distance) % self._seats, int(seating_draw(seed, distance, SEEDS)))
            for distance, player in enumerate(self.players, 1)
        ]


def documented(*settings: type) -> Callable[[Made], Made]:
    """Returns a decorator that writes out a class's last argument, `**given`, in its signature and docstring.

    settings: the dataclasses whose fields it takes. Type checkers read the same from `Unpack[Keywords]`.
    """

    def decorate(made: Made) -> Made:
        init: Any = vars(made).get("__init__")
        before, _, rest = cleandoc(made.__doc__ or "").partition("Args:\n")
        if init:
            known = signature(init)
            *own, _ = known.parameters.values()
            taken = [
                Parameter(each.name, Parameter.KEYWORD_ONLY, default=each.default, annotation=each.type)
                for each in (field for dataclass in settings for field in fields(dataclass))
                if each.name not in known.parameters
            ]
            init.__signature__ = known.replace(parameters=[*own, *taken])
        texts = dict(pair for each in (*settings, *made.__mro__[1::-1]) for pair in _arguments(each))
        lines = [f"    {name}: {texts[name]}" for name in signature(made).parameters if name in texts]
        after = rest.partition("\n\n")[2]
        made.__doc__ = "\n".join([before.rstrip(), "", "Args:", *lines, *(["", after] if after else [])])
        return made

    return decorate


def _arguments(documented: type) -> Iterator[tuple[str, str]]:
    """The names and texts in the `Args` of a class's docstring."""
    _, _, part = cleandoc(documented.__doc__ or "").partition("Args:\n")
    for line in part.partition("\n\n")[0].replace("\n        ", " ").splitlines():
        name, _, text = line.strip().partition(": ")
        yield name, text
