"""OddVille as a `GameType`."""

from collections.abc import Callable
from pathlib import Path

from oddville_env.core.game.game_type import CardSets, GameType, Option, at_first_use, dealing, of_cards
from oddville_env.core.parts import printed
from oddville_env.oddville import deal, moves, position, prompt
from oddville_env.oddville.cards import BASE, draw_cards, files_of, load_cards, summary
from oddville_env.oddville.cards.words import PLAYERS
from oddville_env.oddville.game import NOTES, Game, record_lines
from oddville_env.oddville.observation import ENCODINGS, HIDDEN, make_encoder, state_encoder
from oddville_env.oddville.observation.entities import ENTITIES
from oddville_env.oddville.observation.summary import SUMMARY
from oddville_env.oddville.rules import batch
from oddville_env.oddville.rules.actions import SPANS
from oddville_env.oddville.rules.scoring import SOURCES
from oddville_env.oddville.rules.state import DEFAULT_TABLE, fields
from oddville_env.oddville.settings import MAX_ROUNDS, OddVilleSettings, box_of, make_box

ORDERS = ("deck", "piles", "first")
OPTIONS = (
    Option("table", tuple[int, int], DEFAULT_TABLE, "Columns and rows of the table."),
    Option("max_rounds", int, MAX_ROUNDS, "Truncate a game after this many rounds."),
    Option("cards", Path | None, None, "Folder with your card set, or mini.", data=True),
)

FOLDER = Path(__file__).parent / "rules"
LAW, CHAPTERS = FOLDER / "RULES.md", "STWPLBNGCEVK"


def _observations(encoding: str, common: bool) -> str:
    """The pieces of `features` or `ids` on the default table: those of both, or those that only it has."""
    shared = set.intersection(*(set(make_encoder(make_box(), name).pieces) for name in ("features", "ids")))
    pieces = make_encoder(make_box(), encoding).pieces
    return printed.observations(pieces, [piece for piece in pieces if (piece in shared) == common])


TABLES: dict[str, Callable[[], str]] = {
    "actions": lambda: printed.actions(SPANS, make_box().layout.starts),
    "common": lambda: _observations("features", common=True),
    "features": lambda: _observations("features", common=False),
    "ids": lambda: _observations("ids", common=False),
    "summary": lambda: printed.scaled_observations(SUMMARY, make_encoder(make_box(), "features").pieces),
    "entities": lambda: printed.entity_rows(ENTITIES),
    "hidden": lambda: printed.observations(state_encoder(make_box()).pieces, HIDDEN),
    "state": lambda: printed.state(fields(make_box().games["ground"].shape[0], make_box().layout.slots)),
    "rules": lambda: printed.rules(LAW, CHAPTERS, FOLDER.glob("*.py")),
}
"""The tables of the documentation, printed from the code."""

ODDVILLE = GameType(
    name="oddville",
    title="OddVille",
    players=PLAYERS,
    settings=OddVilleSettings,
    box=box_of,
    entries=batch,
    loops=batch.LOOPS,
    encodings=ENCODINGS,
    make_encoder=make_encoder,
    state_encoder=state_encoder,
    orders=ORDERS,
    deal=dealing(ORDERS, deal.check_deal, deal.shuffled),
    words=moves.words,
    outcome=position.outcome_of,
    position=position.position,
    draw=of_cards("oddville_env.oddville.svg:draw"),
    draw_text=of_cards("oddville_env.oddville.text:draw_text"),
    game=Game,
    cards=CardSets(BASE, load_cards, summary, counted="buildings", drawn=draw_cards, files=files_of),
    tables=TABLES,
    options=OPTIONS,
    rounds=lambda box, games: games["rounds"],
    sources=SOURCES,
    notes=NOTES,
    record_lines=record_lines,
    law=LAW,
    scene=at_first_use("oddville_env.oddville.scene:SCENE"),
    prompts=prompt.TEXTS,
)
