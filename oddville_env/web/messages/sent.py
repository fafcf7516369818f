"""The messages of the server as JSON schemas, by which tests check them and the page's types are printed."""

from collections.abc import Mapping

from oddville_env.web.messages.protocol import FLAG, TERMS, Schema, object_of


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


def _sent(kind: str, fields: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None) -> Schema:
    return object_of({"type": {"const": kind}, **fields}, optional)


SENT: dict[str, Schema] = {
    "hello": _sent(
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
    "state": _sent(
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
    "analysis": _sent(
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
    "chances": _sent(
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
    "points": _sent("points", {"id": NO_NUMBER, "values": _listed(_listed(_listed(NUMBER)))}),
    "chat": _sent("chat", {"lines": _listed(LINE)}),
    "made": _sent("made", {"id": NO_NUMBER, "game": MADE}),
    "pong": _sent("pong", {"id": NO_NUMBER}),
    "error": _sent(
        "error", {"id": NO_NUMBER, "code": TEXT, "why": TEXT, "values": _by_name(ANYTHING), "message": TEXT}
    ),
}
"""The messages over the WebSocket, by type. Tables and positions are each game's own."""

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
    "Hello": SENT["hello"],
    "State": SENT["state"],
    "Analysis": SENT["analysis"],
    "Chances": SENT["chances"],
    "Problem": SENT["error"],
}
"""Parts that have a name in the page's types."""

TEXTS = {
    "hello": {
        "": "The first message after entering.",
        "mine": "the seats that this key plays",
        "links": "the host's keys to give away; null where a seat is an agent's, or somebody has come with it",
    },
    "state": {
        "": "The whole table, after every change of anything.",
        "reason": "what changed; `seats`: only seats, pause or pace",
        "word": "the move that led to the shown position",
        "by": "the seat that played it",
        "played_next": "the next move of a replay",
        "moves": "the number of moves played",
        "shown": "the number of moves after which the shown position is",
        "newest": "shown == moves",
        "view": "the seat whose view this is; null: what everybody may see",
        "position": "the law's position format, as the view may see it",
        "table": "what stands where, by spots and drawings; null for a game without a scene",
        "picture": "the whole table as an SVG, where `table` is null",
        "legal": "by kind in the law's order; empty unless this key is to move, or in replays",
        "events": "what the move moved; only for `move`, and for `go` one step forward",
        "list": "`entries` replace the list of moves from place `from` on",
        "covered": "the seat whose hand waits here for its player",
        "asks": "a player's wish to take back",
        "practice": "a player has seen more than a player may",
        "chat": "the host has not switched the chat off",
        "rematch": "the next game of the same people, and this browser's key to it",
        "saved": "false where the disk refused the game; it is tried again",
        "drawings": "those that this connection has not been sent before",
    },
    "analysis": {
        "": "An agent's analysis, in one or more messages; `final` is the last one.",
        "heat": "by spot: the shares of all candidates that touch it, and the seat's best value there",
    },
    "chances": {
        "": "Win chances in parts, until `final`.",
        "values": "every seat's chance after `from + k` moves; null: unknown",
        "turns": "in the final part: the moves that cost their seat most; drawn cards are left out",
    },
    "points": {"": "Answers `points`.", "values": "(moves, seats, sources), in the order of the game's `sources`"},
    "chat": {"": "New lines of the chat. The last 100 lines are kept with the game."},
    "made": {"": "Answers `play_on`."},
    "pong": {"": "Answers `ping`."},
    "error": {
        "": "A refusal of message `id`, or a warning (null).",
        "why": "which sentence it is, for other languages",
        "values": "the values in the sentence",
        "message": "the sentence in English",
    },
    "Move": {
        "": "A legal move, with its effects where all that is unknown is dealt anew.",
        "path": "the spots to touch, in order; empty: a button",
        "scores": "the change for every seat, as `coins`",
        "worth": "the building's own value there",
        "bonuses": "what it grants, in any order",
        "favour": "the guild whose top character comes",
        "slot": "where the worker goes",
        "drawing": "what is laid or gained",
        "then": "words that may follow at once, each by one spot more",
        "goes": "tokens taken away; `comes`: tokens put, `stands`: buildings fixed",
        "why": "the steps by which a person would see it",
    },
    "Sitting": {
        "": "A seat and its player.",
        "person": "the person's name; plain text",
        "since": "seconds in this status",
        "wins": "games won, of those that the same people played in a row",
        "message": "why the agent failed",
    },
    "Clock": {
        "": "The clock at the time of the message.",
        "left": "seconds by seat; null for agents",
        "runs": "the seat whose time runs",
        "ended": "the seats whose time is over",
        "agent": "the agent that plays on for them",
    },
    "Candidate": {"": "A move that an agent considers.", "values": "every seat's win chance after it"},
    "Turn": {
        "": "A move that cost its seat win chances.",
        "better": "the agent's own choice; null: the same move",
    },
    "Drawing": {"": "The inside of an SVG with this view box.", "text": "for tooltips and screen readers, in English"},
    "Entry": {
        "": "A line of the list of moves.",
        "scores": "after the move",
        "events": "what it moved, without drawings",
    },
    "Line": {"": "A line of the chat; `seat` is null for spectators.", "when": "seconds since 1970"},
    "Asked": {"": "A wish to go back to the position after `move` moves.", "waits": "the seats that have not agreed"},
    "Event": {"": "One thing that moves between two spots."},
}
"""What messages, parts (\"\") and fields mean, where their names do not say it."""
