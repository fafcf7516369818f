"""What pyproject.toml cannot say: README.md as the package's description, and the page bundled into the wheel."""

import os
import re
import shutil
import subprocess
import tomllib
from pathlib import Path

from setuptools import setup
from setuptools.command.build_py import build_py

HERE = Path(__file__).parent
BUNDLER = HERE / "tests/web/page/node_modules/.bin/esbuild"
SOURCES = ("shell", "plain", "oddville", "oldtown", "style")  # folders of the page whose modules and styles are bundled
STYLE = re.compile(r'<link rel="stylesheet" href="static/([^"]+)">\n')
PICTURE = re.compile(r"!\[[^\]]*\]\((?!http)([^)#]+)\)\n*")
LINK = re.compile(r"\[([^\]]*)\]\((?!http)([^)]+)\)")


def description(readme: str, source: str | None) -> str:
    """The README for readers outside a checkout: without a page of the project it has no pictures and no links."""
    if source is None:
        return LINK.sub(r"\1", PICTURE.sub("", readme))
    with_pictures = PICTURE.sub(lambda found: found[0].replace(found[1], f"{source}/raw/HEAD/{found[1]}"), readme)
    return LINK.sub(rf"[\1]({source}/blob/HEAD/\2)", with_pictures)


def bundle(static: Path, esbuild: str) -> None:
    """Put the page's modules into page.js and its styles into page.css, in place of their sources."""
    index = static / "index.html"
    page = index.read_text(encoding="utf-8")
    styles = "".join((static / name).read_text(encoding="utf-8") for name in STYLE.findall(page))
    command = [esbuild, "--minify", "--charset=utf8", "--log-level=warning"]
    modules = [*command, "--bundle", "--format=esm", str(static / "shell/app.js"), f"--outfile={static / 'page.js'}"]
    subprocess.run(modules, check=True)
    sheet = [*command, "--loader=css"]
    with (static / "page.css").open("w", encoding="utf-8") as out:
        subprocess.run(sheet, input=styles, stdout=out, check=True, text=True, encoding="utf-8")
    page = STYLE.sub("", page).replace(
        '<script type="module" src="static/shell/app.js">',
        '<link rel="stylesheet" href="static/page.css">\n<script type="module" src="static/page.js">',
    )
    index.write_text(page, encoding="utf-8")
    for file in [file for folder in SOURCES for file in (static / folder).rglob("*.*")]:
        if file.suffix in (".js", ".css"):
            file.unlink()


class BuildWithPage(build_py):
    """Bundles the page with $ESBUILD, or the esbuild installed for tests; without one, the wheel holds its sources."""

    def run(self) -> None:
        """Build the package."""
        super().run()
        esbuild = os.environ.get("ESBUILD") or shutil.which(BUNDLER)
        if esbuild and not self.editable_mode:
            bundle(Path(self.build_lib, "oddville_env/web/static"), esbuild)


if __name__ == "__main__":
    project = tomllib.loads((HERE / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    page = project.get("urls", {}).get("Source")
    setup(
        long_description=description((HERE / "README.md").read_text(encoding="utf-8"), page),
        long_description_content_type="text/markdown",
        cmdclass={"build_py": BuildWithPage},
    )
