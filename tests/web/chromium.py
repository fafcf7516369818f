"""A real browser for tests: the system's Chromium."""

import shutil

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
MISSING = "no Chromium was found on this system: `apt-get install chromium` gives one to these tests"


def found() -> str | None:
    """The browser's path, if the system has one."""
    return next(filter(None, map(shutil.which, NAMES)), None)
