"""The page's files. A checkout serves its sources; a wheel holds them bundled into one script and one style."""

import gzip
import mimetypes
import stat
from collections.abc import Iterable
from pathlib import Path

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.responses import Response
from starlette.staticfiles import NotModifiedResponse, StaticFiles
from starlette.types import Scope

FOLDER = Path(__file__).with_name("static")
SHARED = ("shell", "plain")  # folders of modules that every server sends
mimetypes.add_type("text/javascript", ".js")  # some systems say text/plain, which browsers refuse for modules


class PageFiles(StaticFiles):
    """The files below `static/`, with entity tags.

    A page from sources asks for some 70 files at once, so each is kept in memory, compressed, until it changes.
    """

    def __init__(self) -> None:
        super().__init__(directory=FOLDER)
        self._kept: dict[str, tuple[int, bytes, bytes]] = {}

    async def get_response(self, path: str, scope: Scope) -> Response:
        """The answer to a request."""
        try:
            full_path, found = self.lookup_path(path)
        except (OSError, ValueError):  # names that no file system takes
            raise HTTPException(404) from None
        if scope["method"] != "GET" or found is None or not stat.S_ISREG(found.st_mode):
            return await super().get_response(path, scope)
        asked = Headers(scope=scope)
        changed, plain, packed = self._kept.get(path, (0, b"", b""))
        if changed != found.st_mtime_ns:
            changed, plain = found.st_mtime_ns, Path(full_path).read_bytes()
            packed = gzip.compress(plain, mtime=0)
            self._kept[path] = changed, plain, packed
        headers = {"etag": f'"{changed:x}-{len(plain):x}"', "vary": "Accept-Encoding"}
        if "gzip" in asked.get("accept-encoding", ""):
            headers["content-encoding"], plain = "gzip", packed
        response = Response(plain, headers=headers, media_type=mimetypes.guess_type(path)[0])
        return NotModifiedResponse(response.headers) if self.is_not_modified(response.headers, asked) else response


def page_files() -> PageFiles:
    """The files below `static/`."""
    return PageFiles()


def page_index(games: Iterable[str]) -> str:
    """The page itself; in a checkout with all modules of these games named, so that browsers ask for them at once."""
    text = (FOLDER / "index.html").read_text(encoding="utf-8")
    modules = [file for name in (*SHARED, *games) for file in sorted((FOLDER / name).rglob("*.js"))]
    links = [f'<link rel="modulepreload" href="static/{file.relative_to(FOLDER).as_posix()}">\n' for file in modules]
    return text.replace("<script ", "".join(links) + "<script ", 1)
