"""The page's modules and styles as one file each, made when the server starts: two requests instead of 80.

Sources stay as they are. Modules are plain: `import { names } from "./path.js"`, of data
`import name from "./path.json" with { type: "json" }`, `export` before what is declared, no circles.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from posixpath import dirname, join, normpath

IMPORT = re.compile(
    r'^import (?:(?:\{(?P<names>[^}]*)\}|(?P<data>\w+)) from )?"(?P<path>\.[^"]+)"(?: with \{ type: "json" \})?;$',
    re.MULTILINE,
)
EXPORT = re.compile(r"^export (?=(?:async )?(?:const|function|class) (\w+))", re.MULTILINE)
LATER = re.compile(r"\bimport\(")
COMMENT = re.compile(r"^ *(?:/\*\*.*?\*/|//[^\n]*)$\n", re.MULTILINE | re.DOTALL)
BEHIND = re.compile(r"(?<=[;,{}\])]) // [^\"'`\n]*$", re.MULTILINE)
INDENT = re.compile(r"^\s+", re.MULTILINE)
"""What browsers need not be sent: comments on lines of their own and behind code, the space before lines (no text
spans two)."""
STYLE_COMMENT = re.compile(r"/\*.*?\*/\s*", re.DOTALL)
STYLE_SPACE = re.compile(r"\s*([{};,])\s*|(?<=:) ")
STYLE = re.compile(r'<link rel="stylesheet" href="static/([^"]+)">\n')
HEAD = """const modules = {};
const later = async (from, path) => modules[new URL(path, `http://page/${from}`).pathname.slice(1)];
const named = (first, words) => Object.fromEntries(Object.keys(first).map((name, place) => [name, words[place]]));
"""


def bundled(entries: Sequence[str], files: Mapping[str, bytes]) -> str:
    """One module that holds these modules and all that they import, each in a scope of its own."""
    first: dict[str, str] = {}
    scopes = []
    for name in in_order(entries, files):
        if name.endswith(".json"):
            scopes.append(_table(name, first.setdefault(dirname(name), name), files))
        else:
            scopes.append(_scope(name, files[name].decode()))
    return HEAD + "".join(scopes)


def in_order(entries: Sequence[str], files: Mapping[str, bytes]) -> list[str]:
    """Modules and all that they import, what is imported first; raises ValueError for a circle."""
    done: dict[str, bool] = {}

    def visit(name: str) -> Iterator[str]:
        if done.get(name) is False:
            raise ValueError(f"{name} imports itself by a circle")
        if name not in done:
            done[name] = False
            for found in IMPORT.finditer(files[name].decode()):
                yield from visit(_path(name, found["path"]))
            done[name] = True
            yield name

    return [name for entry in entries for name in visit(entry)]


def _path(name: str, path: str) -> str:
    return normpath(join(dirname(name), path))


def _scope(name: str, text: str) -> str:
    """A module as a function that gives its exports."""

    def taken(found: re.Match[str]) -> str:
        names = found["data"] or f"{{{(found['names'] or '').replace(' as ', ': ')}}}"
        return f'const {names} = modules["{_path(name, found["path"])}"];'

    body = LATER.sub(f'later("{name}", ', EXPORT.sub("", IMPORT.sub(taken, COMMENT.sub("", text))))
    body = INDENT.sub("", BEHIND.sub("", body))
    return f'modules["{name}"] = (() => {{\n{body}return {{ {", ".join(EXPORT.findall(text))} }};\n}})();\n'


def _table(name: str, first: str, files: Mapping[str, bytes]) -> str:
    """A file of texts. Names that are those of the first one in its folder, as in other languages, are sent once."""
    table = json.loads(files[name])
    told = json.dumps(table, ensure_ascii=False, separators=(",", ":"))
    if name != first and list(table) == list(json.loads(files[first])):
        words = json.dumps(list(table.values()), ensure_ascii=False, separators=(",", ":"))
        told = f'named(modules["{first}"], {words})'
    return f'modules["{name}"] = {told};\n'


def squeezed(style: str) -> str:
    """A style sheet without comments, and without the space that says nothing."""
    return STYLE_SPACE.sub(lambda found: found[1] or "", STYLE_COMMENT.sub("", style))


def styles_of(page: str) -> list[str]:
    """The styles that a page asks for, in its order."""
    return STYLE.findall(page)


def with_bundles(page: str, entry: str, script: str, style: str) -> str:
    """The page, which asks for one script and one style."""
    first, *_ = STYLE.findall(page)
    page = page.replace(f"static/{entry}", f"static/{script}").replace(f"static/{first}", f"static/{style}", 1)
    for other in STYLE.findall(page):
        if other != style:
            page = page.replace(f'<link rel="stylesheet" href="static/{other}">\n', "")
    return page
