"""The encoding `entities`: rows [T, D] of float32, one for each card, seat, resource, character and free cell."""

import numpy as np

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts.pieces import SEAT, Rows, row_pieces, row_writer, scaled_writers, spread, starts
from oddville_env.oddville.cards.words import MOST_SLOTS, NOTHING
from oddville_env.oddville.observation.common import copy, put_offers, put_owner, put_turn, put_unseen, relative
from oddville_env.oddville.rules import building, scoring, state, workers
from oddville_env.oddville.rules.box import CARD
from oddville_env.oddville.rules.state import CHARACTERS, GUILDS, RESOURCES, ROW, SEATS, WORKER_CARDS

PLACE = SEAT + SEATS  # two columns: where it lies
NUMBERS = PLACE + 2
WIDTH = NUMBERS + 44
"""D. The row `game` has most numbers: pieces phase to pending, and unseen."""
DESCRIBED = CARD - 1  # numbers of a card but for `present`
WORTH = NUMBERS + DESCRIBED
CARD_UNITS = spread(NUMBERS, *(3,) * RESOURCES, 5) | {WORTH: 10, WORTH + 1: 3}
AT = spread(PLACE, 4, 4)

KINDS = {
    "game": Rows(1, "phase to pending, and unseen, as in `summary`",
                 spread(NUMBERS + 20, 30, 100, 64, 23) | spread(WIDTH - 5, *(16,) * 5)),
    "seats": Rows(SEATS, "has the turn, to move, first, trigger, coins, supply, settled, holding, score, hand (4), "
                  "stock (4)",
                  spread(NUMBERS + 4, 5, 9, 6, 3, 50) | spread(NUMBERS + 13, *(4,) * RESOURCES)),
    "row": Rows(ROW, "position as place; the card as in `features`, its value, price, payable",
                CARD_UNITS | {PLACE: 6}),
    "held": Rows(SEATS * state.HELD, "the card, its value, 0, payable by its seat", CARD_UNITS),
    "city": Rows(state.CITY, "the card, its value now", CARD_UNITS | AT),
    "resources": Rows(RESOURCES, "one-hot (4), take_price, slots (4 x 4), square (4)",
                      {NUMBERS + RESOURCES: 3} | spread(NUMBERS + RESOURCES + 13, *(4,) * SEATS)),
    "characters": Rows(CHARACTERS, "one-hot (12), guild (4), points, top, met, size of its pile",
                       {NUMBERS + CHARACTERS + GUILDS: 4, NUMBERS + CHARACTERS + GUILDS + 3: 3}),
    "workers": Rows(WORKER_CARDS, "takes (4), price (6), coins_shown, in use; its seats have it in hand",
                    spread(NUMBERS + RESOURCES, *(6,) * ROW, 3)),
    "cells": Rows(state.FRONTIER, "empty cells beside the city: sides (8)", AT),
}  # fmt: skip
GAME_ROW, SEAT_ROW, ROW_ROW, HELD_ROW, CITY_ROW, RESOURCE_ROW, CHARACTER_ROW, WORKER_ROW, CELL_ROW = starts(KINDS)
GAME, SEATED, LYING, HOLDING, BUILT, RESOURCE, CHARACTER, WORKER, CELL = range(len(KINDS))
ENTITIES = row_pieces(WIDTH, KINDS)
"""The pieces: T rows in all."""
OFFERED = RESOURCES + WORKER_CARDS  # numbers of `put_offers`
row_of = row_writer(WIDTH)


@kernel
def put_entities(box, game, me, kept, out):
    """All rows; nothing is kept between observations."""
    row = row_of(out, GAME_ROW, GAME)
    put_unseen(game, row, put_turn(box, game, row, NUMBERS))
    for place in range(box.players):
        put_seat(box, game, (me + place) % box.players, place, row_of(out, SEAT_ROW + place, SEATED))
    put_cards(box, game, me, out)
    offers = np.zeros(OFFERED, np.float32)
    put_offers(box, game, me, offers, 0)
    for resource in range(RESOURCES):
        put_resource(box, game, me, resource, offers[resource], row_of(out, RESOURCE_ROW + resource, RESOURCE))
    for character in range(CHARACTERS):
        put_character(box, game, me, character, row_of(out, CHARACTER_ROW + character, CHARACTER))
    for worker in range(WORKER_CARDS):
        put_worker(box, game, me, worker, offers[RESOURCES + worker], row_of(out, WORKER_ROW + worker, WORKER))
    for place in range(game.frontier_size):
        cell = int(game.frontier[place])
        row = row_of(out, CELL_ROW + place, CELL)
        row[PLACE], row[PLACE + 1] = box.column[cell], box.line[cell]
        for bit in range(2 * state.SIDES):
            row[NUMBERS + bit] = (game.facing[cell] >> bit) & 1


write_entities, _ = scaled_writers(ENTITIES, put_entities)


@kernel
def put_seat(box, game, seat, place, row):
    """A seat."""
    row[SEAT + place] = 1
    row[NUMBERS] = seat == game.active
    row[NUMBERS + 1] = seat == game.to_move
    row[NUMBERS + 2] = seat == game.first
    row[NUMBERS + 3] = seat == game.trigger
    row[NUMBERS + 4] = game.coins[seat]
    row[NUMBERS + 5] = game.supply[seat]
    row[NUMBERS + 6] = game.settled[seat]
    row[NUMBERS + 7] = game.holding[seat]
    row[NUMBERS + 8] = scoring.score(box, game, seat)
    for worker in range(WORKER_CARDS):
        row[NUMBERS + 9 + worker] = game.hand[seat, worker]
    for resource in range(RESOURCES):
        row[NUMBERS + 9 + WORKER_CARDS + resource] = game.stock[seat, resource]


@kernel
def put_card(box, card, value, row):
    """What a card does, and its value."""
    copy(box.described[card, 1:], row[NUMBERS:WORTH])
    row[WORTH] = value


@kernel
def put_cards(box, game, me, out):
    """The cards of the row, those held, and those of the city."""
    for position in range(ROW):
        card = game.row[position]
        if card != NOTHING:
            row, price = row_of(out, ROW_ROW + position, LYING), workers.lowest_row_price(box, game, me, position)
            put_card(box, card, box.base_value[card], row)
            row[PLACE] = position + 1
            row[WORTH + 1], row[WORTH + 2] = price, price <= game.coins[me]
    for place in range(box.players):
        seat = (me + place) % box.players
        for held in range(game.holding[seat]):
            card, row = game.held[seat, held], row_of(out, HELD_ROW + place * state.HELD + held, HOLDING)
            put_card(box, card, box.base_value[card], row)
            row[SEAT + place] = 1
            row[WORTH + 2] = building.can_pay(box, game, seat, card)
    for entry in range(game.city_size):
        row, cell = row_of(out, CITY_ROW + entry, BUILT), int(game.city_cell[entry])
        put_card(box, game.city_card[entry], game.value[entry], row)
        put_owner(box, game.city_owner[entry], me, row, SEAT)
        row[PLACE], row[PLACE + 1] = box.column[cell], box.line[cell]


@kernel
def put_resource(box, game, me, resource, price, row):
    """A resource of the board."""
    slots, upper = NUMBERS + RESOURCES + 1, MOST_SLOTS - 1
    row[NUMBERS + resource] = 1
    row[slots - 1] = price
    for slot in range(box.upper_slot):
        put_owner(box, game.lodger[resource, slot], me, row, slots + slot * SEATS)
    for seat in range(box.players):
        row[slots + upper * SEATS + relative(box, seat, me)] = game.upper[resource, seat]
    put_owner(box, game.on_square[resource], me, row, slots + MOST_SLOTS * SEATS)


@kernel
def put_character(box, game, me, character, row):
    """A character."""
    guild, numbers = int(box.guild[character]), NUMBERS + CHARACTERS + GUILDS
    put_owner(box, game.owner[character], me, row, SEAT)
    row[NUMBERS + character] = row[NUMBERS + CHARACTERS + guild] = 1
    row[numbers] = box.points[character]
    row[numbers + 1] = game.pile_size[guild] > 0 and game.pile[guild, game.pile_size[guild] - 1] == character
    row[numbers + 2] = game.character_seen[character]
    row[numbers + 3] = game.pile_size[guild]


@kernel
def put_worker(box, game, me, worker, coins, row):
    """A worker card, of which each seat has one."""
    for place in range(box.players):
        row[SEAT + place] = game.hand[(me + place) % box.players, worker]
    copy(box.takes[worker], row[NUMBERS : NUMBERS + RESOURCES])
    copy(box.price[worker], row[NUMBERS + RESOURCES : NUMBERS + RESOURCES + ROW])
    row[NUMBERS + RESOURCES + ROW] = coins
    row[NUMBERS + RESOURCES + ROW + 1] = game.worker == worker
