"""OddVille as a page shows it: the table, its drawings, moves and events, by spots."""

from collections.abc import Mapping
from typing import Any

from oddville_env.core.game.scene import Scene, Speech, move_kinds
from oddville_env.oddville import describe
from oddville_env.oddville.rules.actions import SPANS
from oddville_env.oddville.scene.drawings import draw
from oddville_env.oddville.scene.moves import FORMS, effects, events, move
from oddville_env.oddville.scene.table import facts, table


def _speech(position: Mapping[str, Any]) -> Speech:
    notice = " · ".join(filter(None, (describe.happened(position), describe.notice(position))))
    return Speech(describe.headline(position), describe.prompt(position), notice)


SCENE = Scene(move_kinds(SPANS, FORMS), _speech, facts, table, draw, move, effects, events)
"""The one scene of all games of OddVille."""
