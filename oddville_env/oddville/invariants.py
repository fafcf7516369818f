"""Invariants of every state: ranges, nothing lost or doubled, and what is kept agrees with what is so.

All checks look at many states at once. Letters of shapes: N states, P seats.
"""

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

import numpy as np

from oddville_env.core.compiled.arrays import copied
from oddville_env.core.parts.fields import is_out_of_range, not_within
from oddville_env.oddville.cards.words import NOBODY, NOTHING
from oddville_env.oddville.rules import batch, state
from oddville_env.oddville.rules.box import Box


class Check(NamedTuple):
    """Something that must hold."""

    broken: np.ndarray  # bool [N]: the states in which it does not
    sentences: Callable[[int], list[str]]  # the number of such a state -> what is wrong there


def problems(box: Box, games: np.ndarray, index: int = 0) -> list[str]:
    """The faults of a state, a sentence each: first what lies outside its range, then what does not agree."""
    found = first_impossible(box, games[index : index + 1])
    return [] if found is None else found[1]


def first_impossible(box: Box, games: np.ndarray) -> tuple[int, list[str]] | None:
    """The number of a state [N] that is impossible, and what is wrong with it; None where all are possible.

    Compiled code takes possible states only: others let it write beside the record.
    """
    for together in ((_ranges, _empty_places), (_cards, _workers, _characters, _turn, _city), (_kept,)):
        checks = [check for part in together for check in part(box, games)]
        broken = np.any([check.broken for check in checks], axis=0)
        if broken.any():
            at = int(broken.argmax())
            return at, [sentence for check in checks if check.broken[at] for sentence in check.sentences(at)]
    return None


def _must_not(sentence: str, broken: np.ndarray) -> Check:
    """A check whose sentence is always the same."""
    return Check(broken, lambda _: [sentence])


def _ranges(box: Box, games: np.ndarray) -> Iterator[Check]:
    """Every field lies in its range."""
    for field in state.fields(box.games["ground"].shape[0], box.layout.slots):
        yield Check(
            is_out_of_range(field, games),
            lambda at, field=field: [not_within(field, games[at])],  # type: ignore[misc]
        )


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
        yield Check(empty, lambda at, name=name: [f"{name} has an empty place: {games[name][at]}"])  # type: ignore[misc]
    cells = box.table.columns * box.table.lines
    outside = [(games[name] >= cells).any(axis=1) for name in ("city_cell", "frontier")]
    yield _must_not("a card or a free place of the city lies outside the table", np.any(outside, axis=0))


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

    def wrong_cards(at: int) -> list[str]:
        return [f"building {card} lies in {times[at, card]} places" for card in np.flatnonzero(times[at] != 1)]

    yield Check((times != 1).any(axis=1), wrong_cards)
    suits = np.broadcast_to(box.record[0].suit[: state.BUILDINGS], games["card_seen"].shape)
    unseen = _times(suits, games["card_seen"] == 0, kinds)
    yield Check(
        (unseen != games["unseen"]).any(axis=1),
        lambda at: [f"unseen cards are {unseen[at]}, but {games['unseen'][at]} counted"],
    )


def _workers(box: Box, games: np.ndarray) -> Iterator[Check]:
    """[L3] Nine workers a seat; the counts of the board agree with its slots."""
    in_city = np.where(_is_used(games["city_size"], games["city_owner"].shape[1]), games["city_owner"], NOBODY)
    for seat in range(box.players):
        slots = (games["lodger"][:, :, : box.record[0].upper_slot] == seat).sum(axis=2) + games["upper"][:, :, seat]
        settled = (in_city == seat).sum(axis=1) + (games["on_square"] == seat).sum(axis=1)
        total = games["supply"][:, seat] + slots.sum(axis=1) + settled
        told = partial(_workers_of, games, seat, slots, settled, total)
        stock, counted = games["stock"][:, seat], games["settled"][:, seat]
        yield Check((slots != stock).any(axis=1) | (settled != counted) | (total != state.WORKERS), told)


def _workers_of(
    games: np.ndarray, seat: int, slots: np.ndarray, settled: np.ndarray, total: np.ndarray, at: int
) -> list[str]:
    """The faults of a seat's workers in a state."""
    stock, counted, found = games[at].stock[seat], games[at].settled[seat], []
    if (slots[at] != stock).any():
        found.append(f"seat {seat} has {slots[at]} workers on the slots, but a stock of {stock}")
    if settled[at] != counted:
        found.append(f"seat {seat} has {settled[at]} workers in the city, but {counted} counted")
    return found if total[at] == state.WORKERS else [*found, f"seat {seat} has {total[at]} workers"]


def _characters(box: Box, games: np.ndarray) -> Iterator[Check]:
    """[S4] No character is in two places, and each pile holds its guild's."""
    piles, used = _lists(games)["pile"]
    owned, guilds = games["owner"] != NOBODY, np.array(box.cards.guild)
    times = _times(piles, used, games["owner"].shape[1]) + owned
    yield Check((times > 1).any(axis=1), lambda at: [
        f"character {character} is in two places" for character in np.flatnonzero(times[at] > 1)
    ])  # fmt: skip
    strange = used & (guilds[piles] != np.arange(piles.shape[1])[:, None])
    yield Check(strange.any(axis=(1, 2)), lambda at: [
        f"character {piles[at, guild, place]} lies in guild {guild}'s pile" for guild, place in np.argwhere(strange[at])
    ])  # fmt: skip
    present, expected = used.sum(axis=(1, 2)) + owned.sum(axis=1), (box.players - 1) * piles.shape[1]
    yield Check(present != expected, lambda at: [f"{present[at]} characters are in the game, not {expected}"])


def _turn(box: Box, games: np.ndarray) -> Iterator[Check]:
    """[T3 T6 L2 E1 E4] Phase, seats and rounds go together."""
    over, discard = games["phase"] == state.Phase.OVER, games["phase"] == state.Phase.DISCARD
    to_move, trigger, rows = games["to_move"], games["trigger"], np.arange(len(games))
    held = np.where(over, 0, games["holding"][rows, to_move])
    named = ("first", "active", "to_move", "trigger", "lodger", "on_square", "owner", "city_owner")
    strangers = [(games[name].reshape(len(games), -1) >= box.players).any(axis=1) for name in named]
    # fmt: off
    yield _must_not("a seat is named that does not play", np.any(strangers, axis=0))
    yield _must_not("a seat is to move exactly while the game is not over", over != (to_move == NOBODY))
    yield _must_not("a seat's hand is empty", (games["hand"][:, : box.players] == 0).all(axis=2).any(axis=1))
    yield _must_not("a discard is pending exactly while three buildings are held", discard != (held > state.MOST_HELD))
    yield _must_not("a phase is resumed after a discard only", discard != (games["resume"] != NOTHING))
    yield _must_not("the trigger has fewer workers in the city",
                    (trigger != NOBODY) & (games["settled"][rows, trigger] < state.LAST_WORKER))
    yield _must_not("the round is above the limit", games["rounds"] > box.max_rounds)
    # fmt: on


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
            if clash.any():
                yield Check(clash, partial(_clash, card, other))
    yield _must_not("the ground does not show the city's entries", (ground != games["ground"]).any(axis=1))
    beside_city = (facing > 0) & (facing < state.BUILT)
    times = _times(*lists["frontier"], facing.shape[1])
    yield _must_not("the frontier is not what lies beside the city", (times != beside_city).any(axis=1))
    wrong = (games["city_card"][:, 0] != state.SQUARE) | (facing != games["facing"]).any(axis=1)
    yield _must_not(
        "the square or a card of the city is not where it should be, or a cell shows other neighbours", wrong
    )


def _clash(card: np.ndarray, other: np.ndarray, at: int) -> list[str]:
    return [f"a street of card {card[at]} meets houses of card {other[at]}"]


def _kept(box: Box, games: np.ndarray) -> Iterator[Check]:
    """All that is kept from move to move is as found by looking anew: values of buildings, number of words."""
    anew = copied(games)
    mask = np.zeros(box.layout.size, np.bool_)
    for at in range(len(anew)):
        batch.appraise(box.record, anew, at)
        batch.legal(box.record, anew, at, mask)
    for name in ("value", "legal_count"):
        differs = (games[name] != anew[name]).reshape(len(games), -1).any(axis=1)
        yield Check(differs, partial(_not_kept, name, games, anew))


def _not_kept(name: str, games: np.ndarray, anew: np.ndarray, at: int) -> list[str]:
    return [f"{name} is {games[name][at]}, but looked at anew {anew[name][at]}"]
