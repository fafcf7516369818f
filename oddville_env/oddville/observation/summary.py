"""The encoding `summary`: some hundred numbers of float32 about -1..1, for plain networks that learn on few games.

It tells what the rules compute of a position and gives no advice. Its form is the same for every table and board.
"""

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts.pieces import FULL, Piece, lead_piece, lead_writer, put, scaled_writers
from oddville_env.oddville.cards.words import NOTHING, NOWHERE, Bonus
from oddville_env.oddville.observation.common import (
    OF_CHARACTERS,
    OF_SEATS,
    OFFERS,
    TURN,
    UNSEEN,
    put_characters,
    put_offers,
    put_one_hot,
    put_seats,
    put_turn,
    put_unseen,
)
from oddville_env.oddville.observation.sites import (
    BONUSES,
    CARD,
    CELL,
    OTHERS,
    OWN,
    SITES,
    keep_row,
    survey,
    update_site,
)
from oddville_env.oddville.rules import building, scoring, workers
from oddville_env.oddville.rules.state import GUILDS, HELD, RESOURCES, ROW, SEATS, SUITS

KINDS = len(Bonus)
PROJECT_UNITS = (1, *(3,) * RESOURCES, 4, 3, 5, 1, 5, 3, *(1,) * SUITS, *(1,) * KINDS, 5, 10, 10, 4, 4)
PROJECT = len(PROJECT_UNITS)
"""Numbers of a building that the observer may get or build."""
RIVAL_UNITS = (1, 4, 1, 10, 10)
RIVAL = len(RIVAL_UNITS)
"""Numbers of a building that another seat may build."""
put_leads = lead_writer(SEATS, scoring.score)
UNITS: dict[str, int | tuple[int, ...]] = {
    "clock": (30, 100, 64, 23), "seats": (5, 9, 6, 3, 50), "stock": 4, "piles": 3, "unseen": 16,
    "take_price": 3, "coins_shown": 3,
}  # fmt: skip
SUMMARY = (
    *(piece._replace(unit=UNITS.get(piece.name, 1)) for piece in (*TURN, *OF_SEATS, *OF_CHARACTERS, *UNSEEN, *OFFERS)),
    lead_piece(SEATS),
    Piece("row", (ROW, PROJECT), FULL, "the face-up building cards, position 1 first", -FULL, PROJECT_UNITS),
    Piece("held", (HELD, PROJECT), FULL, "the observer's held buildings, oldest first", -FULL, PROJECT_UNITS),
    Piece("rivals", (SEATS - 1, HELD, RIVAL), FULL, "the others' held buildings", 0, RIVAL_UNITS),
)


@kernel
def put_summary(box, game, me, sites, out):
    """All pieces, from the first one on; sites, a record of SITES, is kept between observations of a game."""
    survey(box, game, sites)
    keep_row(game, sites, me)
    at = put_turn(box, game, out, 0)
    at = put_seats(box, game, me, out, at)
    at = put_characters(box, game, me, out, at)
    at = put_unseen(game, out, at)
    take_prices = out[at : at + RESOURCES]
    at = put_offers(box, game, me, out, at)
    at = put_leads(box, game, me, out, at)
    for position in range(ROW):
        card, price = game.row[position], workers.lowest_row_price(box, game, me, position)
        if card != NOTHING:
            update_site(box, game, sites, me, card, sites.row[me, position])
            put_project(box, game, me, sites.row[me, position], price, price <= game.coins[me], take_prices, out, at)
        at += PROJECT
    for held in range(HELD):
        card = game.held[me, held]
        if card != NOTHING:
            site = sites.held[me, held]
            update_site(box, game, sites, me, card, site)
            put_project(box, game, me, site, 0, can_build(box, game, me, site), take_prices, out, at)
        at += PROJECT
    put_rivals(box, game, me, sites, out, at)


write_summary, update_summary = scaled_writers(SUMMARY, put_summary, SITES)


@kernel
def put_project(box, game, me, site, price, is_affordable, take_prices, out, at):
    """[PROJECT] numbers of a building: what it asks of the observer, and what it gives; site [SITE] is its best one."""
    card, coins, number = site[CARD], price, 0
    out[at] = 1
    for resource in range(RESOURCES):
        missing = max(box.cost[card, resource] - game.stock[me, resource], 0)
        out[at + 1 + resource] = missing
        coins += missing * int(take_prices[resource])
        number += box.cost[card, resource]
    at = put(out, at + 1 + RESOURCES, number)
    at = put(out, at, price)
    at = put(out, at, max(coins - game.coins[me], 0))
    at = put(out, at, is_affordable)
    at = put(out, at, box.base_value[card])
    at = put(out, at, box.per[card])
    at = put_one_hot(out, at, box.suit[card], SUITS)
    for kind in range(KINDS):
        out[at + kind] = site[BONUSES + kind]
    at = put(out, at + KINDS, favour(box, game, card))
    at = put(out, at, site[OWN])
    at = put(out, at, site[OTHERS])
    if site[CELL] != NOWHERE:
        out[at], out[at + 1] = box.column[site[CELL]], box.line[site[CELL]]


@kernel
def can_build(box, game, seat, site):
    """[B1 B7] The seat can pay for the card of a site, and there is a cell for it."""
    return site[CELL] != NOWHERE and building.can_pay(box, game, seat, site[CARD])


@kernel
def favour(box, game, card):
    """[G1] The points of the character that a card would bring now, 0 where its pile is empty."""
    guild = box.suit[card]
    if guild >= GUILDS or game.pile_size[guild] == 0:
        return 0
    return int(box.points[game.pile[guild, game.pile_size[guild] - 1]])


@kernel
def put_rivals(box, game, me, sites, out, at):
    """Piece rivals."""
    for place in range(1, box.players):
        seat = (me + place) % box.players
        for held in range(HELD):
            card = game.held[seat, held]
            if card != NOTHING:
                update_site(box, game, sites, seat, card, sites.held[seat, held])
                put_rival(box, game, seat, sites.held[seat, held], out, at + ((place - 1) * HELD + held) * RIVAL)


@kernel
def put_rival(box, game, seat, site, out, at):
    """[RIVAL] numbers of a building that another seat holds: what it still asks of its owner, and what it gives."""
    missing = 0
    for resource in range(RESOURCES):
        missing += max(box.cost[site[CARD], resource] - game.stock[seat, resource], 0)
    at = put(out, at, 1)
    at = put(out, at, missing)
    at = put(out, at, can_build(box, game, seat, site))
    at = put(out, at, site[OWN])
    put(out, at, site[OTHERS])
