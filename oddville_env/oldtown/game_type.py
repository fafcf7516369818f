"""Old Town as a `GameType`."""

from collections.abc import Callable
from pathlib import Path

from oddville_env.core.game.game_type import CardSets, GameType, Option, at_first_use, dealing, of_cards
from oddville_env.core.parts import printed
from oddville_env.oldtown import deal, moves, position, prompt
from oddville_env.oldtown.cards import BASE, load_deck, summary
from oddville_env.oldtown.game import NOTES, OldTown, record_lines
from oddville_env.oldtown.observation import ENCODINGS, HIDDEN, make_encoder, state_encoder
from oddville_env.oldtown.observation.entities import ENTITIES
from oddville_env.oldtown.observation.features import PIECES, PLAYED
from oddville_env.oldtown.observation.summary import SUMMARY
from oddville_env.oldtown.rules import batch
from oddville_env.oldtown.rules.actions import SPANS, Layout
from oddville_env.oldtown.rules.state import FIELDS, SOURCES
from oddville_env.oldtown.settings import PLAYERS, OldTownSettings, box_of
from oddville_env.oldtown.solo.game import PIECES as SOLO

ORDERS = ("hands", "common", "own", "first")
OPTIONS = (
    Option("lone_confirm", bool, False, "Allow a confirming card to be played alone (rule P6)."),
    Option("deck", Path | None, None, "File with your deck, like deck.json.", data=True),
)

FOLDER = Path(__file__).parent
LAW, CHAPTERS = FOLDER / "rules" / "OLDTOWN.md", "STWCPQBDEOK"


TABLES: dict[str, Callable[[], str]] = {
    "actions": lambda: printed.actions(SPANS, Layout.starts),
    "observations": lambda: printed.observations((*PIECES, *PLAYED), (*PIECES, *PLAYED)),
    "summary": lambda: printed.scaled_observations(SUMMARY, PIECES),
    "entities": lambda: printed.entity_rows(ENTITIES),
    "hidden": lambda: printed.observations((*PIECES, *PLAYED, *HIDDEN), HIDDEN),
    "solo": lambda: printed.observations(SOLO, SOLO),
    "state": lambda: printed.state(FIELDS),
    "rules": lambda: printed.rules(LAW, CHAPTERS, FOLDER.rglob("*.py")),
}
"""The tables of the documentation, printed from the code."""

OLDTOWN = GameType(
    name="oldtown",
    title="Old Town",
    players=PLAYERS,
    settings=OldTownSettings,
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
    draw=of_cards("oddville_env.oldtown.svg:draw"),
    draw_text=of_cards("oddville_env.oldtown.text:draw_text"),
    game=OldTown,
    cards=CardSets(BASE, load_deck, summary, noun="deck"),
    tables=TABLES,
    options=OPTIONS,
    commands=("puzzles.solve", "puzzles"),
    rounds=lambda box, games: (games["turn"] + box.players - 1) // box.players,  # [T1]
    sources=SOURCES,
    notes=NOTES,
    record_lines=record_lines,
    law=LAW,
    scene=at_first_use("oddville_env.oldtown.scene:SCENE"),
    prompts=prompt.TEXTS,
)
