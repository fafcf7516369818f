"""OddVille as a page shows it: the table, its drawings, moves and events, by spots."""

from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

from oddville_env.core.game.scene import MoveKind, Scene, Speech
from oddville_env.oddville import describe, rules
from oddville_env.oddville.rules.actions import SPANS, Kind
from oddville_env.oddville.scene.drawings import draw
from oddville_env.oddville.scene.events import events
from oddville_env.oddville.scene.moves import effects, move
from oddville_env.oddville.scene.table import facts, table

__all__ = ["scene"]


KIND_TEXTS = {
    Kind.SETUP: "the first worker",
    Kind.RECOVER: "take all worker cards back",
    Kind.COINS: "coins with a worker card",
    Kind.TAKE: "a resource with a worker card",
    Kind.BUY: "a building with a worker card",
    Kind.BUILD: "build",
    Kind.EXTRA: "a second resource (Seignior)",
    Kind.BONUS: "bonus: a worker to the resource",
    Kind.ANY: "bonus: any resource",
    Kind.DOUBLE: "bonus: a resource where you are",
    Kind.MOVE: "bonus: move a worker",
    Kind.FLIP: "turn a coin over (Cheater)",
    Kind.SWAP: "swap a building with the row (Bookkeeper)",
    Kind.SQUARE: "a worker to the square (Traveller)",
    Kind.DROP: "discard one of three buildings",
    Kind.RETURN: "take a worker back to supply",
    Kind.DONE: "done",
}


def _speech(position: Mapping[str, Any]) -> Speech:
    notice = " · ".join(filter(None, (describe.happened(position), describe.notice(position))))
    return Speech(describe.headline(position), describe.prompt(position), notice)


@cache
def scene() -> Scene:
    """The one scene of all games of OddVille."""
    return Scene(
        seat_names=describe.SEAT_NAMES,
        kinds=tuple(MoveKind(span.kind.word, span.rule, KIND_TEXTS[span.kind]) for span in SPANS),
        law=Path(rules.__file__).with_name("RULES.md"),
        speech=_speech,
        facts=facts,
        table=table,
        draw=draw,
        move=move,
        effects=effects,
        events=events,
    )
