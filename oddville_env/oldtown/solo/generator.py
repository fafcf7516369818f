"""[O8 O9] Puzzles made anew: one placement, and no clue too many."""

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from oddville_env.core.checked import check_seed, game_seeds
from oddville_env.core.errors import SettingError, shown
from oddville_env.oldtown.cards import Deck, base_deck
from oddville_env.oldtown.cards.words import BUILDINGS, CARDS, LOTS, NOTHING, CardType
from oddville_env.oldtown.deduction.puzzle import Puzzle
from oddville_env.oldtown.deduction.search import leave_out
from oddville_env.oldtown.deduction.solver import sets_of_mine
from oddville_env.oldtown.settings import make_box
from oddville_env.oldtown.solo.draft import find_draft


class Level(NamedTuple):
    """[O9] The numbers of own buildings and of true A cards that the town is drawn with."""

    mine: int
    fewest_a: int
    most_a: int


LEVELS = {"easy": Level(1, 12, 13), "medium": Level(2, 11, 15), "hard": Level(3, 10, 15)}


def check_level(level: object) -> None:
    """Raises SettingError for what is no level."""
    if not isinstance(level, str) or level not in LEVELS:
        raise SettingError(f"level must be one of {', '.join(LEVELS)}, not {shown(level)}")


class Draft(NamedTuple):
    """A town with all its true clues: arrays by clue [N], or by building [BUILDINGS]."""

    at: np.ndarray
    """The lot of each building, NOTHING outside the town."""
    mine: np.ndarray
    """The own buildings."""
    clues: np.ndarray
    """[N, 3]: the number of the card, from 0, the building that it speaks of, and what it leaves it (0 for C)."""
    means: np.ndarray
    """[N, BUILDINGS]: the own buildings for which a C clue is true."""


def generate(level: str, seed: int, hide_mine: bool = False, deck: Deck | None = None) -> Iterator[Puzzle]:
    """[O8] Puzzles of a level without end, the same ones for the same seed; raises SettingError."""
    check_level(level)
    deck, chance_seed = deck or base_deck(), game_seeds(check_seed(seed))[0]
    box, numbers, attempt = make_box(deck=deck).record, np.array(LEVELS[level]), 0
    while True:
        at, mine = np.zeros(BUILDINGS, np.int64), np.zeros(BUILDINGS, np.bool_)
        clues, means = np.zeros((CARDS, 3), np.int64), np.zeros((CARDS, BUILDINGS), np.bool_)
        attempt, size = find_draft(box, chance_seed, attempt, numbers, not hide_mine, at, mine, clues, means)
        draft = Draft(at, mine, clues[:size], means[:size])
        kept = _leave_out(draft, np.random.default_rng([seed, attempt]), hide_mine, deck)
        if kept is not None:
            yield _puzzle(draft, kept, level, hide_mine, deck)
        attempt += 1


def _leave_out(draft: Draft, rng: np.random.Generator, hide_mine: bool, deck: Deck) -> np.ndarray | None:
    """[O8] The clues that stay, bool [N]: none of them could be left out; None where the town makes no good puzzle."""
    fixed = make_box(deck=deck).record[0]
    card, building, lots = np.ascontiguousarray(draft.clues.T)
    is_b = fixed.card_type[card] == CardType.B
    order = np.concatenate([rng.permutation(np.flatnonzero(is_b)), rng.permutation(np.flatnonzero(~is_b))])
    kept, listed = np.ones(len(card), np.bool_), draft.mine & (not hide_mine)
    town = draft.at != NOTHING
    choices = sets_of_mine(town, draft.mine.sum()) if hide_mine else draft.mine[None]
    c_card = np.where(lots == 0, card, NOTHING)
    clues = (town, building, lots, c_card, draft.means, draft.mine, listed, fixed.named, fixed.pairs)
    return kept if leave_out(order, *clues, choices, kept) else None


def _puzzle(draft: Draft, kept: np.ndarray, level: str, hide_mine: bool, deck: Deck) -> Puzzle:
    """The clues that stay, as a puzzle."""
    cards: dict[CardType, list[tuple[int, int]]] = {kind: [] for kind in CardType}
    for card, building in draft.clues[kept, :2].tolist():
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
