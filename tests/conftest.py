"""The fixture `scenario`: a game in a position that is set up by names. Windows open on no screen."""

import os

import pytest
import scenario as positions

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")


@pytest.fixture
def scenario() -> positions.Scenario:
    """The builder, see tests/scenario.py."""
    return positions.scenario
