"""The messages and requests of browsers as JSON schemas, and their check before anything looks at them."""

from collections.abc import Mapping
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from jsonschema.validators import extend

from oddville_env.core.disk.reading import parse_json
from oddville_env.core.errors import shown
from oddville_env.web.refusal import RefusalError
from oddville_env.web.sessions.clock import LEAST_S, MOST_INCREMENT_S, MOST_S

MOST_MOVES = 1_000_000
LONGEST_WORD = 60  # characters
LONGEST_SPEC = 200
LONGEST_NAME = 20
LONGEST_LINE = 200
MOST_SEATS = 8
LONGEST_MESSAGE = 4096  # bytes
BRANCHES = 120  # most moves of a search's tree in a message
MOST_MARKED = 64  # buildings and lots of a puzzle

Schema = dict[str, Any]

WHOLE: Schema = {"type": "integer", "minimum": 0, "maximum": MOST_MOVES}
MOMENT: Schema = {**WHOLE, "type": ["integer", "null"]}
SEAT: Schema = {"type": "integer", "minimum": 0, "maximum": MOST_SEATS - 1}
AGENT: Schema = {"type": "string", "minLength": 1, "maxLength": LONGEST_SPEC}
WORD: Schema = {"type": "string", "minLength": 1, "maxLength": LONGEST_WORD}
SEATS: Schema = {"type": "array", "items": AGENT, "minItems": 1, "maxItems": MOST_SEATS}
NAME: Schema = {"type": ["string", "null"], "maxLength": LONGEST_NAME}
FLAG: Schema = {"type": "boolean"}


def object_of(required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None) -> Schema:
    """An object with these fields and no others."""
    fields = {**required, **(optional or {})}
    return {"type": "object", "properties": fields, "required": list(required), "additionalProperties": False}


def _message(text: str, kind: str, required: Mapping[str, Schema] | None = None, **optional: Schema) -> Schema:
    schema = object_of({"type": {"const": kind}, **(required or {})}, {"id": WHOLE, **optional})
    return {**schema, "description": text}


_MESSAGES = [
    _message(
        "Plays a move, as move number `at`. Refused as `stale`, `illegal` or `not_your_turn`.",
        "move",
        {"word": WORD, "at": WHOLE},
    ),
    _message("Takes back to the key's last decision, once the other people agree.", "undo"),
    _message("Answers another player's `undo`. One no ends it.", "agree", {"agrees": FLAG}),
    _message("The seat's player is at this screen: shows its hand here.", "uncover", {"seat": SEAT}),
    _message("Shows the position after so many moves; null follows the game.", "go", {"move": MOMENT}),
    _message(
        "Gives a seat to an agent, or back to a person (null).",
        "seat",
        {"seat": SEAT, "agent": {**AGENT, "type": ["string", "null"]}},
    ),
    _message("Stands up. The seats wait for their player, or for an agent.", "leave"),
    _message(
        "Sets a player's name; empty removes it. Names that look alike are refused.",
        "name",
        {"seat": SEAT, "name": {"type": "string", "maxLength": LONGEST_NAME}},
    ),
    _message(
        "Writes a line. Spectators may add a name; all of them share one rate.",
        "chat",
        {"text": {"type": "string", "minLength": 1, "maxLength": LONGEST_LINE}},
        name=NAME,
    ),
    _message("Switches the chat on or off (host).", "allow_chat", {"allowed": FLAG}),
    _message("Begins a game of the same people, each one seat further.", "rematch"),
    _message("Lets agents wait (host, or a game without people).", "pause", {"paused": FLAG}),
    _message(
        "Sets the least time between two moves of agents (host).",
        "pace",
        {"seconds": {"type": "number", "minimum": 0, "maximum": 10}},
    ),
    _message("Makes one move of an agent while paused.", "step"),
    _message("Asks for a hint: an `analysis` of the game's hint agent.", "hint"),
    _message(
        "Asks an agent for an analysis; without `move`, of the shown position.",
        "analyse",
        {"agent": AGENT},
        move=MOMENT,
    ),
    _message("Ends the running analysis.", "stop_analysis"),
    _message("Asks for win chances after every move.", "chances", {"agent": AGENT}),
    _message(
        "Asks at which decisions of the game two agents choose different moves.",
        "compare",
        {"agents": {"type": "array", "items": AGENT, "minItems": 2, "maxItems": 2}},
    ),
    _message("Asks for all seats' points by source after every move.", "points"),
    _message(
        "Makes a new game that begins with these moves, then a line to be analysed; answered by `made`.",
        "play_on",
        {"move": WHOLE, "seats": SEATS},
        line={"type": "array", "items": WORD, "maxItems": 40},
    ),
    _message("Answered by `pong`.", "ping"),
]
MESSAGES = {schema["properties"]["type"]["const"]: schema for schema in _MESSAGES}
"""The messages over the WebSocket, by type."""

TERMS = object_of(
    {
        "total": {"type": "integer", "minimum": LEAST_S, "maximum": MOST_S},
        "increment": {"type": "integer", "minimum": 0, "maximum": MOST_INCREMENT_S},
    }
)

_GAME: Schema = {"type": "string", "minLength": 1, "maxLength": LONGEST_NAME}
NEW_GAMES: dict[str, Schema] = {
    "seats": object_of(
        {"game": _GAME, "seats": SEATS},
        {
            "settings": {"type": "object", "maxProperties": MOST_SEATS},
            "seed": {"type": "integer", "minimum": 0, "maximum": 2**53},
            "help": FLAG,
            "clock": TERMS,
            "names": {"type": "array", "items": NAME, "maxItems": MOST_SEATS},
        },
    ),
    "record": object_of({"game": _GAME, "record": WHOLE}),
    "upload": object_of({"game": _GAME, "upload": {"type": "object"}}),
}
"""Requests for a new game, by the field that says where it comes from."""

_MARKS: Schema = {
    "type": "object",
    "maxProperties": MOST_MARKED,
    "propertyNames": {"maxLength": LONGEST_WORD},
    "additionalProperties": {
        "type": "array",
        "items": {"type": "integer", "minimum": 1, "maximum": MOST_MARKED},
        "maxItems": MOST_MARKED,
    },
}
PUZZLES: dict[str, Schema] = {
    "check_marks": object_of({"game": _GAME, "marks": _MARKS}),
    "next_hint": object_of({"game": _GAME, "marks": _MARKS}, {"after": {**WHOLE, "minimum": -1}}),
}
"""Questions about a puzzle."""

_WHOLE_IS_WHOLE = Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int)
_Validator = extend(Draft202012Validator, type_checker=_WHOLE_IS_WHOLE)  # to JSON schema 1.0 is a whole number too
_VALIDATORS = {name: _Validator(schema) for name, schema in {**MESSAGES, **NEW_GAMES, **PUZZLES}.items()}


def parse_message(text: str) -> dict[str, Any]:
    """A message over the WebSocket, checked; raises RefusalError."""
    message = _object(text, "bad_message")
    kind = message.get("type")
    if not isinstance(kind, str) or kind not in MESSAGES:
        raise RefusalError("bad_message", f"field type: expected one of {', '.join(MESSAGES)}, not {shown(kind)}")
    return _checked(kind, message, "bad_message")


def parse_new_game(text: str | bytes) -> dict[str, Any]:
    """A request for a game, checked; raises RefusalError."""
    request = _object(text, "bad_request")
    kinds = [kind for kind in NEW_GAMES if kind in request]
    if len(kinds) != 1:
        raise RefusalError("bad_request", f"a game is made from one of {', '.join(NEW_GAMES)}")
    return _checked(kinds[0], request, "bad_request")


def parse_puzzle(kind: str, text: str | bytes) -> dict[str, Any]:
    """A question about a puzzle, one of PUZZLES, checked; raises RefusalError."""
    return _checked(kind, _object(text, "bad_request"), "bad_request")


def _object(text: str | bytes, code: str) -> dict[str, Any]:
    try:
        message = parse_json(text)
    except (ValueError, RecursionError):
        raise RefusalError(code, "this is not JSON") from None
    if not isinstance(message, dict):
        raise RefusalError(code, "expected a JSON object")
    return message


def _checked(kind: str, message: dict[str, Any], code: str) -> dict[str, Any]:
    error = best_match(_VALIDATORS[kind].iter_errors(message))
    if error is not None:
        where = "".join(f" {shown(step)}" for step in error.absolute_path)
        field = f"field{where}: " if where else ""
        raise RefusalError(code, f"{field}{_problem(error)}")
    return message


def _problem(error: Any) -> str:
    """What is wrong, without quoting more of the message than fits a sentence."""
    if error.validator == "additionalProperties":
        unknown = sorted(set(error.instance) - set(error.schema["properties"]))
        return f"unknown field {shown(unknown[0])}"
    if error.validator == "required":
        missing = [name for name in error.validator_value if name not in error.instance]
        return f"field {missing[0]} is missing"
    return f"expected {error.validator} {shown(error.validator_value)}, not {shown(error.instance)}"
