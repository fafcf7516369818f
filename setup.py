"""The package's description is README.md; its pictures and links point to the project's page, where one is known."""

import re
import tomllib
from pathlib import Path

from setuptools import setup

HERE = Path(__file__).parent
PICTURE = re.compile(r"!\[[^\]]*\]\((?!http)([^)#]+)\)\n*")
LINK = re.compile(r"\[([^\]]*)\]\((?!http)([^)]+)\)")


def description(readme: str, source: str | None) -> str:
    """The README for readers outside a checkout: without a page of the project it has no pictures and no links."""
    if source is None:
        return LINK.sub(r"\1", PICTURE.sub("", readme))
    with_pictures = PICTURE.sub(lambda found: found[0].replace(found[1], f"{source}/raw/HEAD/{found[1]}"), readme)
    return LINK.sub(rf"[\1]({source}/blob/HEAD/\2)", with_pictures)


if __name__ == "__main__":
    project = tomllib.loads((HERE / "pyproject.toml").read_text())["project"]
    page = project.get("urls", {}).get("Source")
    setup(
        long_description=description((HERE / "README.md").read_text(encoding="utf-8"), page),
        long_description_content_type="text/markdown",
    )
