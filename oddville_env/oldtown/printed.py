"""Tables of the documentation, printed from the code: `oldtown tables` shows them, README.md holds copies."""

from collections.abc import Callable
from pathlib import Path

from oddville_env.core.parts import printed
from oddville_env.oldtown.observation.features import PIECES, PLAYED
from oddville_env.oldtown.observation.state import HIDDEN
from oddville_env.oldtown.observation.summary import SUMMARY
from oddville_env.oldtown.rules.actions import SPANS, Layout
from oddville_env.oldtown.rules.state import FIELDS

FOLDER = Path(__file__).parent
LAW, CHAPTERS = FOLDER / "rules" / "OLDTOWN.md", "STWCPQBDEOK"


def _solo() -> str:
    """The pieces of a puzzle's observation."""
    from oddville_env.oldtown.solo.observation import PIECES as SOLO

    return printed.observations(SOLO, SOLO)


TABLES: dict[str, Callable[[], str]] = {
    "actions": lambda: printed.actions(SPANS, Layout.starts),
    "observations": lambda: printed.observations((*PIECES, *PLAYED), (*PIECES, *PLAYED)),
    "summary": lambda: printed.scaled_observations(SUMMARY, PIECES),
    "hidden": lambda: printed.observations((*PIECES, *PLAYED, *HIDDEN), HIDDEN),
    "solo": _solo,
    "state": lambda: printed.state(FIELDS),
    "rules": lambda: printed.rules(LAW, CHAPTERS, FOLDER.rglob("*.py")),
}
