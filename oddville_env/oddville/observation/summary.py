"""The encoding `summary`: some hundred numbers of float32 about -1..1, for plain networks that learn on few games.

It tells what the rules compute of a position and gives no advice. Its form is the same for every table and board.
"""

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts.pieces import FULL, Piece, lead_piece, lead_writer, put, scaled_writer
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
from oddville_env.oddville.rules import building, scoring, workers
from oddville_env.oddville.rules.state import GUILDS, HELD, RESOURCES, ROW, SEATS, SIDES, SUITS

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
def put_summary(box, game, me, out):
    """All pieces, from the first one on."""
    at = put_turn(box, game, out, 0)
    at = put_seats(box, game, me, out, at)
    at = put_characters(box, game, me, out, at)
    at = put_unseen(game, out, at)
    at = put_offers(box, game, me, out, at)
    at = put_leads(box, game, me, out, at)
    for position in range(ROW):
        price = workers.lowest_row_price(box, game, me, position)
        at = put_project(box, game, me, game.row[position], price, False, out, at)
    for held in range(HELD):
        at = put_project(box, game, me, game.held[me, held], 0, True, out, at)
    put_rivals(box, game, me, out, at)


write_summary = scaled_writer(SUMMARY, put_summary)


@kernel
def put_project(box, game, me, card, price, is_held, out, at):
    """[PROJECT] numbers of a building: what it asks of the observer, and what it gives; zeros where there is none."""
    if card == NOTHING:
        return at + PROJECT
    own, others, cell = best_site(box, game, me, card)
    at = put(out, at, 1)
    asked, coins, number = at + RESOURCES, price, 0
    for resource in range(RESOURCES):
        missing = max(box.cost[card, resource] - game.stock[me, resource], 0)
        coins += missing * workers.take_price(box, game, me, resource)
        number += box.cost[card, resource]
        at = put(out, at, missing)
    at = put(out, asked, number)
    at = put(out, at, price)
    at = put(out, at, max(coins - game.coins[me], 0))
    at = put(out, at, can_build(box, game, me, card, cell) if is_held else price <= game.coins[me])
    at = put(out, at, box.base_value[card])
    at = put(out, at, box.per[card])
    at = put_one_hot(out, at, box.suit[card], SUITS)
    at = put_bonuses(box, game, me, card, cell, out, at)
    at = put(out, at, favour(box, game, card))
    at = put(out, at, own)
    at = put(out, at, others)
    if cell != NOWHERE:
        out[at], out[at + 1] = box.column[cell], box.line[cell]
    return at + 2


@kernel
def can_build(box, game, seat, card, cell):
    """[B1 B7] The seat can pay, and there is a cell for it."""
    return cell != NOWHERE and building.can_pay(box, game, seat, card)


@kernel
def put_bonuses(box, game, seat, card, cell, out, at):
    """[B5] The bonuses by kind that a card brings on a cell, only its own one where it fits nowhere."""
    out[at + int(box.bonus[card])] += 1
    if cell != NOWHERE:
        for side in range(SIDES):
            neighbour = building.joined(box, game, seat, card, cell, side)
            if neighbour != NOTHING:
                out[at + int(box.bonus[neighbour])] += 1
    return at + KINDS


@kernel
def favour(box, game, card):
    """[G1] The points of the character that a card would bring now, 0 where its pile is empty."""
    guild = box.suit[card]
    if guild >= GUILDS or game.pile_size[guild] == 0:
        return 0
    return int(box.points[game.pile[guild, game.pile_size[guild] - 1]])


@kernel
def put_rivals(box, game, me, out, at):
    """Piece rivals."""
    for place in range(1, box.players):
        seat = (me + place) % box.players
        for held in range(HELD):
            card = game.held[seat, held]
            if card != NOTHING:
                put_rival(box, game, seat, card, out, at + ((place - 1) * HELD + held) * RIVAL)


@kernel
def put_rival(box, game, seat, card, out, at):
    """[RIVAL] numbers of a building that another seat holds: what it still asks of its owner, and what it gives."""
    own, others, cell = best_site(box, game, seat, card)
    missing = 0
    for resource in range(RESOURCES):
        missing += max(box.cost[card, resource] - game.stock[seat, resource], 0)
    at = put(out, at, 1)
    at = put(out, at, missing)
    at = put(out, at, can_build(box, game, seat, card, cell))
    at = put(out, at, own)
    put(out, at, others)


@kernel
def best_site(box, game, owner, card):
    """(points for the owner, points for the others, cell): where a card would add most to its owner's score.

    Its own value and what it adds to the owner's buildings count. Equals are told apart by what they add to others,
    less being better, then by the lower cell; the cell is NOWHERE where the card fits nowhere.
    """
    most, least, best = 0, 0, NOWHERE
    for place in range(game.frontier_size):
        cell = int(game.frontier[place])
        if building.fits(box, game, card, cell):
            own, others = points_at(box, game, owner, card, cell)
            if best == NOWHERE or (own, -others, -cell) > (most, -least, -best):
                most, least, best = own, others, cell
    return most, least, best


@kernel
def points_at(box, game, owner, card, cell):
    """[V1] The points that a card on a cell would add to its owner's score, and to the others' together."""
    own, others = scoring.value_at(box, game, card, cell), 0
    for entry in range(1, game.city_size):
        grown = scoring.growth(box, game, entry, card, cell)
        if game.city_owner[entry] == owner:
            own += grown
        else:
            others += grown
    return own, others
