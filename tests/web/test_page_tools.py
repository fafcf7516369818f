"""What looks at the page's modules without a browser: formatter and linter, types, and their own tests in Node."""

import re
import shutil
import subprocess
from pathlib import Path
from posixpath import dirname, join, normpath

import pytest

from oddville_env.web.messages import page_types
from oddville_env.web.messages.protocol import MESSAGES
from oddville_env.web.messages.sent import SENT
from web.test_page_files import IMPORT

TOOLS = Path(__file__).with_name("page")
WEB = Path(__file__).parents[2] / "oddville_env" / "web"
STATIC = WEB / "static"
NEWEST_THAT_LACKS = (20, 18)
"""The last Node that does not know modules by what stands in them."""
SHELL = ("base", "table", "beside", "around", "")
"""Its folders from the ground up."""
SECONDS = 300


def said(*command: str) -> str:
    """What a command says; it fails the test where it does not end well."""
    ran = subprocess.run(command, cwd=TOOLS, capture_output=True, text=True, timeout=SECONDS)
    assert ran.returncode == 0, ran.stdout[-6000:] + ran.stderr[-2000:]
    return ran.stdout


def tool(name: str) -> str:
    """A tool of package.json, where it is installed."""
    path = TOOLS / "node_modules" / ".bin" / name
    if shutil.which("node") is None or not path.exists():
        pytest.skip(f"no {name}: `npm --prefix tests/web/page install` gives the page's tools to these tests")
    return str(path)


def test_modules_are_formatted_and_linted() -> None:
    said(tool("biome"), "check", "--config-path=.", str(STATIC), str(TOOLS))


def test_modules_match_the_types_of_the_protocol() -> None:
    said(tool("tsc"), "--project", ".")


def test_modules_pass_their_node_tests() -> None:
    node = shutil.which("node")
    if node is None:
        pytest.skip("no Node: the page's modules are tested in browsers alone")
    version = tuple(map(int, re.findall(r"\d+", said(node, "--version"))))
    if version[:2] <= NEWEST_THAT_LACKS:
        pytest.skip("this Node is too old for the page's modules: 20.19 is the oldest")
    assert re.search(r"^# pass [1-9]", said(node, "--test"), re.MULTILINE)


def test_printed_types_are_up_to_date() -> None:
    told = "run `python -m oddville_env.web.messages.page_types`"
    assert page_types.FILE.read_text() == page_types.printed(), told


def test_tables_of_the_protocol_s_page_are_those_of_the_schemas() -> None:
    page = page_types.PAGE.read_text()
    assert page == page_types.page_with_tables(page)
    assert [kind for kind in (*MESSAGES, *SENT) if f'{{"type": "{kind}"' not in page] == []


def test_folders_of_the_shell_import_downward() -> None:
    arrows = set()
    for module in (STATIC / "shell").rglob("*.js"):
        here = module.relative_to(STATIC / "shell").as_posix()
        for found in IMPORT.finditer(module.read_text()):
            arrows.add((dirname(here), dirname(normpath(join(dirname(here), found["path"])))))
    arrows -= {(here, there) for here, there in arrows if there.startswith("texts")}
    assert arrows
    assert all(SHELL.index(there) <= SHELL.index(here) for here, there in arrows)
