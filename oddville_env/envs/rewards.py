"""What the seats are paid at the end of a game; before it every reward is 0."""

from collections.abc import Callable, Sequence

from oddville_env.core.errors import SettingError

Reward = Callable[[Sequence[int], Sequence[int]], list[float]]
"""(scores, ranks) by seat -> rewards by seat."""


def outcome(scores: Sequence[int], ranks: Sequence[int]) -> list[float]:
    """The winner gets +1, the others share -1."""
    return [1.0 if rank == 1 else -1.0 / (len(ranks) - 1) for rank in ranks]


def rank(scores: Sequence[int], ranks: Sequence[int]) -> list[float]:
    """From +1 for the first to -1 for the last, in equal steps."""
    return [1.0 - 2.0 * (place - 1) / (len(ranks) - 1) for place in ranks]


def margin(scores: Sequence[int], ranks: Sequence[int]) -> list[float]:
    """A seat's score less the mean of the others', in points."""
    total, others = sum(scores), len(scores) - 1
    return [score - (total - score) / others for score in scores]


FORFEITS = {"outcome": -1.0, "rank": -1.0, "margin": -1000.0}
"""What a seat gets that loses by an illegal action: no more than any game brings."""
REWARDS: dict[str, Reward] = {"outcome": outcome, "rank": rank, "margin": margin}


def make_reward(name: str) -> Reward:
    """The reward of a name; raises SettingError."""
    if not isinstance(name, str) or name not in REWARDS:
        raise SettingError(f"reward must be one of {', '.join(REWARDS)}, not {name!r}")
    return REWARDS[name]
