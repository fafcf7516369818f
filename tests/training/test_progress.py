"""What is shown of work that takes its time."""

import sys
import warnings
from collections.abc import Iterator

import pytest
from rich import console

from oddville_env.core.system import progress
from oddville_training.program import meter


@pytest.fixture
def in_a_notebook(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """rich believes that it runs in Jupyter, where the package with its widgets is missing."""
    monkeypatch.setattr(console, "_is_jupyter", lambda: True)
    monkeypatch.setitem(sys.modules, "ipywidgets", None)
    progress.error_console.cache_clear()
    yield
    progress.error_console.cache_clear()


@pytest.mark.usefixtures("in_a_notebook")
@pytest.mark.parametrize("shown", [True, False])
def test_in_a_notebook_progress_is_plain_text_and_warns_of_nothing(shown: bool) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with meter("games", shown) as bar:
            bar.advance(bar.add_task("played", total=2))
        with progress.console_if(shown).status("the report"):
            pass
