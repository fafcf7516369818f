"""The page's types, printed from the protocol: `python -m oddville_env.web.messages.page_types` writes them."""

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from oddville_env.web.messages.protocol import MESSAGES, NAMED, TOLD, Schema
from oddville_env.web.messages.requests import NEW_GAMES

FILE = Path(__file__).parents[1] / "protocol.d.ts"
HEAD = "// Printed by `python -m oddville_env.web.messages.page_types`: what page and server say to each other.\n\n"
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def printed() -> str:
    """All types of the protocol, in a namespace of their own."""
    types = [f"type {name} = {_fields(schema, 2)};" for name, schema in NAMED.items()]
    types.append(f"type Told = {_union(_type(schema, 2) for schema in TOLD.values())};")
    types.append(f"type Said = {_union(_type(schema, 2) for schema in MESSAGES.values())};")
    types.append(f"type NewGame = {_union(_type(schema, 2) for schema in NEW_GAMES.values())};")
    body = "".join(f"  {each}\n" for each in types)
    return f"{HEAD}declare namespace Protocol {{\n{body}}}\n"


def _type(schema: Schema, depth: int) -> str:
    """A schema as a type; `depth` is that of the line on which it begins."""
    for name, known in NAMED.items():
        if known is schema:
            return name
    if "anyOf" in schema:
        return _union(_type(each, depth) for each in schema["anyOf"])
    if "const" in schema or "enum" in schema:
        return _union(json.dumps(word) for word in schema.get("enum", [schema.get("const")]))
    kinds = schema.get("type", [])
    return _union(_of_kind(kind, schema, depth) for kind in ([kinds] if isinstance(kinds, str) else kinds)) or "any"


def _of_kind(kind: str, schema: Schema, depth: int) -> str:
    if kind == "array":
        items = _type(schema["items"], depth)
        return f"({items})[]" if " | " in items else f"{items}[]"
    if kind != "object":
        return PLAIN[kind]
    return _fields(schema, depth) if "properties" in schema else f"Record<string, {_values(schema, depth)}>"


def _values(schema: Mapping[str, Any], depth: int) -> str:
    return _type(schema.get("additionalProperties", {}), depth)


def _fields(schema: Schema, depth: int) -> str:
    space = " " * (depth + 2)
    lines = [
        f"{space}{name}{'' if name in schema['required'] else '?'}: {_type(field, depth + 2)};\n"
        for name, field in schema["properties"].items()
    ]
    return f"{{\n{''.join(lines)}{' ' * depth}}}"


def _union(types: Iterable[str]) -> str:
    return " | ".join(types)


if __name__ == "__main__":
    FILE.write_text(printed())
