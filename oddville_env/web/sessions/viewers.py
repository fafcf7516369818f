"""Who may see what of a game: a seat, everybody who plays no seat, or all of it."""

from typing import Any

import numpy as np

ALL = -2
"""Whoever looks may see everything: nobody plays."""
PUBLIC = -1
"""Whoever looks plays no seat."""


def is_private(game: Any) -> bool:
    """The seats see different things of this game."""
    views = [game.position(view=seat) for seat in range(game.players)]
    return any(view != views[0] for view in views)


def position_for(game: Any, viewer: int, private: bool) -> dict[str, Any]:
    """The position as a viewer sees it: a seat's, or PUBLIC, or ALL."""
    if viewer == ALL or not private:
        position: dict[str, Any] = game.position()
        return position
    return dict(game.position(view=viewer)) if viewer >= 0 else _public(game)


def _public(game: Any) -> dict[str, Any]:
    """What all see: of each seat what another one sees of it, and of the rest that on which two seats agree."""
    views = [game.position(view=seat) for seat in range(game.players)]
    common = {name: value if views[-1][name] == value else None for name, value in views[0].items()}
    common["seats"] = [views[seat - 1]["seats"][seat] for seat in range(game.players)]
    return common


def trial_game(game: Any, viewer: int) -> Any:
    """A game to try moves in, in which all that the viewer cannot know has been dealt anew."""
    seat = viewer if viewer >= 0 else game.to_move
    return game.sample_unseen(seat, np.random.default_rng())
