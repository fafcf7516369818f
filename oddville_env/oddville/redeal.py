"""The deal of a game, told anew after unseen cards have changed places [K1-K3]."""

from collections.abc import Sequence

import numpy as np

from oddville_env.oddville.cards.words import Character, Suit
from oddville_env.oddville.deal import Deal
from oddville_env.oddville.rules.box import Box
from oddville_env.oddville.rules.state import GUILDS

Pile = tuple[str, ...]


def redealt(
    box: Box, dealt: Deal, reshuffles: Sequence[Pile], before: np.record, after: np.record
) -> tuple[Deal, list[Pile]]:
    """The deal and the new piles of G2 that lead to the same history in a state dealt anew: what now lies somewhere
    must have lain there from the start.
    """
    assert dealt.deck is not None
    assert dealt.piles is not None
    piles, later = dict(dealt.piles), list(reshuffles)
    places = [(before.deck, after.deck), (before.coin.ravel(), after.coin.ravel())]
    new = {old: now for was, lies in places for old, now in zip(was.tolist(), lies.tolist(), strict=True)}
    for guild in range(GUILDS):
        names = dict(zip(top_first(before, guild), top_first(after, guild), strict=True))
        newest = [n for n, pile in enumerate(later) if box.cards.guild[Character[pile[0].upper()]] == guild]
        if newest:
            later[newest[-1]] = tuple(names.get(name, name) for name in later[newest[-1]])
        else:
            word = Suit(guild).word
            piles[word] = tuple(names.get(name, name) for name in piles[word])
    return Deal(tuple(new.get(card, card) for card in dealt.deck), piles, dealt.first), later


def top_first(game: np.record, guild: int) -> Pile:
    """A pile's characters, top first."""
    pile = game.pile[guild, : game.pile_size[guild]]
    return tuple(Character(character).word for character in reversed(pile))
