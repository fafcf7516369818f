"""A folder of cards to change."""

import shutil
from pathlib import Path

import pytest

from support.card_files import CARDS


@pytest.fixture
def box(tmp_path: Path) -> Path:
    return shutil.copytree(CARDS / "base", tmp_path / "box")
