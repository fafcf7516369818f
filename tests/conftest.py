"""The fixture `scenario`: a game in a position that is set up by names."""

import pytest
import scenario as positions


@pytest.fixture
def scenario() -> positions.Scenario:
    """The builder, see tests/scenario.py."""
    return positions.scenario
