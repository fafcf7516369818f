"""The page's files: read once, packed once, and named, so that no path leads anywhere else."""

import gzip
import mimetypes
from collections.abc import Iterator, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse, Response

from oddville_env.web.bundle import bundled, squeezed, styles_of, with_bundles

FOLDER = Path(__file__).with_name("static")
INDEX, ENTRY = "index.html", "shell/app.js"
SCRIPT, STYLE = "page.js", "page.css"
PLAIN = "plain"
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
    """All files of a folder by their names, and those of the page's modules and styles in one; games: whose pages."""

    def __init__(self, games: Sequence[str] = (), folder: Path = FOLDER) -> None:
        found = {path.relative_to(folder).as_posix(): path.read_bytes() for path in _files(folder)}
        if INDEX in found:
            page = found[INDEX].decode()
            found[SCRIPT] = bundled([*(f"{game}/game.js" for game in [*games, PLAIN]), ENTRY], found).encode()
            found[STYLE] = squeezed("".join(found[name].decode() for name in styles_of(page))).encode()
            found[INDEX] = with_bundles(page, ENTRY, SCRIPT, STYLE).encode()
        self._files = {name: StaticFile(name, content) for name, content in found.items()}

    def answer(self, name: str, asked: Headers) -> Response:
        """A file by its name; 404 where there is none."""
        found = self._files.get(name)
        return found.answer(asked) if found else PlainTextResponse("Not Found", 404)


@cache
def page_files(*games: str) -> StaticFiles:
    """The files of the page of these games, once for all servers of a process."""
    return StaticFiles(games)


def _files(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file())
