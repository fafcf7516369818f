"""The page's files: read once, packed once, and named, so that no path leads anywhere else."""

import gzip
import mimetypes
import re
from collections.abc import Iterator, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from posixpath import dirname, normpath

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response

FOLDER = Path(__file__).with_name("static")
INDEX, ENTRY = "index.html", "shell/app.js"
IMPORT = re.compile(
    r"""^(?:import|export)\s[^'";]*?from\s*["'](\.[^"']+)["']|^import\s*["'](\.[^"']+)["']""", re.MULTILINE
)
TYPES = {".js": "text/javascript", ".svg": "image/svg+xml", ".css": "text/css", ".html": "text/html"}
SMALLEST = 500  # bytes that are worth packing


class StaticFile:
    """A file as it is sent."""

    def __init__(self, name: str, content: bytes) -> None:
        suffix = Path(name).suffix
        self._type = TYPES.get(suffix) or mimetypes.guess_type(name)[0] or "application/octet-stream"
        self._content, self._packed = content, gzip.compress(content, mtime=0)
        self._tag = f'"{sha256(content).hexdigest()[:16]}"'

    def answer(self, asked: Headers) -> Response:
        """The file, or that it is the same as before."""
        headers = {"ETag": self._tag, "Vary": "Accept-Encoding", "Cache-Control": "no-cache"}
        if asked.get("if-none-match") == self._tag:
            return Response(status_code=304, headers=headers)
        if "gzip" in asked.get("accept-encoding", "") and len(self._content) >= SMALLEST:
            headers["Content-Encoding"] = "gzip"
            return Response(self._packed, media_type=self._type, headers=headers)
        return Response(self._content, media_type=self._type, headers=headers)


class StaticFiles:
    """All files of a folder by their names; the page asks at once for the modules of these games too."""

    def __init__(self, games: Sequence[str] = (), folder: Path = FOLDER) -> None:
        found = {path.relative_to(folder).as_posix(): path.read_bytes() for path in _files(folder)}
        if INDEX in found:
            entries = [ENTRY, *(f"{game}/game.js" for game in games)]
            found[INDEX] = _with_preloads(found[INDEX].decode(), entries, found).encode()
        self._files = {name: StaticFile(name, content) for name, content in found.items()}

    def answer(self, name: str, asked: Headers) -> Response:
        """A file by its name; 404 where there is none."""
        found = self._files.get(name)
        return found.answer(asked) if found else PlainTextResponse("Not Found", 404)


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file())


def _with_preloads(page: str, entries: Sequence[str], files: Mapping[str, bytes]) -> str:
    """The page with a hint for each module that its entries import, so that browsers load them all at once."""
    names = [name for name in _imported(entries, files) if name != ENTRY]
    links = "".join(f'<link rel="modulepreload" href="static/{name}">\n' for name in names)
    return page.replace("</head>", f"{links}</head>")


def _imported(entries: Sequence[str], files: Mapping[str, bytes]) -> list[str]:
    """Modules, those that they import, and those that these import."""
    reached = list(entries)
    for name in reached:
        for found in IMPORT.finditer(files.get(name, b"").decode()):
            other = normpath(f"{dirname(name)}/{found[1] or found[2]}")
            if other in files and other not in reached:
                reached.append(other)
    return reached
