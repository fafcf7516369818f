"""Observations: named pieces, one after the other, in one flat vector.

An observation holds what is public (RULES.md, "Who knows what") and nothing else. Seats are "me first": 0 is the
observer, the others follow clockwise, padded to four, so one layout serves 2, 3 and 4 players. A piece stands beside
the kernel that writes it: `common` has those of `features` and `ids` (uint8), `summary` (float32) its own. `FORMS` has
a row for each encoding.
"""

from typing import Literal

import numpy as np

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts.loops import encoding_loops
from oddville_env.core.parts.pieces import Form, Piece, encoders, state_encoders
from oddville_env.oddville.observation.common import common_pieces
from oddville_env.oddville.observation.entities import ENTITIES, WIDTH, write_entities
from oddville_env.oddville.observation.features import features, ids, update_features, write_features, write_ids
from oddville_env.oddville.observation.sites import SITES
from oddville_env.oddville.observation.summary import SUMMARY, update_summary, write_summary
from oddville_env.oddville.rules.batch import LOOPS
from oddville_env.oddville.rules.state import BUILDINGS, CHARACTERS, GUILDS, IN_GUILD, MOST_COINS, SEATS

Encoding = Literal["features", "ids", "summary", "entities"]


FORMS: dict[str, Form] = {
    "features": Form(
        lambda layout: (*common_pieces(layout.slots), *features(layout.columns, layout.lines)),
        write_features,
        encoding_loops(LOOPS, write_features, update_features),
    ),
    "ids": Form(
        lambda layout: (*common_pieces(layout.slots), *ids(layout.columns, layout.lines)),
        write_ids,
        encoding_loops(LOOPS, write_ids),
    ),
    "summary": Form(
        lambda layout: SUMMARY, write_summary, encoding_loops(LOOPS, write_summary, update_summary, SITES), np.float32
    ),
    "entities": Form(lambda layout: ENTITIES, write_entities, encoding_loops(LOOPS, write_entities), np.float32, WIDTH),
}
"""The encodings by name, the default first. A further row is a further encoding for agents and environments."""
ENCODINGS = tuple(FORMS)
encoder_of, make_encoder = encoders(FORMS)
"""(encoding, layout) -> the encoder, and (box, encoding) -> the encoder; raise SettingError for an unknown encoding."""


HIDDEN = (
    Piece("seen", (BUILDINGS,), 1, "by card: it has lain face up"),
    Piece("deck_order", (BUILDINGS,), BUILDINGS, "by card: its place in the deck, 1 on top; 0 elsewhere"),
    Piece("coin_order", (SEATS, BUILDINGS), MOST_COINS, "by card: its place in a seat's coins, oldest 1; 0 elsewhere"),
    Piece("pile_order", (CHARACTERS,), IN_GUILD, "by character: its place in its pile, 1 on top; 0 elsewhere"),
)


@kernel
def put_hidden(box, game, out, at):
    """HIDDEN; what was there is 0."""
    for card in range(BUILDINGS):
        out[at + card] = game.card_seen[card]
    deck = at + BUILDINGS
    for place in range(game.deck_size):
        out[deck + int(game.deck[(game.deck_top + place) % BUILDINGS])] = place + 1
    coins = deck + BUILDINGS
    for seat in range(box.players):
        for place in range(game.coins[seat]):
            out[coins + seat * BUILDINGS + int(game.coin[seat, place])] = place + 1
    piles = coins + SEATS * BUILDINGS
    for guild in range(GUILDS):
        for place in range(game.pile_size[guild]):
            out[piles + int(game.pile[guild, game.pile_size[guild] - 1 - place])] = place + 1


state_encoder = state_encoders(FORMS["features"], HIDDEN, put_hidden, LOOPS)
