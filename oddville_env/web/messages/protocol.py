"""The protocol as JSON schemas, both ways: what browsers may say, and what they are told.

What comes in is checked by it, what goes out is held to it by tests; `page_types.py` prints the page's types from it.
"""

from collections.abc import Mapping
from typing import Any

from oddville_env.web.sessions.clock import LEAST_S, MOST_INCREMENT_S, MOST_S

MOST_MOVES = 1_000_000
LONGEST_WORD = 60  # characters
LONGEST_SPEC = 200
LONGEST_NAME = 20
LONGEST_LINE = 200
MOST_SEATS = 8
LONGEST_MESSAGE = 4096  # bytes
SLOWEST = 10  # seconds between two moves of agents

Schema = dict[str, Any]

WHOLE: Schema = {"type": "integer", "minimum": 0, "maximum": MOST_MOVES}
MOMENT: Schema = {**WHOLE, "type": ["integer", "null"]}
SEAT: Schema = {"type": "integer", "minimum": 0, "maximum": MOST_SEATS - 1}
AGENT: Schema = {"type": "string", "minLength": 1, "maxLength": LONGEST_SPEC}
WORD: Schema = {"type": "string", "minLength": 1, "maxLength": LONGEST_WORD}
SEATS: Schema = {"type": "array", "items": AGENT, "minItems": 1, "maxItems": MOST_SEATS}
NAME: Schema = {"type": ["string", "null"], "maxLength": LONGEST_NAME}


def object_of(required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None) -> Schema:
    """An object with these fields and no others."""
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }


def _message(kind: str, required: Mapping[str, Schema] | None = None, **optional: Schema) -> Schema:
    return object_of({"type": {"const": kind}, **(required or {})}, {"id": WHOLE, **optional})


MESSAGES: dict[str, Schema] = {
    "move": _message("move", {"word": WORD, "at": WHOLE}),
    "undo": _message("undo"),
    "agree": _message("agree", {"agrees": {"type": "boolean"}}),
    "uncover": _message("uncover", {"seat": SEAT}),
    "go": _message("go", {"move": MOMENT}),
    "seat": _message("seat", {"seat": SEAT, "agent": {**AGENT, "type": ["string", "null"]}}),
    "leave": _message("leave"),
    "name": _message("name", {"seat": SEAT, "name": {"type": "string", "maxLength": LONGEST_NAME}}),
    "chat": _message("chat", {"text": {"type": "string", "minLength": 1, "maxLength": LONGEST_LINE}}, name=NAME),
    "allow_chat": _message("allow_chat", {"allowed": {"type": "boolean"}}),
    "rematch": _message("rematch"),
    "pause": _message("pause", {"paused": {"type": "boolean"}}),
    "pace": _message("pace", {"seconds": {"type": "number", "minimum": 0, "maximum": SLOWEST}}),
    "step": _message("step"),
    "hint": _message("hint"),
    "analyse": _message("analyse", {"agent": AGENT}, move=MOMENT),
    "stop_analysis": _message("stop_analysis"),
    "chances": _message("chances", {"agent": AGENT}),
    "points": _message("points"),
    "play_on": _message("play_on", {"move": WHOLE, "seats": SEATS}),
    "ping": _message("ping"),
}
"""What is said over the WebSocket, by its type."""

TERMS = object_of(
    {
        "total": {"type": "integer", "minimum": LEAST_S, "maximum": MOST_S},
        "increment": {"type": "integer", "minimum": 0, "maximum": MOST_INCREMENT_S},
    }
)


def _listed(items: Schema) -> Schema:
    return {"type": "array", "items": items}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}


def _one_of(*words: str) -> Schema:
    return {"enum": list(words)}


def _by_name(values: Schema) -> Schema:
    """An object whose fields are named by data."""
    return {"type": "object", "additionalProperties": values}


ANYTHING: Schema = {}
TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "integer"}
REAL: Schema = {"type": "number"}
FLAG: Schema = {"type": "boolean"}
NO_NUMBER: Schema = {"type": ["integer", "null"]}
NO_TEXT: Schema = {"type": ["string", "null"]}
SHARES: Schema = _listed(REAL)

KEYS = object_of({"host": TEXT, "watch": TEXT, "seats": _listed(NO_TEXT)})
MADE = object_of({"id": TEXT, "game": TEXT, "keys": KEYS})
DRAWING = object_of({"box": SHARES, "svg": TEXT, "text": TEXT})
BUILDING_LOT = object_of({"building": TEXT, "lot": NUMBER})
STEP = object_of(
    {
        "text": TEXT,
        "depth": NUMBER,
        "kind": TEXT,
        "card": NO_NUMBER,
        "buildings": _listed(TEXT),
        "others": _listed(TEXT),
        "lots": _listed(NUMBER),
        "owns": _listed(_listed(TEXT)),
        "left": _listed(object_of({"building": TEXT, "lots": _listed(NUMBER)})),
    }
)
MOVE = object_of(
    {
        "word": TEXT,
        "path": _listed(TEXT),
        "parts": ANYTHING,
        "text": TEXT,
        "scores": _listed(NUMBER),
        "coins": _or_null(_listed(NUMBER)),
    },
    {
        "worth": NUMBER,
        "bonuses": _listed(TEXT),
        "favour": TEXT,
        "pays": _by_name(NUMBER),
        "slot": TEXT,
        "price": NUMBER,
        "drawing": TEXT,
        "then": _listed(object_of({"spot": TEXT, "word": TEXT})),
        "goes": _listed(BUILDING_LOT),
        "comes": _listed(BUILDING_LOT),
        "stands": _listed(BUILDING_LOT),
        "why": _listed(STEP),
    },
)
MOVES = object_of({"kind": TEXT, "rule": NO_TEXT, "moves": _listed(MOVE)})
EVENT = object_of(
    {"event": TEXT, "from": TEXT, "to": TEXT},
    {
        "drawing": TEXT,
        "seat": NUMBER,
        "number": NUMBER,
        "worker": NUMBER,
        "in_hand": FLAG,
        "card": NUMBER,
        "character": TEXT,
        "building": TEXT,
    },
)
SITTING = object_of(
    {
        "seat": NUMBER,
        "name": TEXT,
        "person": NO_TEXT,
        "kind": _one_of("human", "agent"),
        "agent": NO_TEXT,
        "wins": NUMBER,
        "mine": FLAG,
        "here": FLAG,
        "status": _one_of("waiting", "to_move", "thinking", "failed", "away", "left"),
        "since": REAL,
        "message": TEXT,
    }
)
POINTS = object_of({"points": NUMBER, "sources": _or_null(_listed(object_of({"source": TEXT, "points": NUMBER})))})
OUTCOME = object_of(
    {
        "scores": _listed(NUMBER),
        "ranks": _listed(NUMBER),
        "winners": _listed(NUMBER),
        "trigger": NO_NUMBER,
        "truncated": FLAG,
        "end": NO_TEXT,
    }
)
ENTRY = object_of(
    {
        "move": NUMBER,
        "seat": NUMBER,
        "word": TEXT,
        "text": TEXT,
        "scores": _listed(NUMBER),
        "events": _listed(EVENT),
    }
)
ASKED = object_of({"what": _one_of("undo"), "seats": _listed(NUMBER), "move": NUMBER, "waits": _listed(NUMBER)})
CLOCK = object_of(
    {
        "total": NUMBER,
        "increment": NUMBER,
        "left": _listed({"type": ["number", "null"]}),
        "runs": NO_NUMBER,
        "ended": _listed(NUMBER),
        "agent": TEXT,
    }
)
RIGHTS = (
    "move",
    "undo",
    "agree",
    "seat",
    "replace",
    "pause",
    "analyse",
    "chances",
    "hint",
    "record",
    "play_on",
    "chat",
    "rematch",
)
LINE = object_of({"seat": NO_NUMBER, "name": NO_TEXT, "text": TEXT, "when": REAL})
CANDIDATE = object_of(
    {
        "word": TEXT,
        "text": TEXT,
        "share": REAL,
        "visits": NO_NUMBER,
        "values": _or_null(SHARES),
        "line": _listed(TEXT),
        "played": FLAG,
    }
)
TURN = object_of({"move": NUMBER, "seat": NUMBER, "word": TEXT, "change": REAL, "better": NO_TEXT})


def _told(kind: str, fields: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None) -> Schema:
    return object_of({"type": {"const": kind}, **fields}, optional)


TOLD: dict[str, Schema] = {
    "hello": _told(
        "hello",
        {
            "protocol": NUMBER,
            "id": TEXT,
            "game": TEXT,
            "title": TEXT,
            "role": _one_of("host", "seat", "watch"),
            "mine": _listed(NUMBER),
            "players": NUMBER,
            "replay": FLAG,
            "settings": _by_name(ANYTHING),
            "help": FLAG,
            "links": _or_null(object_of({"watch": TEXT, "seats": _listed(NO_TEXT)})),
        },
    ),
    "state": _told(
        "state",
        {
            "reason": _one_of("enter", "move", "undo", "go", "seats"),
            "word": NO_TEXT,
            "by": NO_NUMBER,
            "played_next": NO_TEXT,
            "moves": NUMBER,
            "shown": NUMBER,
            "newest": FLAG,
            "view": NO_NUMBER,
            "over": FLAG,
            "to_move": NO_NUMBER,
            "position": ANYTHING,
            "table": ANYTHING,
            "score": _listed(POINTS),
            "outcome": _or_null(OUTCOME),
            "headline": TEXT,
            "prompt": TEXT,
            "notice": TEXT,
            "legal": _listed(MOVES),
            "events": _listed(EVENT),
            "seats": _listed(SITTING),
            "list": object_of({"from": NUMBER, "entries": _listed(ENTRY)}),
            "may": object_of(dict.fromkeys(RIGHTS, FLAG)),
            "covered": NO_NUMBER,
            "asks": _or_null(ASKED),
            "clock": _or_null(CLOCK),
            "practice": FLAG,
            "chat": FLAG,
            "rematch": _or_null(object_of({"id": TEXT, "key": TEXT})),
            "saved": FLAG,
            "paused": FLAG,
            "pace": REAL,
            "drawings": _by_name(DRAWING),
        },
        {"picture": NO_TEXT},
    ),
    "analysis": _told(
        "analysis",
        {
            "id": NO_NUMBER,
            "purpose": _one_of("analyse", "hint"),
            "agent": TEXT,
            "move": NUMBER,
            "seat": NUMBER,
            "final": FLAG,
            "iterations": NO_NUMBER,
            "seconds": REAL,
            "candidates": _listed(CANDIDATE),
            "heat": _by_name(object_of({"share": REAL, "value": _or_null(REAL)})),
        },
    ),
    "chances": _told(
        "chances",
        {
            "id": NO_NUMBER,
            "agent": TEXT,
            "from": NUMBER,
            "values": _listed(_or_null(SHARES)),
            "final": FLAG,
            "turns": _listed(TURN),
        },
    ),
    "points": _told("points", {"id": NO_NUMBER, "values": _listed(_listed(_listed(NUMBER)))}),
    "chat": _told("chat", {"lines": _listed(LINE)}),
    "made": _told("made", {"id": NO_NUMBER, "game": MADE}),
    "pong": _told("pong", {"id": NO_NUMBER}),
    "error": _told(
        "error", {"id": NO_NUMBER, "code": TEXT, "why": TEXT, "values": _by_name(ANYTHING), "message": TEXT}
    ),
}
"""What is told over the WebSocket, by its type. Tables and positions are each game's own."""

NAMED = {
    "Made": MADE,
    "Drawing": DRAWING,
    "Step": STEP,
    "Move": MOVE,
    "Moves": MOVES,
    "Event": EVENT,
    "Sitting": SITTING,
    "Points": POINTS,
    "Outcome": OUTCOME,
    "Entry": ENTRY,
    "Asked": ASKED,
    "Terms": TERMS,
    "Clock": CLOCK,
    "Line": LINE,
    "Candidate": CANDIDATE,
    "Turn": TURN,
    "Hello": TOLD["hello"],
    "State": TOLD["state"],
    "Analysis": TOLD["analysis"],
    "Chances": TOLD["chances"],
    "Problem": TOLD["error"],
}
"""Parts with a name of their own in the page's types."""
