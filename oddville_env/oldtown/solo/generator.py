"""[O8 O9] Puzzles made anew: one placement, and no clue too many."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from oddville_env.core.errors import SettingError
from oddville_env.oldtown.cards import Deck, base_deck
from oddville_env.oldtown.cards.words import BUILDINGS, CARDS, LOTS, NOTHING, CardType
from oddville_env.oldtown.rules.state import EVERY_LOT
from oddville_env.oldtown.settings import make_box
from oddville_env.oldtown.solo.puzzle import Puzzle
from oddville_env.oldtown.solo.search import leave_out
from oddville_env.oldtown.solo.solver import choices_of_mine


class Level(NamedTuple):
    """[O9] How many own buildings, and how many true A cards the town is drawn with."""

    mine: int
    fewest_a: int
    most_a: int


LEVELS = {"easy": Level(1, 12, 13), "medium": Level(2, 11, 15), "hard": Level(3, 10, 15)}


class Draft(NamedTuple):
    """A town with all its true clues: arrays by clue [N], or by building [BUILDINGS]."""

    at: np.ndarray
    """The lot of each building, NOTHING outside the town."""
    mine: np.ndarray
    card: np.ndarray
    """The number of each clue's card, from 0."""
    building: np.ndarray
    """The building that each clue speaks of."""
    lots: np.ndarray
    """What A and B clues leave it, 0 for C."""
    means: np.ndarray
    """[N, BUILDINGS]: the own buildings for which a C clue is true."""


def generate(level: str, seed: int, hide_mine: bool = False, deck: Deck | None = None) -> Iterator[Puzzle]:
    """[O8] Puzzles of a level without end, the same ones for the same seed; raises SettingError."""
    if level not in LEVELS:
        raise SettingError(f"level must be one of {', '.join(LEVELS)}, not {level!r}")
    rng, deck = np.random.default_rng(seed), deck or base_deck()
    while True:
        puzzle = attempt(level, rng, hide_mine, deck)
        if puzzle is not None:
            yield puzzle


def attempt(level: str, rng: np.random.Generator, hide_mine: bool, deck: Deck) -> Puzzle | None:
    """[O8] A puzzle from one random town, None where the town makes no good one."""
    draft = draw_town(LEVELS[level], rng, deck)
    if draft is None:
        return None
    fixed = make_box(deck=deck).record[0]
    town, kept = draft.at != NOTHING, np.ones(len(draft.card), np.bool_)
    is_b = fixed.card_type[draft.card] == CardType.B
    order = np.concatenate([rng.permutation(np.flatnonzero(is_b)), rng.permutation(np.flatnonzero(~is_b))])
    told = np.zeros(BUILDINGS, np.bool_) if hide_mine else draft.mine
    c_card = np.where(draft.lots == 0, draft.card, NOTHING)
    choices = _choices(draft, hide_mine, deck)
    clues = (town, draft.building, draft.lots, c_card, draft.means, draft.mine, told, fixed.named, fixed.pairs)
    return _puzzle(draft, kept, level, hide_mine, deck) if leave_out(order, *clues, choices, kept) else None


def _choices(draft: Draft, hide_mine: bool, deck: Deck) -> np.ndarray:
    """The sets of own buildings that a reader of the puzzle has to think of, bool [N, BUILDINGS]."""
    if not hide_mine:
        return draft.mine[None]
    town = tuple(key for key, lot in zip(deck.keys, draft.at.tolist(), strict=True) if lot != NOTHING)
    count = int(draft.mine.sum())
    every = Puzzle((), tuple((0, key) for key in town), (), None, count)
    return np.array([np.isin(deck.keys, mine) for mine in choices_of_mine(every, deck)])


def draw_town(level: Level, rng: np.random.Generator, deck: Deck) -> Draft | None:
    """[O8] 16 buildings, placed so that some A cards are true, own ones among them, and all that is true."""
    town = rng.permutation(BUILDINGS)[:LOTS]
    fixed = make_box(deck=deck).record[0]
    speaking = [card for card in range(CARDS) if fixed.card_type[card] == CardType.A and fixed.named[card] in town]
    sets = np.full(BUILDINGS, EVERY_LOT)
    for card in rng.permutation(speaking)[: rng.integers(level.fewest_a, level.most_a + 1)]:
        sets[fixed.named[card]] &= fixed.lots[card]
    at = place_randomly(town, sets, rng)
    if at is None:
        return None
    mine = np.isin(np.arange(BUILDINGS), rng.permutation(town)[: level.mine])
    return _true_clues(at, mine, rng, fixed)


def place_randomly(town: np.ndarray, sets: np.ndarray, rng: np.random.Generator) -> np.ndarray | None:
    """A random placement of the town within sets, by augmenting paths over shuffled lots; None where there is none."""
    holder: dict[int, int] = {}
    ways = {
        building: rng.permutation([lot for lot in range(LOTS) if sets[building] >> lot & 1])
        for building in town.tolist()
    }

    def place(building: int, seen: set[int]) -> bool:
        for lot in ways[building].tolist():
            if lot not in seen:
                seen.add(lot)
                if lot not in holder or place(holder[lot], seen):
                    holder[lot] = building
                    return True
        return False

    if not all(place(building, set()) for building in sorted(ways, key=lambda building: len(ways[building]))):
        return None
    at = np.full(BUILDINGS, NOTHING)
    for lot, building in holder.items():
        at[building] = lot
    return at


def _true_clues(at: np.ndarray, mine: np.ndarray, rng: np.random.Generator, fixed: np.record) -> Draft:
    """[O8] Every A and C card that is true, and every B card with a random building for which it is true."""
    clues: list[tuple[int, int, int, np.ndarray]] = []
    town, nobody = np.flatnonzero(at != NOTHING), np.zeros(BUILDINGS, np.bool_)
    for card in range(CARDS):
        building, lots = int(fixed.named[card]), int(fixed.lots[card])
        if fixed.card_type[card] == CardType.B:
            fitting = town[lots >> at[town] & 1 > 0]
            if fitting.size:
                clues.append((card, int(rng.choice(fitting)), lots, nobody))
        elif at[building] == NOTHING:
            continue
        elif fixed.card_type[card] == CardType.A:
            if lots >> at[building] & 1:
                clues.append((card, building, lots, nobody))
        else:
            others = int(fixed.pairs[card, 0, at[building]])
            meant = mine & (others >> np.maximum(at, 0) & 1 > 0) & (np.arange(BUILDINGS) != building)
            if meant.any():
                clues.append((card, building, 0, meant))
    card, building, lots, means = (np.array(column) for column in zip(*clues, strict=True))
    return Draft(at, mine, card, building, lots, means)


def _puzzle(draft: Draft, kept: np.ndarray, level: str, hide_mine: bool, deck: Deck) -> Puzzle:
    cards: dict[CardType, list[tuple[int, int]]] = {kind: [] for kind in CardType}
    for card, building in zip(draft.card[kept].tolist(), draft.building[kept].tolist(), strict=True):
        cards[deck.cards[card].type].append((card + 1, building))
    mine = tuple(deck.keys[building] for building in np.flatnonzero(draft.mine).tolist())
    at = {lot: key for key, lot in zip(deck.keys, draft.at.tolist(), strict=True)}
    return Puzzle(
        a=tuple(card for card, _ in cards[CardType.A]),
        b=tuple((card, deck.keys[building]) for card, building in cards[CardType.B]),
        c=tuple(card for card, _ in cards[CardType.C]),
        mine=None if hide_mine else mine,
        mine_count=len(mine),
        solution=tuple(at[lot] for lot in range(LOTS)),
        level=level,
    )
