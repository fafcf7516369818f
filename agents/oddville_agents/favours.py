"""What characters are worth: held ones, and those that a guild's building will bring. Part of greedy's value function.

time: turns that the seat has until the game may be over.
"""

from oddville_agents._jit import kernel
from oddville_agents.clock import faded
from oddville_env.cards.words import NOBODY, NOTHING
from oddville_env.rules.state import CHARACTERS


@kernel
def worth_of_character(box, character, time, weights):
    """Its points, and its use in the time that is left."""
    return box.points[character] + worth_of_use(character, time, weights)


@kernel
def worth_of_use(character, time, weights):
    """What a character helps, beside its points."""
    return weights.power[character] * faded(time, weights.wane, weights)


@kernel
def worth_of_uses(game, seat, time, weights):
    """The use of all characters of a seat."""
    worth = 0.0
    for character in range(CHARACTERS):
        if game.owner[character] == seat:
            worth += worth_of_use(character, time, weights)
    return worth


@kernel
def worth_of_favour(box, game, seat, guild, time, weights):
    """[G1 G2] What a seat gains by the guild's next character, of a new pile where the old one is empty."""
    size = game.pile_size[guild]
    if size == 0:
        return worth_of_new_pile(box, game, seat, guild, time, weights)
    top = game.pile[guild, size - 1]
    if top == NOTHING:
        return worth_of_unknown(box, game, guild, time, weights)
    return worth_of_character(box, top, time, weights)


@kernel
def worth_of_unknown(box, game, guild, time, weights):
    """[K2] The mean of the guild's characters that nobody has seen."""
    total, number = 0.0, 0
    for character in range(CHARACTERS):
        if box.guild[character] == guild and not game.character_seen[character]:
            total += worth_of_character(box, character, time, weights)
            number += 1
    return total / max(number, 1)


@kernel
def worth_of_new_pile(box, game, seat, guild, time, weights):
    """[G2] One of the characters that all seats give back, less its own ones; rivals' losses count as `rivals` says."""
    total, number, lost = 0.0, 0, 0.0
    for character in range(CHARACTERS):
        if box.guild[character] == guild and game.owner[character] != NOBODY:
            worth = worth_of_character(box, character, time, weights)
            total += worth
            number += 1
            lost += worth if game.owner[character] == seat else -weights.rivals * worth / (box.players - 1)
    return total / max(number, 1) - lost


@kernel
def worth_of_loose(box, game, seat, time, weights):
    """[G2] A seat's characters that the next building of their guild calls back."""
    worth = 0.0
    for character in range(CHARACTERS):
        if game.owner[character] == seat and game.pile_size[box.guild[character]] == 0:
            worth += worth_of_character(box, character, time, weights)
    return worth
