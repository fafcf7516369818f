"""The best cell for a building of each seat, found by a survey of the frontier that serves all cards and owners.

A survey depends on the city alone, which changes only when a card is placed. Batches keep it between observations, with
the best sites of the cards in the row and of held ones.
"""

import numpy as np

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts.pieces import FULL
from oddville_env.oddville.cards.words import NOTHING, NOWHERE, Bonus, Character, Counts
from oddville_env.oddville.rules import building, scoring
from oddville_env.oddville.rules.state import BUILDINGS, FRONTIER, SEATS, SIDES, SUITS

ALL = SEATS  # the row of `gain` and `shield_gain` of all owners together
COUNTED = len(Counts) - SUITS  # things that formulas count from a cell: adjacent cards, shields, line, column
ADJACENT, SHIELDS, LINE, COLUMN = range(COUNTED)
KINDS = len(Bonus)
OWN, OTHERS, SITE_COLUMN, SITE_LINE, IS_SITE, SITE = range(KINDS, KINDS + 6)
"""[SITE] numbers of a card's best cell for its owner, zeros where it fits nowhere: the bonuses by kind that it would
bring [B5], the points that it would add there to its owner's score and to the others' together [V1], the column and
line, and that there is such a cell."""
FIELDS = [
    ("known", "i8"),  # the size of the surveyed city
    ("last_card", "i2"),  # in it
    ("last_cell", "i2"),
    ("lamplighter", "i2"),  # the owner of the character who changes bonuses, C10
    ("line", "i2", FRONTIER),  # of each cell of the frontier
    ("column", "i2", FRONTIER),
    ("counted", "i2", (COUNTED, FRONTIER)),  # the things that formulas count from it
    ("gain", "i2", (SEATS + 1, FRONTIER)),  # what each owner's buildings would gain by any card there
    ("shield_gain", "i2", (SEATS + 1, FRONTIER)),  # and for each shield of the card
    ("suit_gain", "i2", (SEATS + 1, SUITS)),  # and by a card of a suit, wherever it stands
    ("suit", "i2", SUITS),  # cards of each suit in the city
    ("built", "i4", SEATS),  # the points of each seat's buildings
    ("score", "i4", SEATS),  # of each seat now
    ("favour", "i2", SUITS),  # the points of the character that a card of the suit would bring now
    ("found", "i2", SEATS),  # how many best sites each seat has in `site`
    ("number", "u1", (SEATS, BUILDINGS)),  # of each card's site among them, from 1; 0 for none
    ("site", "i2", (SEATS, BUILDINGS, SITE)),  # in the order of finding: side by side, they share cache lines
]
SITES = np.dtype((np.record, FIELDS))


@kernel
def survey(box, game, sites):
    """Survey the frontier anew if the city has changed, or who has the lamplighter: sites, a record of SITES.

    Two cities of one size are different moves from one position, so they differ in the last card or its cell.
    """
    lamplighter, last = game.owner[Character.LAMPLIGHTER], game.city_size - 1
    card, cell = game.city_card[last], game.city_cell[last]
    if sites.known == game.city_size and (card, cell, lamplighter) == (
        sites.last_card,
        sites.last_cell,
        sites.lamplighter,
    ):
        return
    sites.known, sites.last_card, sites.last_cell, sites.lamplighter = game.city_size, card, cell, lamplighter
    sites.found[:] = 0
    sites.number[:] = 0
    sites.suit[:] = 0
    sites.counted[:] = 0
    sites.gain[:] = 0
    sites.shield_gain[:] = 0
    sites.suit_gain[:] = 0
    for place in range(game.frontier_size):
        sites.line[place], sites.column[place] = box.line[game.frontier[place]], box.column[game.frontier[place]]
    count_card(box, game, sites, 0)
    for entry in range(1, game.city_size):
        count_card(box, game, sites, entry)
        note_gain(box, game, sites, entry)
    for seat in range(box.players):
        sites.built[seat] = scoring.built_points(game, seat)
        for place in range(game.frontier_size):
            sites.gain[ALL, place] += sites.gain[seat, place]
            sites.shield_gain[ALL, place] += sites.shield_gain[seat, place]
        for suit in range(SUITS):
            sites.suit_gain[ALL, suit] += sites.suit_gain[seat, suit]


@kernel
def count_card(box, game, sites, entry):
    """[V1] A card of the city counts for formulas at the cells of the frontier."""
    card, cell = game.city_card[entry], game.city_cell[entry]
    line, column, shields = box.line[cell], box.column[cell], box.shield[card]
    for place in range(game.frontier_size):
        lines, columns = abs(sites.line[place] - line), abs(sites.column[place] - column)
        beside = lines + columns == 1
        sites.counted[ADJACENT, place] += beside
        sites.counted[SHIELDS, place] += beside * shields
        sites.counted[LINE, place] += lines == 0
        sites.counted[COLUMN, place] += columns == 0
    if box.suit[card] != NOTHING:
        sites.suit[box.suit[card]] += 1


@kernel
def note_gain(box, game, sites, entry):
    """[V1] What a building of the city would gain by a card on each cell of the frontier."""
    card, cell, owner = game.city_card[entry], game.city_cell[entry], game.city_owner[entry]
    counts, per, line, column = box.counts[card], box.per[card], box.line[cell], box.column[cell]
    if counts == Counts.ROW:
        for place in range(game.frontier_size):
            sites.gain[owner, place] += per * (sites.line[place] == line)
    elif counts == Counts.COLUMN:
        for place in range(game.frontier_size):
            sites.gain[owner, place] += per * (sites.column[place] == column)
    elif counts == Counts.ADJACENT:
        for place in range(game.frontier_size):
            sites.gain[owner, place] += per * (abs(sites.line[place] - line) + abs(sites.column[place] - column) == 1)
    elif counts == Counts.SHIELDS:
        for place in range(game.frontier_size):
            beside = abs(sites.line[place] - line) + abs(sites.column[place] - column) == 1
            sites.shield_gain[owner, place] += per * beside
    elif counts != NOTHING:
        sites.suit_gain[owner, counts] += per


@kernel
def site_of(box, game, sites, owner, card):
    """The best site [SITE] of a card for its owner, found where it is asked for first."""
    number = sites.number[owner, card]
    if number == 0:
        sites.found[owner] += 1
        sites.number[owner, card] = number = sites.found[owner]
        find_site(box, game, sites, owner, card, sites.site[owner, number - 1])
    return sites.site[owner, number - 1]


@kernel
def find_site(box, game, sites, owner, card, site):
    """The cell where a card would add most to its owner's score, and what it would bring there: site [SITE].

    Equals are told apart by what they add to others, less being better, then by the lower cell.
    """
    suit, counts, per, shields = box.suit[card], box.counts[card], int(box.per[card]), int(box.shield[card])
    itself = counts == Counts.ROW or counts == Counts.COLUMN or counts == suit
    own_everywhere = int(box.base_value[card]) + per * itself + sites.suit_gain[owner, suit]
    if counts < SUITS:
        own_everywhere += per * sites.suit[counts] if counts != NOTHING else 0
        per = 0
    others_everywhere = sites.suit_gain[ALL, suit] - sites.suit_gain[owner, suit]
    counted = max(counts - SUITS, 0)
    most, least, best = 0, 0, NOWHERE
    for place in range(game.frontier_size):
        cell = int(game.frontier[place])
        if building.fits(box, game, card, cell):
            gain = sites.gain[owner, place] + shields * sites.shield_gain[owner, place]
            own = own_everywhere + gain + per * sites.counted[counted, place]
            others = others_everywhere + sites.gain[ALL, place] + shields * sites.shield_gain[ALL, place] - gain
            if best == NOWHERE or (own, -others, -cell) > (most, -least, -best):
                most, least, best = own, others, cell
    site[:] = 0
    site[int(box.bonus[card])] = 1
    if best != NOWHERE:
        site[OWN], site[OTHERS], site[IS_SITE] = min(most, FULL), min(least, FULL), True
        site[SITE_COLUMN], site[SITE_LINE] = box.column[best], box.line[best]
        for side in range(SIDES):
            neighbour = building.joined(box, game, owner, card, best, side)
            if neighbour != NOTHING:
                site[int(box.bonus[neighbour])] += 1
