"""The encoding `entities`: rows [T, D] of float32, one for each seat, card, building and lot."""

import numpy as np

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts.pieces import SEAT, Rows, row_pieces, row_writer, scaled_writers, spread, starts
from oddville_env.oldtown.cards.words import BUILDINGS, CARDS, LOTS, NOTHING
from oddville_env.oldtown.observation.features import TYPES, put_turn
from oddville_env.oldtown.observation.summary import JUDGED, judge_hand, put_unseen
from oddville_env.oldtown.rules import clues, play, worlds
from oddville_env.oldtown.rules.box import CARD
from oddville_env.oldtown.rules.state import MOST_MINE, SEATS, TOKENS

BUILDING = SEAT + SEATS  # a one for the building, or for that which a card names
LOT = BUILDING + BUILDINGS  # ones for the lots; behind them those of the own building that a C card asks for
NUMBERS = BUILDING + CARD - TYPES
WIDTH = NUMBERS + 19
"""D. The row `game` has most numbers: pieces phase to clock, and unseen."""
JUDGEMENTS = NUMBERS + TYPES + 3

KINDS = {
    "game": Rows(1, "phase to clock, and unseen, as in `summary`",
                 spread(WIDTH - 7, 30, 30, 2, 4, *(20,) * TYPES)),
    "seats": Rows(SEATS, "to move, first, score, cards in hand, own stack",
                  spread(NUMBERS + 2, 40, 6, 6)),
    "cards": Rows(CARDS, "the observer's and those played, by number: type A C B, in hand, played, shown, "
                  "counts, points (2), plays (2)",
                  spread(JUDGEMENTS + 1, *(TOKENS,) * MOST_MINE)),
    "buildings": Rows(BUILDINGS, "supply, unknown, standing, tokens",
                      {NUMBERS + 3: TOKENS}),
    "lots": Rows(LOTS, "tokens, taken", {NUMBERS: 3}),
}  # fmt: skip
GAME_ROW, SEAT_ROW, CARD_ROW, BUILDING_ROW, LOT_ROW = starts(KINDS)
GAME, SEATED, CLUE, PLACED, GROUND = range(len(KINDS))
ENTITIES = row_pieces(WIDTH, KINDS)
"""The pieces: T rows in all."""
row_of = row_writer(WIDTH)


@kernel
def put_entities(box, game, me, kept, out):
    """All rows; kept, a record of JUDGED, holds what was found of the observer's cards."""
    row = row_of(out, GAME_ROW, GAME)
    put_unseen(box, game, me, row, put_turn(box, game, row, NUMBERS))
    for place in range(box.players):
        seat, row = (me + place) % box.players, row_of(out, SEAT_ROW + place, SEATED)
        row[SEAT + place] = 1
        row[NUMBERS], row[NUMBERS + 1] = seat == game.to_move, seat == game.first
        row[NUMBERS + 2], row[NUMBERS + 3] = game.score[seat], game.hand_size[seat]
        row[NUMBERS + 4] = game.own[seat]
    put_cards(box, game, me, kept, out)
    for lot in range(LOTS):
        row = row_of(out, LOT_ROW + lot, GROUND)
        row[LOT + lot] = 1
    for building in range(BUILDINGS):
        put_building(game, building, row_of(out, BUILDING_ROW + building, PLACED), out)
    for place in range(box.players):
        for choice in range(MOST_MINE):
            mine = game.mine[(me + place) % box.players, choice]
            if mine != NOTHING:
                out[(BUILDING_ROW + int(mine)) * WIDTH + SEAT + place] = 1


write_entities, update_entities = scaled_writers(ENTITIES, put_entities, JUDGED)


@kernel
def put_building(game, building, row, out):
    """A building, and what it puts on the rows of its lots."""
    lots = np.int64(game.sets[building])
    stands = worlds.is_single(lots)
    row[BUILDING + building] = 1
    row[NUMBERS], row[NUMBERS + 1], row[NUMBERS + 2] = game.supply[building], lots == 0, stands
    row[NUMBERS + 3] = 0 if stands else worlds.count(lots)
    for lot in range(LOTS):
        if lots >> lot & 1:
            row[LOT + lot] = 1
            out[(LOT_ROW + lot) * WIDTH + NUMBERS + stands] += 1


@kernel
def put_cards(box, game, me, kept, out):
    """The cards that were played or shown, and those of the observer with what the board says of each."""
    for number in range(game.plays):
        card = int(game.played[number])
        put_card(box, card, row_of(out, CARD_ROW + card, CLUE))[NUMBERS + TYPES + 1] = 1
    if game.shown != NOTHING:
        shown = int(game.shown)
        put_card(box, shown, row_of(out, CARD_ROW + shown, CLUE))[NUMBERS + TYPES + 2] = 1
    judge_hand(box, game, me, kept)
    hand = game.hand[me]
    while hand != 0:
        card = play.lowest_card(hand)
        hand &= hand - 1
        row = put_card(box, card, row_of(out, CARD_ROW + card, CLUE))
        row[NUMBERS + TYPES] = 1
        for choice in range(clues.choices(box, card)):
            verdict = kept.verdict[card, choice]
            if clues.counts(verdict):
                row[JUDGEMENTS] = 1
            row[JUDGEMENTS + 1 + choice] = kept.points[card, choice]
            row[JUDGEMENTS + 1 + MOST_MINE + choice] = clues.may_play(box, verdict)


@kernel
def put_card(box, card, row):
    """A card by what it does; returns the row."""
    row[NUMBERS + int(box.card_type[card])] = 1
    for place in range(CARD - TYPES):
        row[BUILDING + place] = box.described[card, TYPES + place]
    return row
