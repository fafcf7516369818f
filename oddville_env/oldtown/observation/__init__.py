"""Observations: named pieces, one after the other, in one flat vector.

An observation holds what the observer may know (OLDTOWN.md, "Who knows what") and nothing else. Seats are "me first":
0 is the observer, the others follow clockwise, padded to four, so one layout serves 2, 3 and 4 players. Cards are
described by what they do, so that a policy can play another deck. `features` ends with the cards played so far, as a
perfect memory has them; `memoryless` leaves them out. `summary` (float32) tells what the rules compute. `FORMS` has a
row for each encoding.
"""

from typing import Literal

import numpy as np

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts.loops import encoding_loops
from oddville_env.core.parts.pieces import Form, Piece, encoders, state_encoders
from oddville_env.oldtown.cards.words import CARDS
from oddville_env.oldtown.observation.entities import ENTITIES, WIDTH, update_entities, write_entities
from oddville_env.oldtown.observation.features import PIECES, PLAYED, write_features, write_memoryless
from oddville_env.oldtown.observation.summary import JUDGED, SUMMARY, step, update_summary, write_summary
from oddville_env.oldtown.rules import play, setup
from oddville_env.oldtown.rules.batch import LOOPS
from oddville_env.oldtown.rules.state import OWN_STACK, SEATS

Encoding = Literal["features", "memoryless", "summary", "entities"]

FORMS: dict[str, Form] = {
    "features": Form(lambda layout: (*PIECES, *PLAYED), write_features, encoding_loops(LOOPS, write_features)),
    "memoryless": Form(lambda layout: PIECES, write_memoryless, encoding_loops(LOOPS, write_memoryless)),
    "summary": Form(
        lambda layout: SUMMARY,
        write_summary,
        encoding_loops(LOOPS, write_summary, update_summary, JUDGED, step),
        np.float32,
    ),
    "entities": Form(
        lambda layout: ENTITIES,
        write_entities,
        encoding_loops(LOOPS, write_entities, update_entities, JUDGED, step),
        np.float32,
        WIDTH,
    ),
}
"""The encodings by name, the default first. A further row is a further encoding for agents and environments."""
ENCODINGS = tuple(FORMS)
encoder_of, make_encoder = encoders(FORMS)
"""(encoding, layout) -> the encoder, and (box, encoding) -> the encoder; raise SettingError for an unknown encoding."""


HIDDEN = (
    Piece("hands", (SEATS, CARDS), 1, "each seat's cards by their numbers"),
    Piece("own_order", (SEATS, CARDS), OWN_STACK, "by card: its place in a seat's own stack, 1 on top; 0 elsewhere"),
    Piece("common_order", (CARDS,), CARDS, "by card: its place in the common stack, 1 on top; 0 elsewhere"),
)


@kernel
def put_hidden(box, game, out, at):
    """HIDDEN; what was there is 0."""
    own = at + SEATS * CARDS
    common = own + SEATS * CARDS
    for seat in range(box.players):
        for card in range(CARDS):
            out[at + seat * CARDS + card] = (game.hand[seat] & play.bit(card)) != 0
        top = setup.own_place(box, seat) + box.own_size - game.own[seat]
        put_order(game, top, game.own[seat], out, own + seat * CARDS)
    put_order(game, box.out_place - game.common, game.common, out, common)


@kernel
def put_order(game, top, left, out, at):
    """The places, from 1, of the cards that a stack still has; top: the place of the deal of the first of them."""
    for place in range(left):
        out[at + int(game.deal[top + place])] = place + 1


state_encoder = state_encoders(FORMS["features"], HIDDEN, put_hidden, LOOPS)
