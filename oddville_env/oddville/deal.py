"""The hidden order of a game: what is dealt before the first word, from a seed or as it was given."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np

from oddville_env.core.checked import check, different, one_of, sequence, whole_number
from oddville_env.core.errors import SettingError, shown
from oddville_env.oddville.cards.words import Character, Suit
from oddville_env.oddville.rules import batch
from oddville_env.oddville.rules.box import Box
from oddville_env.oddville.rules.state import BUILDINGS, GUILDS, IN_GUILD

GUILD_WORDS = Suit.words()[:GUILDS]


class Deal(NamedTuple):
    """The given part of a game's hidden order; None is left to the seed."""

    deck: tuple[int, ...] | None = None
    piles: Mapping[str, tuple[str, ...]] | None = None
    first: int | None = None
    reshuffles: tuple[tuple[str, ...], ...] = ()


def shuffled(box: Box, seed: np.uint64, deal: Deal) -> np.ndarray:
    """[S4-S6] A state [1] with everything random in an order from the seed, but for what was given."""
    state = np.zeros(1, box.games)
    batch.shuffle(box.record, state, 0, seed)
    if deal.deck is not None:
        state[0].deck[:] = deal.deck
    if deal.piles is not None:
        for guild, kept in enumerate(deal.piles.values()):
            pile = [Character[name.upper()].value for name in reversed(kept)]
            removed = [each for each in Character if box.cards.guild[each] == guild and each not in pile]
            state[0].pile[guild] = [*removed, *pile][:IN_GUILD]  # those that will be removed first, the top one last
    if deal.first is not None:
        state[0].first = deal.first
    return state


def deal_of(box: Box, state: np.record) -> Deal:
    """[S4-S6] The deal of a shuffled state, whose table has not been laid: piles without removed characters."""
    kept = state.pile[:, ::-1][:, : box.players - 1].tolist()
    piles = {guild: tuple(Character(each).word for each in pile) for guild, pile in zip(GUILD_WORDS, kept, strict=True)}
    return Deal(tuple(state.deck.tolist()), piles, int(state.first))


def check_deal(box: Box, deck: object, piles: object, first: object, reshuffles: object = ()) -> Deal:
    """Hidden orders, checked against the box; None leaves one to chance. Raises SettingError."""
    players = box.players
    guild_of = {character.word: Suit(box.cards.guild[character]).word for character in Character}
    return Deal(
        None if deck is None else _deck(deck),
        None if piles is None else _piles(players, piles, guild_of),
        None if first is None else whole_number("first", first, 0, players - 1),
        tuple(_reshuffle(number, pile, guild_of) for number, pile in enumerate(sequence("reshuffles", reshuffles), 1)),
    )


def _deck(deck: object) -> tuple[int, ...]:
    """[S5] All 64 ids, top first."""
    given = sequence("deck", deck)
    if len(given) > 2 * BUILDINGS:  # no slip: looking for what is doubled would take for ever
        raise SettingError(f"deck must hold each of the {BUILDINGS} cards once, not {len(given)} cards")
    cards = [whole_number("deck's card", card, 0, BUILDINGS - 1) for card in given]
    if sorted(cards) != list(range(BUILDINGS)):
        missing, doubled = sorted(set(range(BUILDINGS)) - set(cards)), sorted({c for c in cards if cards.count(c) > 1})
        what = f"{len(cards)} without {missing}" + (f" and with {doubled} more than once" if doubled else "")
        raise SettingError(f"deck must hold each of the {BUILDINGS} cards once, not {what}")
    return tuple(cards)


def _piles(players: int, piles: object, guild_of: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
    """[S4] For each guild its characters, top first: one fewer than players."""
    if not isinstance(piles, Mapping) or set(piles) != set(GUILD_WORDS):
        raise SettingError(f"piles must name the guilds {', '.join(GUILD_WORDS)}, not {shown(piles)}")
    size = players - 1
    return {guild: _pile(f"piles, {guild}", guild, piles[guild], guild_of, size, size) for guild in GUILD_WORDS}


def _pile(where: str, guild: str, pile: object, guild_of: Mapping[str, str], least: int, most: int) -> tuple[str, ...]:
    names, members = list(sequence(where, pile)), [name for name, its in guild_of.items() if its == guild]
    check({where: names}, {where: different(one_of(*members), most, least)}, SettingError)
    return tuple(names)


def _reshuffle(number: int, pile: object, guild_of: Mapping[str, str]) -> tuple[str, ...]:
    """[G2] A whole new pile, top first."""
    where = f"reshuffle {number}"
    names = sequence(where, pile)
    if not names or names[0] not in Character.words():
        raise SettingError(f"{where}: expected a list of characters, not {shown(pile)}")
    return _pile(where, guild_of[names[0]], names, guild_of, 1, IN_GUILD)


Pile = tuple[str, ...]


def redealt(
    box: Box, dealt: Deal, reshuffles: Sequence[Pile], before: np.record, after: np.record
) -> tuple[Deal, tuple[Pile, ...]]:
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
    return Deal(tuple(new.get(card, card) for card in dealt.deck), piles, dealt.first), tuple(later)


def top_first(game: np.record, guild: int) -> Pile:
    """A pile's characters, top first."""
    pile = game.pile[guild, : game.pile_size[guild]]
    return tuple(Character(character).word for character in reversed(pile))
