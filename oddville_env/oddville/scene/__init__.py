"""OddVille as a page shows it: the table, its drawings, moves and events, by spots."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from oddville_env.core.game.scene import Scene, Speech, move_kinds
from oddville_env.oddville import describe, rules
from oddville_env.oddville.rules.actions import SPANS
from oddville_env.oddville.scene.drawings import draw
from oddville_env.oddville.scene.events import events
from oddville_env.oddville.scene.moves import FORMS, effects, move
from oddville_env.oddville.scene.table import facts, table

__all__ = ["scene"]


def _speech(position: Mapping[str, Any]) -> Speech:
    notice = " · ".join(filter(None, (describe.happened(position), describe.notice(position))))
    return Speech(describe.headline(position), describe.prompt(position), notice)


@cache
def scene() -> Scene:
    """The one scene of all games of OddVille."""
    return Scene(
        seat_names=describe.SEAT_NAMES,
        kinds=move_kinds(SPANS, FORMS),
        law=Path(rules.__file__).with_name("RULES.md"),
        speech=_speech,
        facts=facts,
        table=table,
        draw=draw,
        move=move,
        effects=effects,
        events=events,
    )
