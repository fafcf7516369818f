"""The page's types and the tables of PROTOCOL.md, printed from the schemas.

`python -m oddville_env.web.messages.page_types` writes both.
"""

import json
import re
from collections.abc import Iterable
from pathlib import Path

from oddville_env.core.parts.printed import markdown
from oddville_env.web.messages.protocol import MESSAGES, NEW_GAMES, Schema
from oddville_env.web.messages.sent import NAMED, SENT

FILE, PAGE = (Path(__file__).parents[1] / name for name in ("protocol.d.ts", "PROTOCOL.md"))
HEAD = "// The messages of page and server, printed by `python -m oddville_env.web.messages.page_types`.\n\n"
PRINTED = re.compile(r"(<!-- table (\w+) -->\n).*?(<!-- end \2 -->)", re.DOTALL)
PLAIN = {"string": "string", "integer": "number", "number": "number", "boolean": "boolean", "null": "null"}


def printed() -> str:
    """All types of the protocol, in a namespace of their own."""
    types = [_named(name, schema) for name, schema in NAMED.items()]
    types.append(f"type Told = {_union(_type(schema, 2) for schema in SENT.values())};")
    types.append(f"type Said = {_union(_type(schema, 2) for schema in MESSAGES.values())};")
    types.append(f"type NewGame = {_union(_type(schema, 2) for schema in NEW_GAMES.values())};")
    body = "".join(f"  {each}\n" for each in types)
    return f"{HEAD}declare namespace Protocol {{\n{body}}}\n"


def page_with_tables(page: str) -> str:
    """PROTOCOL.md with its tables printed anew."""
    received = [(_form(schema), schema["description"]) for schema in MESSAGES.values()]
    tables = {
        "received": markdown(("message", "effect"), received),
        "sent": markdown(
            ("message", "meaning"),
            [(f'`{{"type": "{kind}", …}}`', schema["description"]) for kind, schema in SENT.items()],
        ),
    }
    return PRINTED.sub(lambda found: f"{found[1]}{tables[found[2]]}\n{found[3]}", page)


def _form(schema: Schema) -> str:
    """The fields of a message; optional ones with a question mark, the bounds of numbers and texts behind them."""
    required = schema["required"]
    fields = [
        f"{name}{'' if name in required else '?'}{_bounds(field)}"
        for name, field in schema["properties"].items()
        if name not in ("type", "id")
    ]
    kind = schema["properties"]["type"]["const"]
    return f'`{{"type": "{kind}"}}`' + (f" with {', '.join(fields)}" if fields else "")


def _bounds(schema: Schema) -> str:
    return f" (at most {schema['maxLength']} letters)" if "maxLength" in schema else ""


def _named(name: str, schema: Schema) -> str:
    about = f"/** {schema['description']} */\n  " if "description" in schema else ""
    return f"{about}type {name} = {_fields(schema, 2)};"


def _type(schema: Schema, depth: int) -> str:
    """A schema as a type; `depth` is that of the line on which it begins."""
    for name, known in NAMED.items():
        if known["properties"] == schema.get("properties"):
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
    values = schema.get("additionalProperties", {})
    return _fields(schema, depth) if "properties" in schema else f"Record<string, {_type(values, depth)}>"


def _fields(schema: Schema, depth: int) -> str:
    space = " " * (depth + 2)
    lines = [
        (f"{space}/** {field['description']} */\n" if "description" in field else "")
        + f"{space}{name}{'' if name in schema['required'] else '?'}: {_type(field, depth + 2)};\n"
        for name, field in schema["properties"].items()
    ]
    return f"{{\n{''.join(lines)}{' ' * depth}}}"


def _union(types: Iterable[str]) -> str:
    return " | ".join(types)


if __name__ == "__main__":
    FILE.write_text(printed(), encoding="utf-8")
    PAGE.write_text(page_with_tables(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
