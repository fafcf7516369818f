"""Chapter K: hidden things, dealt anew.

K1: a card that has never lain face up may lie wherever such a card lies. K2: the same for characters under a pile's top
and those removed. K3: so a search that deals anew sees a reveal as chance.
"""

import numpy as np

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts import chance
from oddville_env.oddville.cards.words import NOBODY, NOTHING

from .state import BUILDINGS, CHARACTERS, GUILDS, IN_GUILD, MOST_COINS, SEATS, Stream, event_of

PLACES = BUILDINGS + SEATS * MOST_COINS
"""Places that can hold an unseen card."""


@kernel
def hidden_place(game, place):
    """A place that can hold an unseen card: first the deck's, top first, then every seat's coins."""
    if place < BUILDINGS:
        return (game.deck_top + place) % BUILDINGS
    return place - BUILDINGS


@kernel
def card_at(game, place):
    """The card at a hidden place, NOTHING where there is none."""
    at = hidden_place(game, place)
    return game.deck[at] if place < BUILDINGS else game.coin[at // MOST_COINS, at % MOST_COINS]


@kernel
def put_at(game, place, card):
    """Put a card at a hidden place."""
    at = hidden_place(game, place)
    if place < BUILDINGS:
        game.deck[at] = card
    else:
        game.coin[at // MOST_COINS, at % MOST_COINS] = card


@kernel
def is_unseen(game, place):
    """[K1] A card lies there that has never lain face up."""
    card = card_at(game, place)
    return card >= 0 and not game.card_seen[card]


@kernel
def deal_cards(game, seed):
    """[K1] The never-seen cards, in random order over the places that they occupy (Fisher and Yates)."""
    event, met = event_of(Stream.SAMPLE, 0), 0
    places = np.empty(PLACES, np.int16)
    for place in range(PLACES):
        if is_unseen(game, place):
            places[met] = place
            met += 1
            other = places[chance.draw(seed, event, place, met)]
            here, there = card_at(game, place), card_at(game, other)
            put_at(game, place, there)
            put_at(game, other, here)


@kernel
def is_hidden(box, game, guild, character):
    """[K2] A character of the guild whose place is hidden: not a seat's, nor a pile's top, nor a known one."""
    if box.guild[character] != guild or game.owner[character] != NOBODY:
        return False
    return not game.character_seen[character]


@kernel
def deal_removed(box, game, guild, seed):
    """[K2] Deal anew which of the unseen characters lie under the top, and which were removed."""
    below = game.pile_size[guild] - 1
    for place in range(below):
        if game.character_seen[game.pile[guild, place]]:
            continue
        unseen = 0
        for character in range(CHARACTERS):
            if is_hidden(box, game, guild, character) and not in_pile(game, guild, place, character):
                unseen += 1
                event = event_of(Stream.SAMPLE, 1 + guild)
                if chance.draw(seed, event, place * CHARACTERS + character, unseen) == 0:
                    game.pile[guild, place] = character


@kernel
def in_pile(game, guild, size, character):
    """A character is among the pile's lowest `size`."""
    for place in range(size):
        if game.pile[guild, place] == character:
            return True
    return False


@kernel
def deal_piles(box, game, seed):
    """[K2] The characters under each pile's top."""
    for guild in range(GUILDS):
        deal_removed(box, game, guild, seed)
        event = event_of(Stream.SAMPLE, 1 + GUILDS + guild)
        chance.shuffle(game.pile[guild], max(game.pile_size[guild] - 1, 0), seed, event)


@kernel
def sample_unseen(box, game, seed):
    """[K1-K3] Deal anew what is hidden: unseen cards, hidden characters, and all chance to come."""
    deal_cards(game, seed)
    deal_piles(box, game, seed)
    game.seed = seed


@kernel
def canonicalize_cards(game):
    """[K1] The never-seen cards in the order of their numbers over the places that they occupy."""
    following = 0
    for place in range(PLACES):
        if is_unseen(game, place):
            while game.card_seen[following]:
                following += 1
            put_at(game, place, following)
            following += 1


@kernel
def canonicalize_pile(box, game, guild):
    """[K2] Under a pile's top the hidden characters with the lowest numbers, and all in the order of their numbers."""
    following, below = 0, game.pile_size[guild] - 1
    for place in range(below):
        if not game.character_seen[game.pile[guild, place]]:
            while not is_hidden(box, game, guild, following):
                following += 1
            game.pile[guild, place] = following
            following += 1
    for last in range(1, below):
        for place in range(last, 0, -1):
            here, before = game.pile[guild, place], game.pile[guild, place - 1]
            game.pile[guild, place], game.pile[guild, place - 1] = max(here, before), min(here, before)


@kernel
def canonicalize_hidden(box, game):
    """[K1-K3] Put what is hidden into one fixed order: games that look alike to all seats become equal."""
    canonicalize_cards(game)
    for guild in range(GUILDS):
        canonicalize_pile(box, game, guild)
    for place in range(IN_GUILD):
        game.next_pile[place] = NOTHING
    game.seed = 0


@kernel
def is_revealing(before, after):
    """[K3] Between two positions a card has come to light, or a pile has another top."""
    for card in range(BUILDINGS):
        if before.card_seen[card] != after.card_seen[card]:
            return True
    for guild in range(GUILDS):
        if before.pile_size[guild] != after.pile_size[guild]:
            return True
    return False
