"""The page's files. A checkout serves its sources; a wheel holds them bundled into one script and one style."""

import mimetypes
from collections.abc import Iterable
from pathlib import Path

from starlette.staticfiles import StaticFiles

FOLDER = Path(__file__).with_name("static")
SHARED = ("shell", "plain")  # folders of modules that every server sends
mimetypes.add_type("text/javascript", ".js")  # some systems say text/plain, which browsers refuse for modules


def page_files() -> StaticFiles:
    """The files below `static/`, with entity tags."""
    return StaticFiles(directory=FOLDER)


def page_index(games: Iterable[str]) -> str:
    """The page itself; in a checkout with all modules of these games named, so that browsers ask for them at once."""
    text = (FOLDER / "index.html").read_text(encoding="utf-8")
    modules = [file for name in (*SHARED, *games) for file in sorted((FOLDER / name).rglob("*.js"))]
    links = [f'<link rel="modulepreload" href="static/{file.relative_to(FOLDER).as_posix()}">\n' for file in modules]
    return text.replace("<script ", "".join(links) + "<script ", 1)
