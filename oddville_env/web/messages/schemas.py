"""What browsers say is checked against the protocol before anything looks at it."""

from typing import Any

from jsonschema import Draft202012Validator
from jsonschema.exceptions import best_match
from jsonschema.validators import extend

from oddville_env.core.disk.reading import parse_json
from oddville_env.core.errors import shown
from oddville_env.web.messages.protocol import MESSAGES, NEW_GAMES, PUZZLES
from oddville_env.web.refusal import RefusalError

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
