"""Chapters V and E: the value of a city, and the ranks."""

from oddville_env.core.compiled.jit import kernel
from oddville_env.oddville.cards.words import NOBODY, NOWHERE, Character, Counts

from . import characters
from .state import CHARACTERS, RESOURCES, SIDES, SUITS

SOURCES = ("buildings", "characters", "workers", "square")
"""[E2] The sources of points."""
BUILT, OWNED, WORKING, SQUARE = range(len(SOURCES))


@kernel
def adjacent(box, game, cell, shields):
    """[V1] The cards orthogonally adjacent to a cell, the square too; or the sum of their shields."""
    total = 0
    for side in range(SIDES):
        beside = box.neighbour[cell, side]
        if beside != NOWHERE and game.ground[beside] != NOWHERE:
            total += int(box.shield[game.city_card[game.ground[beside]]]) if shields else 1
    return total


@kernel
def same(box, game, cell, places):
    """[V1] The cards in the same line or column of the city: places is box.line or box.column, [cells]."""
    total = 0
    for entry in range(game.city_size):
        total += places[game.city_cell[entry]] == places[cell]
    return total


@kernel
def of_suit(box, game, suit):
    """[V1] The cards of a suit in the city."""
    total = 0
    for entry in range(game.city_size):
        total += box.suit[game.city_card[entry]] == suit
    return total


@kernel
def count(box, game, counts, cell):
    """[V1] The number of things that a formula counts from a cell among the cards of the city."""
    if counts == Counts.ADJACENT or counts == Counts.SHIELDS:
        return adjacent(box, game, cell, counts == Counts.SHIELDS)
    if counts == Counts.ROW:
        return same(box, game, cell, box.line)
    if counts == Counts.COLUMN:
        return same(box, game, cell, box.column)
    return of_suit(box, game, counts) if 0 <= counts < SUITS else 0


@kernel
def building_value(box, game, entry):
    """[V1] base + per x count, itself included except among its neighbours."""
    card = game.city_card[entry]
    value = int(box.base_value[card])
    if box.per[card] > 0:
        value += int(box.per[card]) * count(box, game, box.counts[card], game.city_cell[entry])
    return value


@kernel
def appraise(box, game):
    """[V1] Set down the value of every building of the city; it changes only when a card is placed."""
    for entry in range(1, game.city_size):
        game.value[entry] = building_value(box, game, entry)


@kernel
def square_value(box, game, seat):
    """[V2] The square's points for a worker on it."""
    return box.square_points if characters.on_square(game, seat) else 0


@kernel
def character_points(box, game, character):
    """[E2 C12] A character's points for its owner; the traveller's only without a worker on the square."""
    if character == Character.TRAVELLER and characters.on_square(game, game.owner[character]):
        return 0
    return box.points[character]


@kernel
def workers_on_board(game, seat):
    """[E2] 1 point for each."""
    total = 0
    for resource in range(RESOURCES):
        total += game.stock[seat, resource]
    return total


@kernel
def built_points(game, seat):
    """[V1 E2] The value of a seat's buildings."""
    total = 0
    for entry in range(1, game.city_size):
        total += game.value[entry] * (game.city_owner[entry] == seat)  # no branch: it would be mispredicted
    return total


@kernel
def owned_points(box, game, seat):
    """[E2] The points of a seat's characters."""
    total = 0
    for character in range(CHARACTERS):
        if game.owner[character] == seat:
            total += character_points(box, game, character)
    return total


@kernel
def score(box, game, seat):
    """[E2] City cards, the square, characters and workers on the board; coins and held buildings count nothing."""
    return built_points(game, seat) + points_beside_city(box, game, seat)


@kernel
def points_beside_city(box, game, seat):
    """[E2] The same without the city's buildings."""
    return square_value(box, game, seat) + workers_on_board(game, seat) + owned_points(box, game, seat)


@kernel
def write_sources(box, game, seat, out):
    """[E2] The same points by source: out [S] int."""
    out[BUILT] = built_points(game, seat)
    out[OWNED] = owned_points(box, game, seat)
    out[WORKING] = workers_on_board(game, seat)
    out[SQUARE] = square_value(box, game, seat)


@kernel
def scores(box, game, out):
    """[E2] Every seat's score as if the game ended now: out [P] int."""
    for seat in range(box.players):
        out[seat] = score(box, game, seat)


@kernel
def after_trigger(players, first, trigger, seat):
    """[E3 E4] A seat's distance clockwise from the trigger; where there is none, from the last seat of the round."""
    start = first - 1 if trigger == NOBODY else trigger
    return (seat - start) % players


@kernel
def beats(players, first, trigger, seat, points, other, its_points):
    """[E3] More points, or as many and closer clockwise after the trigger."""
    if points != its_points:
        return points > its_points
    return after_trigger(players, first, trigger, seat) < after_trigger(players, first, trigger, other)


@kernel
def ranks(first, trigger, points, out):
    """[E3] Strict ranks from 1: points [P] int -> out [P] int."""
    players = points.size
    for seat in range(players):
        out[seat] = 1
        for other in range(players):
            behind = other != seat and beats(players, first, trigger, other, points[other], seat, points[seat])
            out[seat] += behind


@kernel
def winner(box, game):
    """[E3] The seat that beats all others, as if the game ended now."""
    best, most = 0, score(box, game, 0)
    for seat in range(1, box.players):
        points = score(box, game, seat)
        if beats(box.players, game.first, game.trigger, seat, points, best, most):
            best, most = seat, points
    return best
