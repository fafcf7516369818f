"""Rewards at the end of a game; before it every reward is 0.

Equal seats get equal rewards. A single player gets 1, or its score for `margin`.
"""

from collections.abc import Callable, Sequence

from oddville_env.core.errors import SettingError, shown
from oddville_env.core.game.game_type import Outcome

Reward = Callable[[Sequence[int], Sequence[int]], list[float]]
"""(scores, ranks) by seat -> rewards by seat."""


def outcome(scores: Sequence[int], ranks: Sequence[int]) -> list[float]:
    """The winner gets +1, the others share -1; seats that win together share what one of them would get."""
    others = len(ranks) - 1
    if not others:
        return [1.0]
    ended = Outcome(tuple(scores), tuple(ranks))
    return [(ended.win_share(seat) * len(ranks) - 1.0) / others for seat in range(len(ranks))]


def rank(scores: Sequence[int], ranks: Sequence[int]) -> list[float]:
    """From +1 for the first to -1 for the last, in equal steps; equal seats get the mean of their places."""
    others = len(ranks) - 1
    if not others:
        return [1.0]
    places = [place + (ranks.count(place) - 1) / 2 for place in ranks]
    return [1.0 - 2.0 * (place - 1) / others for place in places]


def margin(scores: Sequence[int], ranks: Sequence[int]) -> list[float]:
    """A seat's score less the mean of the others', in points; alone, its score."""
    total, others = sum(scores), len(scores) - 1
    return [score - (total - score) / others if others else float(score) for score in scores]


FORFEITS = {"outcome": -1.0, "rank": -1.0, "margin": -1000.0}
"""The reward of a seat that loses by an illegal action: no more than any game brings."""
REWARDS: dict[str, Reward] = {"outcome": outcome, "rank": rank, "margin": margin}


def make_reward(name: str) -> Reward:
    """The reward of a name; raises SettingError."""
    if not isinstance(name, str) or name not in REWARDS:
        raise SettingError(f"reward must be one of {', '.join(REWARDS)}, not {shown(name)}")
    return REWARDS[name]
