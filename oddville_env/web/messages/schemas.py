"""What browsers may say, as JSON schemas: every message is checked against one before anything looks at it."""

from collections.abc import Mapping
from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from jsonschema.validators import extend

from oddville_env.core.errors import shown
from oddville_env.core.files import parse_json
from oddville_env.web.refusal import RefusalError

MOST_MOVES = 1_000_000
LONGEST_WORD = 60  # characters
LONGEST_SPEC = 200
LONGEST_NAME = 20
MOST_SEATS = 8
MOST_MARKED = 64
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


def _fields(required: Mapping[str, Schema], optional: Mapping[str, Schema] | None = None) -> Schema:
    return {
        "type": "object",
        "properties": {**required, **(optional or {})},
        "required": list(required),
        "additionalProperties": False,
    }


def _message(kind: str, required: Mapping[str, Schema] | None = None, **optional: Schema) -> Schema:
    return _fields({"type": {"const": kind}, **(required or {})}, {"id": WHOLE, **optional})


MESSAGES: dict[str, Schema] = {
    "move": _message("move", {"word": WORD, "at": WHOLE}),
    "undo": _message("undo"),
    "agree": _message("agree", {"agrees": {"type": "boolean"}}),
    "uncover": _message("uncover", {"seat": SEAT}),
    "go": _message("go", {"move": MOMENT}),
    "seat": _message("seat", {"seat": SEAT, "agent": {**AGENT, "type": ["string", "null"]}}),
    "leave": _message("leave"),
    "pause": _message("pause", {"paused": {"type": "boolean"}}),
    "pace": _message("pace", {"seconds": {"type": "number", "minimum": 0, "maximum": SLOWEST}}),
    "step": _message("step"),
    "hint": _message("hint"),
    "analyse": _message("analyse", {"agent": AGENT}, move=MOMENT),
    "stop_analysis": _message("stop_analysis"),
    "chances": _message("chances", {"agent": AGENT}),
    "play_on": _message("play_on", {"move": WHOLE, "seats": SEATS}),
    "ping": _message("ping"),
}
"""What is said over the WebSocket, by its type."""

_GAME: Schema = {"type": "string", "minLength": 1, "maxLength": LONGEST_NAME}
NEW_GAMES: dict[str, Schema] = {
    "seats": _fields(
        {"game": _GAME, "seats": SEATS},
        {
            "settings": {"type": "object", "maxProperties": MOST_SEATS},
            "seed": {"type": "integer", "minimum": 0, "maximum": 2**53},
            "help": {"type": "boolean"},
            "names": {"type": "array", "items": NAME, "maxItems": MOST_SEATS},
        },
    ),
    "record": _fields({"game": _GAME, "record": WHOLE}),
    "upload": _fields({"game": _GAME, "upload": {"type": "object"}}),
}
"""How a game is made, by the field that says where it comes from."""

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
    "check_marks": _fields({"game": _GAME, "marks": _MARKS}),
    "next_hint": _fields({"game": _GAME, "marks": _MARKS}, {"after": {**WHOLE, "minimum": -1}}),
}
"""What may be asked of a puzzle."""

_SCHEMAS = {**MESSAGES, **NEW_GAMES, **PUZZLES}
_WHOLE_IS_WHOLE = Draft202012Validator.TYPE_CHECKER.redefine("integer", lambda _, value: type(value) is int)
_Validator = extend(Draft202012Validator, type_checker=_WHOLE_IS_WHOLE)  # to JSON schema 1.0 is a whole number too
_VALIDATORS = {name: _Validator(schema) for name, schema in _SCHEMAS.items()}


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
