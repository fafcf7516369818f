"""The page's types, printed from the schemas: `python -m oddville_env.web.messages.page_types` writes them."""

import json
from collections.abc import Mapping
from pathlib import Path

from oddville_env.web.messages.protocol import MESSAGES, NEW_GAMES, Schema
from oddville_env.web.messages.sent import NAMED, SENT

FILE = Path(__file__).parents[1] / "protocol.d.ts"
HEAD = "// The messages of page and server, printed by `python -m oddville_env.web.messages.page_types`.\n\n"
UNION = " | "
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def printed() -> str:
    """All types of the protocol, in a namespace of their own."""
    types = []
    for name, schema in NAMED.items():
        about = f"/** {schema['description']} */\n  " if "description" in schema else ""
        types.append(f"{about}type {name} = {_fields(schema, 2)};")
    types += [_messages("Told", SENT), _messages("Said", MESSAGES)]
    types.append(f"type NewGame = {UNION.join(_type(schema, 2) for schema in NEW_GAMES.values())};")
    body = "".join(f"  {each}\n" for each in types)
    return f"{HEAD}declare namespace Protocol {{\n{body}}}\n"


def _messages(name: str, schemas: Mapping[str, Schema]) -> str:
    """A type of all these messages, each with what it means."""
    lines = [f"    /** {schema['description']} */\n    | {_type(schema, 4)}" for schema in schemas.values()]
    return f"type {name} =\n" + "\n".join(lines) + ";"


def _type(schema: Schema, depth: int) -> str:
    """A schema as a type; `depth` is that of the line on which it begins."""
    for name, known in NAMED.items():
        if known["properties"] == schema.get("properties"):
            return name
    if "anyOf" in schema:
        return UNION.join(_type(each, depth) for each in schema["anyOf"])
    if "const" in schema or "enum" in schema:
        return UNION.join(json.dumps(word) for word in schema.get("enum", [schema.get("const")]))
    kinds = schema.get("type", [])
    return UNION.join(_of_kind(kind, schema, depth) for kind in ([kinds] if isinstance(kinds, str) else kinds)) or "any"


def _of_kind(kind: str, schema: Schema, depth: int) -> str:
    if kind == "array":
        items = _type(schema["items"], depth)
        return f"({items})[]" if UNION in items else f"{items}[]"
    if kind != "object":
        return PLAIN[kind]
    values = schema.get("additionalProperties", {})
    return _fields(schema, depth) if "properties" in schema else f"Record<string, {_type(values, depth)}>"


def _fields(schema: Schema, depth: int) -> str:
    space = " " * (depth + 2)
    lines = [
        (f"{space}/** {about} */\n" if (about := _about(field)) else "")
        + f"{space}{name}{'' if name in schema['required'] else '?'}: {_type(field, depth + 2)};\n"
        for name, field in schema["properties"].items()
    ]
    return f"{{\n{''.join(lines)}{' ' * depth}}}"


def _about(schema: Schema) -> str:
    """What a field means, and how long a text may be."""
    bound = f"at most {schema['maxLength']} letters" if "maxLength" in schema else ""
    return "; ".join(filter(None, [schema.get("description"), bound]))


if __name__ == "__main__":
    FILE.write_text(printed(), encoding="utf-8")
