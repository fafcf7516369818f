"""Why the board is another one after a move: what a person would have to see, step by step."""

from collections.abc import Sequence

from oddville_env.oldtown.cards import Deck
from oddville_env.oldtown.cards.words import CardType
from oddville_env.oldtown.deduction.groups import any_of, lone_group, tight_group
from oddville_env.oldtown.deduction.proof import Knowledge, Prover, Step
from oddville_env.oldtown.deduction.puzzle import Puzzle
from oddville_env.oldtown.deduction.sentences import Left, Seen, Sight
from oddville_env.oldtown.rules.state import EVERY_LOT

Sets = Sequence[int]
"""[W1] Of each building its set, as a mask of lots; 0 where it is not on the board."""


def play_reasons(deck: Deck, before: Sets, after: Sets, card: int, own: int) -> list[Step]:
    """[W5] The lots that a played card leaves, and what follows; own: the own building, which an A card does not need.

    That a new building finds the lots taken on which others stand is plain to see: it is not told.
    """
    is_pair = deck.cards[card - 1].type == CardType.C
    named = deck.cards[card - 1].building
    spoken_of = [named, own] if is_pair else [own if deck.cards[card - 1].type == CardType.B else named]
    prover, known = _begin(deck, before, (card,) if is_pair else (), own)
    taken = any_of(lots for lots in before if lots & (lots - 1) == 0)
    for building in spoken_of:
        known.sets.setdefault(building, EVERY_LOT & ~taken)
    if not is_pair:
        prover.use_lots(known, card, spoken_of[0])
    return _followed(prover, known, after, (card,) if is_pair else ())


def removal_reasons(deck: Deck, before: Sets, after: Sets, building: int, lot: int) -> list[Step]:
    """[Q4] The consequences of removing a token from a lot, counted from 0."""
    prover, known = _begin(deck, before, (), building)
    known.sets[building] &= ~(1 << lot)
    return _followed(prover, known, after, ())


def _begin(deck: Deck, before: Sets, cards: tuple[int, ...], own: int) -> tuple[Prover, Knowledge]:
    """A prover who knows the tokens on the board, the C cards in question and the own building."""
    on_board = {building: int(lots) for building, lots in enumerate(before) if lots}
    prover = Prover(Puzzle((), (), cards, (deck.keys[own],), 1), deck)
    return prover, Knowledge(on_board, {}, [1 << own], [], 0)


def _followed(prover: Prover, known: Knowledge, after: Sets, cards: Sequence[int]) -> list[Step]:
    """All that follows; what takes more than one card or one group to see is told at once."""
    while True:
        sets = dict(known.sets)
        for card in cards:
            prover.use_card(known, card)
        if not all(prover.share_lots(known, find) for find in (lone_group, tight_group)) or sets == known.sets:
            break
    found = [Left(building, int(after[building])) for building, lots in known.sets.items() if lots != after[building]]
    if found:
        prover.narrow(known, Seen(Sight.TOGETHER), found, ())
    prover.need(range(len(prover.facts)))
    return prover.steps()
