"""Tables of the documentation, printed from the code: `oddville tables` shows them, README.md holds copies."""

from collections.abc import Callable
from pathlib import Path

from oddville_env.core.parts import printed
from oddville_env.oddville.observation import make_encoder
from oddville_env.oddville.observation.state import HIDDEN, state_encoder
from oddville_env.oddville.observation.summary import SUMMARY
from oddville_env.oddville.rules.actions import SPANS
from oddville_env.oddville.rules.state import fields
from oddville_env.oddville.settings import make_box

FOLDER = Path(__file__).parent / "rules"
LAW, CHAPTERS = FOLDER / "RULES.md", "STWPLBNGCEVK"


def _observations(encoding: str, common: bool) -> str:
    """The pieces of `features` or `ids` on the default table: those of both, or those that only it has."""
    shared = set.intersection(*(set(make_encoder(make_box(), name).pieces) for name in ("features", "ids")))
    pieces = make_encoder(make_box(), encoding).pieces
    return printed.observations(pieces, [piece for piece in pieces if (piece in shared) == common])


def _hidden() -> str:
    """The hidden pieces of the global state on the default table."""
    return printed.observations(state_encoder(make_box()).pieces, HIDDEN)


def _state() -> str:
    """The fields of the record of a game on the default table."""
    box = make_box()
    return printed.state(fields(box.games["ground"].shape[0], box.layout.slots))


TABLES: dict[str, Callable[[], str]] = {
    "actions": lambda: printed.actions(SPANS, make_box().layout.starts),
    "common": lambda: _observations("features", common=True),
    "features": lambda: _observations("features", common=False),
    "ids": lambda: _observations("ids", common=False),
    "summary": lambda: printed.scaled_observations(SUMMARY, make_encoder(make_box(), "features").pieces),
    "hidden": _hidden,
    "state": _state,
    "rules": lambda: printed.rules(LAW, CHAPTERS, FOLDER.glob("*.py")),
}
