"""Moves on the table: which spots they touch, their words, their effects on the tokens, with reasons, and all that they
move, from spot to spot; hidden cards are nameless backs.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from oddville_env.core.compiled.arrays import copied
from oddville_env.core.game.scene import Event, Form, event_of, score_events
from oddville_env.oldtown import describe
from oddville_env.oldtown.cards import Deck
from oddville_env.oldtown.cards.words import NOTHING, CardType
from oddville_env.oldtown.deduction.groups import any_of, lone_group, tight_group
from oddville_env.oldtown.deduction.proof import Knowledge, Prover, Step
from oddville_env.oldtown.deduction.puzzle import Puzzle
from oddville_env.oldtown.deduction.sentences import Left, Seen, Sight, bits
from oddville_env.oldtown.moves import Move, words
from oddville_env.oldtown.rules import batch
from oddville_env.oldtown.rules.actions import SPANS, Kind
from oddville_env.oldtown.rules.box import Box
from oddville_env.oldtown.rules.state import EVERY_LOT, Stack

Position = Mapping[str, Any]

FORMS = {
    Kind.TAKE: Form("take a building of one's own", "take the {name}", "supply:{building}"),
    Kind.PLAY_A: Form("play a card", "play card {card}", "hand:{seat}:{card}"),
    Kind.PLAY_B: Form("play a card", "play card {card} for the {name}", "hand:{seat}:{card} mine:{seat}:{building}"),
    Kind.PLAY_C: Form("play a card", "play card {card} with the {name}", "hand:{seat}:{card} mine:{seat}:{building}"),
    Kind.SHOW: Form("show a card of a pair", "show card {card}", "hand:{seat}:{card}"),
    Kind.REMOVE: Form("remove a token", "remove the token of the {name} from lot {lot}", "token:{building}@{lot}"),
    Kind.DRAW: Form("draw a card", "draw from the {stack} stack", "stack:{place}"),
    Kind.PASS: Form("pass", "pass", "pass"),
}
PARTS = {"a": "card", "b": "card", "c": "card", "other": "building"}
"""The page's names of some parts, by the law's."""


def parts_of(said: Move) -> dict[str, Any]:
    """The parts of a move by name, as words write them."""
    return {PARTS.get(name, name): part for name, part in zip(SPANS[said.kind].factors, said.parts, strict=True)}


def move(word: str, position: Mapping[str, Any]) -> dict[str, Any]:
    """The spots to touch for a move that is played in the position, its parts, and the move in words."""
    said = Move.parse(word)
    parts, seat = parts_of(said), position["to_move"]
    place = seat if parts.get("stack") == Stack.OWN.word else Stack.COMMON.word
    written = {**parts, "seat": seat, "name": str(parts.get("building", "")).replace("_", " "), "place": place}
    return FORMS[said.kind].told(parts, written)


CHANGES = (Kind.PLAY_A, Kind.PLAY_B, Kind.PLAY_C, Kind.REMOVE)
"""The kinds that change the board."""


def effects(box: Box, before: np.ndarray, after: np.ndarray, word: str) -> dict[str, Any]:
    """A move's effects on the board, with reasons, of a pair's first card what may follow; after: the state then."""
    said = Move.parse(word)
    if said.kind == Kind.SHOW and before[0].shown == NOTHING:
        return {"then": _second_cards(box, after)}
    if said.kind not in CHANGES:
        return {}
    had, has, parts = before[0].sets.tolist(), after[0].sets.tolist(), parts_of(said)
    building = box.deck.index(parts["building"]) if "building" in parts else 0
    if said.kind == Kind.REMOVE:
        steps = removal_reasons(box.deck, had, has, building, parts["lot"] - 1)
    else:
        steps = play_reasons(box.deck, had, has, parts["card"], building)
    return {**_changes(box.deck.keys, had, has), "why": [step.plain(box.deck) for step in steps]}


def _changes(keys: Sequence[str], had: Sequence[int], has: Sequence[int]) -> dict[str, Any]:
    """Tokens that go and come, and buildings that come to stand."""
    changes: dict[str, list[Mapping[str, Any]]] = {"goes": [], "comes": [], "stands": []}
    for key, before, after in zip(keys, had, has, strict=True):
        one = after.bit_count() == 1 and before != after
        changes["goes"] += _tokens(key, before & ~after)
        changes["stands" if one else "comes"] += _tokens(key, after if one else after & ~before)
    return changes


def _tokens(key: str, lots: int) -> list[Mapping[str, Any]]:
    return [{"building": key, "lot": lot + 1} for lot in bits(lots)]


def _second_cards(box: Box, state: np.ndarray) -> list[dict[str, str]]:
    """[Q2] The cards that may follow the one that is shown: the spot of each, and its word."""
    mask, spelled = np.zeros(box.layout.size, np.bool_), words(box.layout)
    batch.legal(box.record, copied(state), 0, mask)
    position = {"to_move": int(state[0].to_move)}
    found = [spelled[action] for action in np.flatnonzero(mask).tolist()]
    return [{"spot": move(word, position)["path"][0], "word": word} for word in found]


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
    """A prover that knows the tokens on the board, the C cards in question and the own building."""
    on_board = {building: int(lots) for building, lots in enumerate(before) if lots}
    prover = Prover(Puzzle((), (), cards, (deck.keys[own],), 1), deck)
    return prover, Knowledge(on_board, {}, [1 << own], [], 0)


def _followed(prover: Prover, known: Knowledge, after: Sets, cards: Sequence[int]) -> list[Step]:
    """All consequences; those of several cards or groups together are one step."""
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


def events(before: Position, after: Position, word: str) -> list[Event]:
    """All that a move moved, in the order to be shown."""
    seats = range(after["players"])
    return [
        *_played(before, word),
        *_token_events(before, after),
        *(event for seat in seats for event in _owned(before, after, seat)),
        *(event for seat in seats for event in _drawn(before, after, seat)),
        *score_events(*([area["score"] for area in each["seats"]] for each in (before, after))),
    ]


def _played(before: Position, word: str) -> Iterator[Event]:
    """[K1] A card that is played or shown is seen by all."""
    said = Move.parse(word)
    card = parts_of(said).get("card")
    if card is not None:
        yield event_of("card", f"plan-{card}", f"hand:{before['to_move']}:{card}", "played", card=card)


def _token_events(before: Position, after: Position) -> Iterator[Event]:
    """[P7] Tokens are laid from the building's tile, and those that go become points."""
    seat = before["to_move"]
    for key, lots in after["buildings"].items():
        had, has = before["buildings"][key] or [], lots or []
        for lot in [lot for lot in had if lot not in has]:
            yield event_of("token", f"token-{key}", f"token:{key}@{lot}", f"seat:{seat}", building=key)
        if len(has) == 1 and had != has:
            yield event_of("building", f"house-{key}", f"supply:{key}", f"lot:{has[0]}", building=key)
        elif not had:
            for lot in has:
                yield event_of("token", f"token-{key}", f"supply:{key}", f"token:{key}@{lot}", building=key)


def _owned(before: Position, after: Position, seat: int) -> Iterator[Event]:
    """[S5 B2] Buildings that a seat takes."""
    for key in after["seats"][seat]["mine"]:
        if key not in before["seats"][seat]["mine"]:
            yield event_of("building", f"house-{key}", f"supply:{key}", f"mine:{seat}:{key}", seat=seat, building=key)


def _drawn(before: Position, after: Position, seat: int) -> Iterator[Event]:
    """[K1 D2] Cards that a seat draws, named where its hand is open."""
    had, has = before["seats"][seat], after["seats"][seat]
    own = describe.size(had["own"]) - describe.size(has["own"])
    common = describe.size(before["common"]) - describe.size(after["common"])
    stacks = [f"stack:{seat}"] * own + ["stack:common"] * (common if before["to_move"] == seat else 0)
    is_open = not isinstance(has["hand"], int)
    new = sorted(set(has["hand"]) - set(had["hand"])) if is_open else [None] * len(stacks)
    for stack, card in zip(stacks, new, strict=False):
        if card is None:
            yield event_of("card", "back", stack, f"hand:{seat}", seat=seat)
        else:
            yield event_of("card", f"plan-{card}", stack, f"hand:{seat}:{card}", seat=seat, card=card)
