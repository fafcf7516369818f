"""Points of characters: held ones, and those that guilds' buildings bring. Part of greedy's value function."""

from oddville_env.core.compiled.jit import kernel
from oddville_env.oddville.cards.words import NOBODY, NOTHING
from oddville_env.oddville.rules.state import CHARACTERS, GUILDS


@kernel
def worth_of_character(box, character, weights):
    """Points of a character: those printed on it, and its power's by the weights."""
    return box.points[character] + weights.power[character]


@kernel
def term_powers(game, seat, weights):
    """Points of the powers of all characters of a seat, beside those printed on them."""
    worth = 0.0
    for character in range(CHARACTERS):
        if game.owner[character] == seat:
            worth += weights.power[character]
    return worth


@kernel
def worth_of_next_of_suit(box, game, seat, suit, weights):
    """`worth_of_next_character` of the guild whose buildings a suit's are, 0 for a suit that is no guild's."""
    return worth_of_next_character(box, game, seat, suit, weights) if suit < GUILDS and weights.favour > 0 else 0.0


@kernel
def worth_of_next_character(box, game, seat, guild, weights):
    """[G1 G2] The points that a seat gains by the guild's next character, of a new pile where the old one is empty."""
    size = game.pile_size[guild]
    if size == 0:
        return worth_of_new_pile(box, game, seat, guild, weights)
    top = game.pile[guild, size - 1]
    if top == NOTHING:
        return worth_of_unknown(box, game, guild, weights)
    return worth_of_character(box, top, weights)


@kernel
def worth_of_unknown(box, game, guild, weights):
    """[K2] The mean points of the guild's characters that nobody has seen."""
    total, number = 0.0, 0
    for character in range(CHARACTERS):
        if box.guild[character] == guild and not game.character_seen[character]:
            total += worth_of_character(box, character, weights)
            number += 1
    return total / max(number, 1)


@kernel
def worth_of_new_pile(box, game, seat, guild, weights):
    """[G2] One of the characters that all seats give back, less its own ones; rivals' losses count as `rivals` says."""
    total, number, lost = 0.0, 0, 0.0
    for character in range(CHARACTERS):
        if box.guild[character] == guild and game.owner[character] != NOBODY:
            worth = worth_of_character(box, character, weights)
            total += worth
            number += 1
            lost += worth if game.owner[character] == seat else -weights.rivals * worth / (box.players - 1)
    return total / max(number, 1) - lost


@kernel
def term_recall(box, game, seat, weights):
    """[G2] Points of a seat's characters that the next building of their guild calls back."""
    worth = 0.0
    for character in range(CHARACTERS):
        if game.owner[character] == seat and game.pile_size[box.guild[character]] == 0:
            worth += worth_of_character(box, character, weights)
    return worth
