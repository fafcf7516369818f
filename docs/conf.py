"""Configuration of Sphinx. `make docs` builds the site from the pages in all folders; any warning fails."""

import re
import sys
import warnings
from pathlib import Path

from sphinx.application import Sphinx

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent
sys.path[:0] = [str(HERE), str(ROOT), str(ROOT / "agents"), str(ROOT / "training")]

from oddville_env import __version__  # noqa: E402  (needs the line above)

warnings.filterwarnings("ignore", module="sphinx_autodoc_typehints")  # it calls what Sphinx 10 will drop

project = "OddVille and Old Town"
author = "the OddVille environment's authors"
copyright = f"2026, {author}"
version = release = __version__

root_doc = "docs/index"
include_patterns = [
    "*.md",
    "agents/**",
    "docs/**",
    "examples/*.md",
    "notebooks/*.ipynb",
    "oddville_env/**",
    "training/**",
]
exclude_patterns = ["docs/_build"]
extensions = [
    "myst_nb",
    "rule_index",
    "sphinx.ext.autodoc",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "sphinx_autodoc_typehints",
    "sphinx_copybutton",
]
html_theme = "furo"
html_title = f"OddVille and Old Town {version}"
html_additional_pages = {"index": "start.html"}
templates_path = ["_templates"]
html_show_sourcelink = False

nb_execution_mode = "off"
myst_enable_extensions = ["colon_fence", "deflist", "dollarmath"]
myst_heading_anchors = 4

default_role = "code"  # docstrings write code in single backquotes
add_module_names = False
autodoc_member_order = "bysource"
always_document_param_types = True
typehints_defaults = "comma"
typehints_use_rtype = False
autodoc_default_options = {"members": True}
toc_object_entries_show_parents = "hide"

LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)#:]+)\)")


def without_links_to_folders(app: Sphinx, page: str, source: list[str]) -> None:
    """Replace links to folders, which a site cannot show, by their text."""
    home = Path(app.env.doc2path(page)).parent
    source[0] = LINK.sub(lambda found: found[1] if (home / found[2]).is_dir() else found[0], source[0])


def setup(app: Sphinx) -> None:
    """Register the hook; Sphinx calls this when it starts."""
    app.connect("source-read", without_links_to_folders)
