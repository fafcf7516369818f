"""Old Town as a page shows it: the town, its drawings, moves and events, by spots."""

from collections.abc import Mapping
from typing import Any

from oddville_env.core.game.scene import Scene, Speech, move_kinds
from oddville_env.oldtown import describe
from oddville_env.oldtown.rules.actions import SPANS
from oddville_env.oldtown.scene.drawings import draw
from oddville_env.oldtown.scene.moves import FORMS, effects, events, move
from oddville_env.oldtown.scene.puzzles import PUZZLES
from oddville_env.oldtown.scene.table import facts, table


def _speech(position: Mapping[str, Any]) -> Speech:
    return Speech(describe.headline(position), describe.prompt(position))


SCENE = Scene(move_kinds(SPANS, FORMS), _speech, facts, table, draw, move, effects, events, PUZZLES)
"""The one scene of all games of Old Town."""
