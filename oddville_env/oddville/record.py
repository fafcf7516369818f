"""The record of a game: everything random and every word, as RULES.md's record format has it."""

from collections.abc import Mapping
from typing import Any

from oddville_env.core.errors import RecordError, shown
from oddville_env.core.files import parse_json

FORMAT = "oddville-record"
VERSION = 1
FIELDS = {
    "format": str, "version": int, "players": int, "table": list, "max_rounds": int, "first": int, "deck": list,
    "piles": dict, "reshuffles": list, "moves": list, "scores": list, "ranks": list, "trigger": int, "truncated": bool,
}  # fmt: skip
RESULTS = ("scores", "ranks", "trigger")
"""Null in the record of a game that is not over; the trigger also where there is none."""
KINDS = {str: "a text", int: "a whole number", list: "a list", dict: "an object", bool: "true or false"}


def parse_line(line: str) -> Mapping[str, Any]:
    """The record in a line of JSON; raises RecordError."""
    try:
        record = parse_json(line)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"this is not JSON ({error}): the record may have been cut off") from None
    return check(record)


def check(record: object) -> Mapping[str, Any]:
    """The record itself, with every field of the kind that it should be; raises RecordError."""
    if not isinstance(record, Mapping):
        raise RecordError(f"a record is a JSON object, not {_kind(record)}")
    if record.get("format") != FORMAT:
        raise RecordError(f"field format: expected {FORMAT!r}, not {shown(record.get('format'))}")
    if record.get("version") != VERSION:
        raise RecordError(f"field version: this is version {shown(record.get('version'))}, expected {VERSION}")
    for name, kind in FIELDS.items():
        if name not in record:
            raise RecordError(f"field {name} is missing")
        value = record[name]
        fits = isinstance(value, kind) and (kind is bool or not isinstance(value, bool))
        if not fits and not (value is None and name in RESULTS):
            raise RecordError(f"field {name}: expected {KINDS[kind]}, not {_kind(value)}")
    for name in ("scores", "ranks"):
        for number in record[name] or ():
            if type(number) is not int:
                raise RecordError(f"field {name}: expected whole numbers, not {shown(number)}")
    for number, word in enumerate(record["moves"], 1):
        if not isinstance(word, str):
            raise RecordError(f"field moves: move {number} is not a text but {_kind(word)}")
    return record


def _kind(value: object) -> str:
    return next((text for kind, text in KINDS.items() if type(value) is kind), shown(value))
