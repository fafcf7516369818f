"""The encoding `summary`: some hundred numbers of float32 about -1..1, for plain networks that learn on few games.

It tells what the rules compute of a position and gives no advice. Its form is the same for every table and board.
"""

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts.pieces import FULL, Piece, lead_piece, lead_writer, scaled_writers
from oddville_env.oddville.cards.words import NOTHING
from oddville_env.oddville.observation import common
from oddville_env.oddville.observation.sites import IS_SITE, KINDS, OTHERS, OWN, SITES, site_of, survey
from oddville_env.oddville.rules import building, scoring, workers
from oddville_env.oddville.rules.state import GUILDS, HELD, RESOURCES, ROW, SEATS, SUITS

PROJECT_UNITS = (1, *(3,) * RESOURCES, 4, 3, 5, 1, 5, 3, *(1,) * SUITS, *(1,) * KINDS, 5, 10, 10, 4, 4)
PROJECT = len(PROJECT_UNITS)
"""Numbers of a building that the observer may get or build."""
AFFORDABLE = 1 + RESOURCES + 3
OF_SITE = AFFORDABLE + 3 + SUITS
RIVAL_UNITS = (1, 4, 1, 10, 10)
RIVAL = len(RIVAL_UNITS)
"""Numbers of a building that another seat may build."""


@kernel
def noted_score(box, sites, seat):
    """The score of a seat."""
    return sites.score[seat]


put_leads = lead_writer(SEATS, noted_score)
UNITS: dict[str, int | tuple[int, ...]] = {
    "clock": (30, 100, 64, 23), "seats": (5, 9, 6, 3, 50), "stock": 4, "piles": 3, "unseen": 16,
    "take_price": 3, "coins_shown": 3,
}  # fmt: skip
SHARED = (*common.TURN, *common.OF_SEATS, *common.OF_CHARACTERS, *common.UNSEEN, *common.OFFERS)
SUMMARY = (
    *(piece._replace(unit=UNITS.get(piece.name, 1)) for piece in SHARED),
    lead_piece(SEATS),
    Piece("row", (ROW, PROJECT), FULL, "the face-up building cards, position 1 first", -FULL, PROJECT_UNITS),
    Piece("held", (HELD, PROJECT), FULL, "the observer's held buildings, oldest first", -FULL, PROJECT_UNITS),
    Piece("rivals", (SEATS - 1, HELD, RIVAL), FULL, "the others' held buildings", 0, RIVAL_UNITS),
)


@kernel
def put_summary(box, game, me, sites, out):
    """All pieces, from the first one on; sites, a record of SITES, is kept between observations of a game."""
    survey(box, game, sites)
    note_points(box, game, sites)
    at = common.put_turn(box, game, out, 0)
    for place in range(box.players):
        out[at + common.SCORE + place * common.MARKS] = sites.score[(me + place) % box.players]
    at = common.put_seats(box, game, me, out, at)
    at = common.put_characters(box, game, me, out, at)
    at = common.put_unseen(game, out, at)
    take_prices = out[at : at + RESOURCES]
    at = common.put_offers(box, game, me, out, at)
    at = put_leads(box, sites, me, out, at)
    for position in range(ROW):
        card, price = game.row[position], workers.lowest_row_price(box, game, me, position)
        if card != NOTHING:
            project = out[at : at + PROJECT]
            project[AFFORDABLE] = price <= game.coins[me]
            put_project(box, game, me, sites, card, price, take_prices, project)
        at += PROJECT
    for held in range(game.holding[me]):
        card, project = game.held[me, held], out[at + held * PROJECT : at + (held + 1) * PROJECT]
        put_project(box, game, me, sites, card, 0, take_prices, project)
        project[AFFORDABLE] = can_build(box, game, me, card, site_of(box, game, sites, me, card))
    at += HELD * PROJECT
    for place in range(1, box.players):
        seat = (me + place) % box.players
        for held in range(game.holding[seat]):
            put_rival(box, game, seat, sites, game.held[seat, held], out[at + held * RIVAL : at + (held + 1) * RIVAL])
        at += HELD * RIVAL


write_summary, update_summary = scaled_writers(SUMMARY, put_summary, SITES)


@kernel
def note_points(box, game, sites):
    """Note every seat's score, and the points of the character that a card of each suit would bring [G1]."""
    for seat in range(box.players):
        sites.score[seat] = sites.built[seat] + scoring.points_beside_city(box, game, seat)
    for guild in range(GUILDS):
        size = game.pile_size[guild]
        sites.favour[guild] = box.points[game.pile[guild, size - 1]] if size > 0 else 0


@kernel
def put_project(box, game, me, sites, card, price, take_prices, out):
    """[PROJECT] numbers of a building: what it asks of the observer, and what it gives; but for AFFORDABLE."""
    site, suit, coins, number = site_of(box, game, sites, me, card), int(box.suit[card]), price, 0
    out[0] = 1
    for resource in range(RESOURCES):
        cost = int(box.cost[card, resource])
        missing = max(cost - game.stock[me, resource], 0)
        out[1 + resource] = missing
        coins += missing * int(take_prices[resource])
        number += cost
    out[AFFORDABLE - 3] = number
    out[AFFORDABLE - 2] = price
    out[AFFORDABLE - 1] = max(coins - game.coins[me], 0)
    out[AFFORDABLE + 1] = box.base_value[card]
    out[AFFORDABLE + 2] = box.per[card]
    out[AFFORDABLE + 3 + suit] = 1
    for kind in range(KINDS):
        out[OF_SITE + kind] = site[kind]
    out[OF_SITE + KINDS] = sites.favour[suit]
    for number in range(KINDS, IS_SITE):
        out[OF_SITE + 1 + number] = site[number]


@kernel
def can_build(box, game, seat, card, site):
    """[B1 B7] The seat can pay for a card, and there is a cell for it."""
    return site[IS_SITE] and building.can_pay(box, game, seat, card)


@kernel
def put_rival(box, game, seat, sites, card, out):
    """[RIVAL] numbers of a building that another seat holds: what it still asks of its owner, and what it gives."""
    site, missing = site_of(box, game, sites, seat, card), 0
    for resource in range(RESOURCES):
        missing += max(box.cost[card, resource] - game.stock[seat, resource], 0)
    out[0] = 1
    out[1] = missing
    out[2] = can_build(box, game, seat, card, site)
    out[3] = site[OWN]
    out[4] = site[OTHERS]
