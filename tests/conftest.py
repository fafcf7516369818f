"""The fixture `scenario`: a game in a position that is set up by names. Windows open on no screen, Ctrl-C is heard."""

import os
import signal

import pytest
import scenario as positions

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:  # a shell starts what runs in the background like this
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture
def scenario() -> positions.Scenario:
    """The builder, see tests/scenario.py."""
    return positions.scenario
