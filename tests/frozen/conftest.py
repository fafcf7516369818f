"""Every test works in a folder of its own, with agents that are called as they were."""

from pathlib import Path

import pytest

from oddville_agents.oddville.search.agent import SearchAgent

LEARNED = "learned"


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.fixture(autouse=True)
def _formula(monkeypatch: pytest.MonkeyPatch) -> None:
    """What 0.1.0 called `search` is called `search:value=formula` today."""
    today = SearchAgent.__init__.__defaults__ or ()
    assert today.count(LEARNED) == 1
    before = tuple("formula" if value == LEARNED else value for value in today)
    monkeypatch.setattr(SearchAgent.__init__, "__defaults__", before)
