"""The hidden part of a game: which card lies where before the first word, from a seed or as it was given."""

from typing import NamedTuple

import numpy as np

from oddville_env.core.checked import sequence, whole_number
from oddville_env.core.errors import SettingError
from oddville_env.oldtown.cards.words import B_CARDS, CARDS, TYPE_OF, CardType
from oddville_env.oldtown.rules import batch
from oddville_env.oldtown.rules.box import Box
from oddville_env.oldtown.rules.state import HAND, HAND_A, OWN_A, OWN_STACK

Stack = tuple[int, ...]
"""Numbers of cards, top first."""


class Deal(NamedTuple):
    """The given part of a game's deal; None is left to the seed."""

    hands: tuple[Stack, ...] | None = None
    common: Stack | None = None
    own: tuple[Stack, ...] | None = None
    first: int | None = None


class Places(NamedTuple):
    """[S3] The places of the deal, as slices of it."""

    hands: tuple[slice, ...]
    own: tuple[slice, ...]
    common: slice
    out: slice


def places(box: Box) -> Places:
    """[S3] The places of a box."""
    fixed, seats = box.record[0], range(box.players)
    own, size, common, out = (int(fixed[name]) for name in ("own_place", "own_size", "common_place", "out_place"))
    return Places(
        tuple(slice(HAND * seat, HAND * (seat + 1)) for seat in seats),
        tuple(slice(own + size * seat, own + size * (seat + 1)) for seat in seats),
        slice(common, out),
        slice(out, CARDS),
    )


def deal_of(box: Box, game: np.record) -> Deal:
    """All that was dealt in a game."""
    where = places(box)
    numbers = game.deal + 1
    return Deal(
        tuple(tuple(numbers[part].tolist()) for part in where.hands),
        tuple(numbers[where.common].tolist()),
        tuple(tuple(numbers[part].tolist()) for part in where.own),
        int(game.first),
    )


def shuffled(box: Box, seed: np.uint64, deal: Deal) -> np.ndarray:
    """[S3 S4] A state [1] with everything dealt as the seed says, but for what was given."""
    state = np.zeros(1, box.games)
    batch.shuffle(box.record, state, 0, seed)
    game, where = state[0], places(box)
    given = np.zeros(CARDS, np.bool_)
    before = game.deal.copy()
    for parts, stacks in (
        (where.hands, deal.hands),
        (where.own, deal.own),
        ((where.common,), deal.common and [deal.common]),
    ):
        for part, stack in zip(parts, stacks or (), strict=False):
            game.deal[part] = np.array(stack, np.int8) - 1
            given[part] = True
    _swap_doubled(game, before, given)
    for part in (*where.hands, where.out):
        game.deal[part].sort()
    if deal.first is not None:
        game.first = deal.first
    return state


def _swap_doubled(game: np.record, before: np.ndarray, given: np.ndarray) -> None:
    """Replace each card that the seed dealt though it was given elsewhere by another one of its type."""
    doubled = ~given & np.isin(game.deal, game.deal[given])
    lies = set(game.deal[~doubled].tolist())
    spare = [card for card in before.tolist() if card not in lies]
    for place in np.flatnonzero(doubled).tolist():
        card = next(card for card in spare if TYPE_OF[card] == TYPE_OF[game.deal[place]])
        spare.remove(card)
        game.deal[place] = card


def check_deal(box: Box, hands: object, common: object, own: object, first: object) -> Deal:
    """The given part of the deal, checked against the box; None leaves it to chance. Raises SettingError."""
    players, fixed = box.players, box.record[0]
    hand = {CardType.A: HAND_A, CardType.C: HAND - HAND_A}
    stack = {CardType.A: OWN_A, CardType.C: OWN_STACK - OWN_A} if fixed.own_size else {}
    whole = {CardType.A: int(fixed.common_a), CardType.C: int(fixed.common_c), CardType.B: B_CARDS}
    deal = Deal(
        None if hands is None else tuple(tuple(sorted(cards)) for cards in _stacks("hands", hands, players, hand)),
        None if common is None else _stack("common", common, whole),
        None if own is None else _stacks("own", own, players, stack),
        None if first is None else whole_number("first", first, 0, players - 1),
    )
    cards = [card for part in (*(deal.hands or ()), *(deal.own or ()), deal.common or ()) for card in part]
    doubled = sorted({card for card in cards if cards.count(card) > 1})
    if doubled:
        raise SettingError(f"card {doubled[0]} is dealt to two places")
    return deal


def _stacks(name: str, value: object, players: int, types: dict[CardType, int]) -> tuple[Stack, ...]:
    stacks = sequence(name, value)
    if len(stacks) != players:
        raise SettingError(f"{name} must be {players} lists, one for each seat, not {len(stacks)}")
    return tuple(_stack(f"{name}, seat {seat}", stack, types) for seat, stack in enumerate(stacks))


def _stack(name: str, value: object, types: dict[CardType, int]) -> Stack:
    """[S3] As many cards of each type as lie there."""
    cards = [whole_number(f"{name}: a card", card, 1, CARDS) for card in sequence(name, value)]
    found = {kind: sum(TYPE_OF[card - 1] == kind for card in cards) for kind in CardType}
    expected = {kind: types.get(kind, 0) for kind in CardType}
    if found != expected:
        texts = [" and ".join(f"{number} {kind.name}" for kind, number in side.items()) for side in (expected, found)]
        raise SettingError(f"{name}: expected cards of types {texts[0]}, found {texts[1]}")
    return tuple(cards)
