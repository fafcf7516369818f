"""The cell where a building would add most now, by V1 alone: no advice, as greed for points is not yet a plan."""

from oddville_env.core.compiled.jit import kernel
from oddville_env.oddville.cards.words import NOWHERE
from oddville_env.oddville.rules import building, scoring


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
