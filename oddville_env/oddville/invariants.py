"""Invariants of every state: ranges, nothing lost or doubled, and what is kept agrees with what is so.

All checks look at many states at once. Letters of shapes: N states, P seats.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np

from oddville_env.core.compiled.arrays import copied
from oddville_env.core.parts.fields import is_out_of_range, not_within
from oddville_env.oddville.cards.words import NOBODY, NOTHING
from oddville_env.oddville.rules import batch, state
from oddville_env.oddville.rules.box import Box

Check = tuple[np.ndarray, Iterable[str]]
"""The states in which something is wrong, bool [N], and the sentences that say so of the first state."""


def problems(box: Box, games: np.ndarray, index: int = 0) -> list[str]:
    """The faults of a state, a sentence each: first what lies outside its range, then what does not agree."""
    found = first_impossible(box, games[index : index + 1])
    return [] if found is None else found[1]


def first_impossible(box: Box, games: np.ndarray) -> tuple[int, list[str]] | None:
    """The number of a state [N] that is impossible, and what is wrong with it; None where all are possible.

    Compiled code takes possible states only: others let it write beside the record.
    """
    for together in ((_ranges, _empty_places), (_cards, _workers, _characters, _turn, _city), (_kept,)):
        broken = np.any([wrong for part in together for wrong, _ in part(box, games)], axis=0)
        if broken.any():
            at = int(broken.argmax())
            checks = (check for part in together for check in part(box, games[at : at + 1]))
            return at, [sentence for wrong, sentences in checks if wrong[0] for sentence in sentences]
    return None


def _told(form: str, *values: Any) -> Iterator[str]:
    """A sentence, formatted only where it is read: that takes longer than a check."""
    yield form.format(*values)


def _ranges(box: Box, games: np.ndarray) -> Iterator[Check]:
    for field in state.fields(box.games["ground"].shape[0], box.layout.slots):
        yield is_out_of_range(field, games), map(not_within, [field], games)


def _is_used(sizes: np.ndarray, places: int) -> np.ndarray:
    """The places of lists that are used: sizes [...] -> bool [..., places]."""
    used: np.ndarray = np.arange(places) < sizes[..., None]
    return used


def _lists(games: np.ndarray) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Every list: its places [N, ...], and which of them are used."""
    sizes = {"city_card": "city_size", "city_cell": "city_size", "coin": "coins", "held": "holding"}
    sizes |= {"pile": "pile_size", "frontier": "frontier_size"}
    found = {name: (games[name], _is_used(games[size], games[name].shape[-1])) for name, size in sizes.items()}
    from_top = (np.arange(state.BUILDINGS) - games["deck_top"][:, None]) % state.BUILDINGS
    whole_row = np.ones_like(games["row"], np.bool_)
    return found | {"deck": (games["deck"], from_top < games["deck_size"][:, None]), "row": (games["row"], whole_row)}


def _empty_places(box: Box, games: np.ndarray) -> Iterator[Check]:
    """Lists hold something up to their sizes, and cells are of the table."""
    for name, (places, used) in _lists(games).items():
        empty = (used & (places == NOTHING)).reshape(len(games), -1).any(axis=1)
        yield empty, _told("{} has an empty place: {}", name, places[0])
    cells = box.table.columns * box.table.lines
    outside = [(games[name] >= cells).any(axis=1) for name in ("city_cell", "frontier")]
    yield np.any(outside, axis=0), ["a card or a free place of the city lies outside the table"]


def _times(numbers: np.ndarray, counted: np.ndarray, size: int) -> np.ndarray:
    """The times that each number below size is among those counted in a state: both [N, ...] -> int [N, size]."""
    states = np.broadcast_to(np.arange(len(numbers)).reshape(-1, *[1] * (numbers.ndim - 1)), numbers.shape)[counted]
    found = np.bincount(states * size + numbers[counted].astype(np.int64), minlength=len(numbers) * size)
    return found.reshape(len(numbers), size)


def _cards(box: Box, games: np.ndarray) -> Iterator[Check]:
    """[P5 K1] Each of the 64 building cards lies in exactly one place; those never seen are counted."""
    lists, kinds, size = _lists(games), games["unseen"].shape[1], state.BUILDINGS + 1  # the square too
    many = [_times(*lists[name], size) for name in ("deck", "row", "city_card", "coin", "held")]
    times = np.sum(many, axis=0)[:, : state.BUILDINGS]
    wrong = [f"building {card} lies in {times[0, card]} places" for card in np.flatnonzero(times[0] != 1)]
    yield (times != 1).any(axis=1), wrong
    suits = np.broadcast_to(box.record[0].suit[: state.BUILDINGS], games["card_seen"].shape)
    unseen = _times(suits, games["card_seen"] == 0, kinds)
    counted = _told("unseen cards are {}, but {} counted", unseen[0], games["unseen"][0])
    yield (unseen != games["unseen"]).any(axis=1), counted


def _workers(box: Box, games: np.ndarray) -> Iterator[Check]:
    """[L3] Nine workers a seat; the counts of the board agree with its slots."""
    in_city = np.where(_is_used(games["city_size"], games["city_owner"].shape[1]), games["city_owner"], NOBODY)
    for seat in range(box.players):
        slots = (games["lodger"][:, :, : box.record[0].upper_slot] == seat).sum(axis=2) + games["upper"][:, :, seat]
        settled = (in_city == seat).sum(axis=1) + (games["on_square"] == seat).sum(axis=1)
        total = games["supply"][:, seat] + slots.sum(axis=1) + settled
        stock, counted = games["stock"][:, seat], games["settled"][:, seat]
        wrong = _told("seat {} has {} workers on the slots, but a stock of {}", seat, slots[0], stock[0])
        yield (slots != stock).any(axis=1), wrong
        wrong = _told("seat {} has {} workers in the city, but {} counted", seat, settled[0], counted[0])
        yield settled != counted, wrong
        yield total != state.WORKERS, _told("seat {} has {} workers", seat, total[0])


def _characters(box: Box, games: np.ndarray) -> Iterator[Check]:
    """[S4] No character is in two places, and each pile holds its guild's."""
    piles, used = _lists(games)["pile"]
    owned, guilds = games["owner"] != NOBODY, np.array(box.cards.guild)
    times = _times(piles, used, games["owner"].shape[1]) + owned
    yield (times > 1).any(axis=1), [f"character {each} is in two places" for each in np.flatnonzero(times[0] > 1)]
    strange = used & (guilds[piles] != np.arange(piles.shape[1])[:, None])
    wrong = [f"character {piles[0][at]} lies in guild {at[0]}'s pile" for at in map(tuple, np.argwhere(strange[0]))]
    yield strange.any(axis=(1, 2)), wrong
    present, expected = used.sum(axis=(1, 2)) + owned.sum(axis=1), (box.players - 1) * piles.shape[1]
    yield present != expected, _told("{} characters are in the game, not {}", present[0], expected)


def _turn(box: Box, games: np.ndarray) -> Iterator[Check]:
    """[T3 T6 L2 E1 E4] Phase, seats and rounds go together."""
    over, discard = games["phase"] == state.Phase.OVER, games["phase"] == state.Phase.DISCARD
    to_move, trigger, rows = games["to_move"], games["trigger"], np.arange(len(games))
    held = np.where(over, 0, games["holding"][rows, to_move])
    named = ("first", "active", "to_move", "trigger", "lodger", "on_square", "owner", "city_owner")
    strangers = [(games[name].reshape(len(games), -1) >= box.players).any(axis=1) for name in named]
    few = (trigger != NOBODY) & (games["settled"][rows, trigger] < state.LAST_WORKER)
    wrong = {
        "a seat is named that does not play": np.any(strangers, axis=0),
        "a seat is to move exactly while the game is not over": over != (to_move == NOBODY),
        "a seat's hand is empty": (games["hand"][:, : box.players] == 0).all(axis=2).any(axis=1),
        "a discard is pending exactly while three buildings are held": discard != (held > state.MOST_HELD),
        "a phase is resumed after a discard only": discard != (games["resume"] != NOTHING),
        "the trigger has fewer workers in the city": few,
        "the round is above the limit": games["rounds"] > box.max_rounds,
    }
    yield from ((broken, [sentence]) for sentence, broken in wrong.items())


def _city(box: Box, games: np.ndarray) -> Iterator[Check]:
    """[B2 B3] The ground agrees with the entries; the frontier is what lies beside them; all sides match."""
    fixed, rows, lists = box.record[0], np.arange(len(games)), _lists(games)
    used = lists["city_cell"][1][:, : games["city_size"].max()]
    ground = np.full(games["ground"].shape, NOTHING)
    facing = np.zeros_like(games["facing"])
    for entry in range(used.shape[1]):
        there = used[:, entry]
        ground[rows[there], games["city_cell"][there, entry]] = entry
        facing[rows[there], games["city_cell"][there, entry]] = state.BUILT
    for entry in range(used.shape[1]):
        for side in range(state.SIDES):
            beside = np.where(used[:, entry], fixed.neighbour[games["city_cell"][:, entry], side], NOTHING)
            at = ground[rows, beside]
            card, other = games["city_card"][:, entry], games["city_card"][rows, at]
            free, taken = (beside != NOTHING) & (at == NOTHING), (beside != NOTHING) & (at != NOTHING)
            facing[rows[free], beside[free]] |= fixed.presses[card[free], side]
            clash = taken & (fixed.streets[card, side] != fixed.streets[other, (side + 2) % state.SIDES])
            yield clash, _told("a street of card {} meets houses of card {}", card[0], other[0])
    yield (ground != games["ground"]).any(axis=1), ["the ground does not show the city's entries"]
    beside_city = (facing > 0) & (facing < state.BUILT)
    times = _times(*lists["frontier"], facing.shape[1])
    yield (times != beside_city).any(axis=1), ["the frontier is not what lies beside the city"]
    wrong = (games["city_card"][:, 0] != state.SQUARE) | (facing != games["facing"]).any(axis=1)
    yield wrong, ["the square or a card of the city is not where it should be, or a cell shows other neighbours"]


def _kept(box: Box, games: np.ndarray) -> Iterator[Check]:
    """All that is kept from move to move is as found by looking anew: values of buildings, number of words."""
    anew = copied(games)
    mask = np.zeros(box.layout.size, np.bool_)
    for at in range(len(anew)):
        batch.appraise(box.record, anew, at)
        batch.legal(box.record, anew, at, mask)
    for name in ("value", "legal_count"):
        differs = (games[name] != anew[name]).reshape(len(games), -1).any(axis=1)
        yield differs, _told("{} is {}, but looked at anew {}", name, games[name][0], anew[name][0])
