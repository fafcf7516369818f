"""What the tests of the people's game share."""

import pytest

PLAYERS = (2, 3, 4)
every_number = pytest.mark.parametrize("players", PLAYERS)
