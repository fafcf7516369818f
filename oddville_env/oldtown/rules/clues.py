"""Chapter C and P1-P4: which building a card speaks of, and what the card would do now."""

import numpy as np

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.parts.values import Word
from oddville_env.oldtown.cards.words import NOTHING, CardType

from . import pairs, worlds
from .state import MOST_MINE, TOKENS


class Verdict(Word):
    """[P1] The verdicts on a card with a choice of own building; SILENT where it cannot be used at all (C2)."""

    SILENT, CONTRADICTING, CONFIRMING, FIVE, THREE, CHANGE = range(6)


@kernel
def may_speak_of(box, card, building):
    """[C1 C2] An own building that the card can be used with."""
    return building != NOTHING and building != box.named[card]


@kernel
def room(world, lots):
    """[P3 P4] Whether an unknown building that would keep these lots finds room for its tokens."""
    if worlds.count(lots) > TOKENS:
        return Verdict.FIVE
    if lots & world.three != 0 and not worlds.is_single(lots):
        return Verdict.THREE
    return Verdict.CHANGE


@kernel
def room_for_both(world, lots, others):
    """[P3 P4] The same for two unknown buildings of one C card, whose tokens count together."""
    one, other = room(world, lots), room(world, others)
    if one == Verdict.FIVE or other == Verdict.FIVE:
        return Verdict.FIVE
    if one == Verdict.THREE or other == Verdict.THREE:
        return Verdict.THREE
    both = lots & others & world.two
    if both != 0 and not worlds.is_single(lots) and not worlds.is_single(others):
        return Verdict.THREE
    return Verdict.CHANGE


@kernel
def judge_lots(game, world, building, lots):
    """[W4 P1 P2] An A or B card: on a closed board each token is in some world, so the sets alone tell."""
    before = int(game.sets[building])
    if before == 0:
        left = lots & world.open
        return Verdict.CONTRADICTING if left == 0 else room(world, left)
    left = before & lots
    if left == 0:
        return Verdict.CONTRADICTING
    return Verdict.CONFIRMING if left == before else Verdict.CHANGE


@kernel
def judge_pairs(box, game, world, card, own):
    """[P1 P2] A C card with an own building."""
    pairs.narrow_to_pairs(box, game, world, card, own)
    left, others = np.int64(world.named_left), np.int64(world.own_left)
    verdict = judge_left(game, world, box.named[card], own, left, others)
    if verdict == Verdict.CONFIRMING:
        members = np.int64(world.members)
        if not pairs.close_under_pairs(box, game, world, card, own):
            verdict = Verdict.CHANGE
        pairs.part(game, world, members)
    return verdict


@kernel
def judge_left(game, world, named, own, left, others):
    """[P1 P2] A C card that leaves its two buildings these lots, other buildings aside."""
    before, others_before = game.sets[named], game.sets[own]
    if left == 0:
        return Verdict.CONTRADICTING
    if before == 0 and others_before == 0:
        return room_for_both(world, left, others)
    if before == 0:
        return room(world, left)
    if others_before == 0:
        return room(world, others)
    return Verdict.CONFIRMING if left == before and others == others_before else Verdict.CHANGE


@kernel
def judge(box, game, world, card, own):
    """[P1] The verdict on a card now, with an own building, which an A card does not ask for."""
    if box.card_type[card] == CardType.A:
        return judge_lots(game, world, box.named[card], box.lots[card])
    if not may_speak_of(box, card, own):
        return Verdict.SILENT
    if box.card_type[card] == CardType.B:
        return judge_lots(game, world, own, box.lots[card])
    return judge_pairs(box, game, world, card, own)


@kernel
def choices(box, card):
    """[C1 C2] The number of places for own buildings that the card has a choice of."""
    return 1 if box.card_type[card] == CardType.A else MOST_MINE


@kernel
def counts(verdict):
    """[Q1] Too wide or blocked is neither."""
    return verdict == Verdict.CONFIRMING or verdict == Verdict.CONTRADICTING


@kernel
def may_play(box, verdict):
    """[P5 P6] A change may be played, a confirming card only where the game is set up so."""
    return verdict == Verdict.CHANGE or (box.lone_confirm and verdict == Verdict.CONFIRMING)
