"""What may be asked by a request, as JSON schemas: for a new game, and about a puzzle."""

from oddville_env.web.messages.protocol import (
    LONGEST_NAME,
    LONGEST_WORD,
    MOST_SEATS,
    NAME,
    SEATS,
    TERMS,
    WHOLE,
    Schema,
    object_of,
)

MOST_MARKED = 64

_GAME: Schema = {"type": "string", "minLength": 1, "maxLength": LONGEST_NAME}
NEW_GAMES: dict[str, Schema] = {
    "seats": object_of(
        {"game": _GAME, "seats": SEATS},
        {
            "settings": {"type": "object", "maxProperties": MOST_SEATS},
            "seed": {"type": "integer", "minimum": 0, "maximum": 2**53},
            "help": {"type": "boolean"},
            "clock": TERMS,
            "names": {"type": "array", "items": NAME, "maxItems": MOST_SEATS},
        },
    ),
    "record": object_of({"game": _GAME, "record": WHOLE}),
    "upload": object_of({"game": _GAME, "upload": {"type": "object"}}),
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
    "check_marks": object_of({"game": _GAME, "marks": _MARKS}),
    "next_hint": object_of({"game": _GAME, "marks": _MARKS}, {"after": {**WHOLE, "minimum": -1}}),
}
"""What may be asked of a puzzle."""
