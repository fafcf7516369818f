"""Old Town as a page shows it: the town, its drawings, moves and events, by spots."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from oddville_env.core.game.scene import Scene, Speech, move_kinds
from oddville_env.core.svg.palette import SEAT_NAMES
from oddville_env.oldtown import describe, rules
from oddville_env.oldtown.rules.actions import SPANS
from oddville_env.oldtown.scene.drawings import draw
from oddville_env.oldtown.scene.moves import FORMS, effects, events, move
from oddville_env.oldtown.scene.puzzles import puzzles
from oddville_env.oldtown.scene.table import facts, table

__all__ = ["scene"]


def _speech(position: Mapping[str, Any]) -> Speech:
    return Speech(describe.headline(position), describe.prompt(position), "")


@cache
def scene() -> Scene:
    """The one scene of all games of Old Town."""
    return Scene(
        seat_names=SEAT_NAMES,
        kinds=move_kinds(SPANS, FORMS),
        law=Path(rules.__file__).with_name("OLDTOWN.md"),
        speech=_speech,
        facts=facts,
        table=table,
        draw=draw,
        move=move,
        effects=effects,
        events=events,
        puzzles=puzzles(),
    )
