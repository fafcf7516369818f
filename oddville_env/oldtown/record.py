"""The record of a game: all chance and every word, as OLDTOWN.md's record format has it."""

import json
from collections.abc import Mapping
from typing import Any

from oddville_env.core.errors import RecordError

FORMAT = "oldtown-record"
VERSION = 1
FIELDS = {
    "format": str, "version": int, "players": int, "first": int, "lone_confirm": bool, "hands": list, "common": list,
    "own": list, "moves": list, "scores": list, "ranks": list, "end": str,
}  # fmt: skip
RESULTS = ("scores", "ranks", "end")
"""Null in the record of a game that is not over."""
KINDS = {str: "a text", int: "a whole number", list: "a list", dict: "an object", bool: "true or false"}


def parse_line(line: str) -> Mapping[str, Any]:
    """The record in a line of JSON; raises RecordError."""
    try:
        record = json.loads(line)
    except (ValueError, RecursionError) as error:
        raise RecordError(f"this is not JSON ({error}): the record may have been cut off") from None
    return check(record)


def check(record: object) -> Mapping[str, Any]:
    """The record itself, with every field of the kind that it should be; raises RecordError."""
    if not isinstance(record, Mapping):
        raise RecordError(f"a record is a JSON object, not {_kind(record)}")
    if record.get("format") != FORMAT:
        raise RecordError(f"field format: expected {FORMAT!r}, not {record.get('format')!r}")
    if record.get("version") != VERSION:
        raise RecordError(f"field version: this is version {record.get('version')!r}, expected {VERSION}")
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
                raise RecordError(f"field {name}: expected whole numbers, not {number!r}")
    for number, word in enumerate(record["moves"], 1):
        if not isinstance(word, str):
            raise RecordError(f"field moves: move {number} is not a text but {_kind(word)}")
    return record


def _kind(value: object) -> str:
    return next((text for kind, text in KINDS.items() if type(value) is kind), f"{value!r}"[:40])
