"""[K3] Deals that are dealt anew are as likely as the law makes them: chi-square tests against exact chances."""

from collections import Counter
from functools import cache
from itertools import combinations, product
from math import comb, factorial, prod
from typing import Any

import numpy as np
import pytest

from oddville_env.core.compiled.arrays import copied
from oddville_env.core.compiled.jit import kernel
from oddville_env.oldtown.cards.words import CARDS, NOBODY, NOTHING, CardType
from oddville_env.oldtown.game import OldTown
from oddville_env.oldtown.rules import batch, drafts, evidence, guided, hidden, redeal
from oddville_env.oldtown.rules.state import Phase
from oldtown.naive import DECK
from oldtown.naive.judge import judge
from support.helpers import random_game

DEALS = 2000
MIXED = [(0, 30), (3, 21), (4, 18), (5, 26), (6, 24), (12, 21)]
"""Random games of two in which the own stack is mixed: seed, words."""
SHOWN = [(0, 24), (9, 13), (50, 23), (70, 11), (75, 17), (89, 13)]
"""The same in which a seat has shown the first card of a pair."""
STUCK = [(2, 6, 21, 0), (3, 4, 18, 0), (4, 18, 21, 1), (2, 3, 21, 0), (3, 3, 14, 2), (3, 9, 21, 1)]
"""Those in which a seat has shown that it can use no card: players, seed, words, the seat that looks."""
HARD = [(3, 49, 30), (3, 49, 36), (3, 120, 18), (3, 247, 48)]
"""Random games in which stuck hands leave few deals that fit: players, seed, words."""
CRITICAL = {1: 10.8, 2: 13.8, 3: 16.3, 4: 18.5, 5: 20.5, 6: 22.5}
"""Chi-square that chance exceeds once in a thousand times, by the degrees of freedom."""


def half_of(games: list[tuple[int, ...]]) -> list[Any]:
    """All games, the second half of them in the slow lane: a smaller sample of each would tell less of it."""
    half = len(games) // 2
    return [*games[:half], *(pytest.param(*game, marks=pytest.mark.slow) for game in games[half:])]


def a_cards(hand: int) -> int:
    return (int(hand) & ((1 << 18) - 1)).bit_count()


def after(players: int, seed: int, words: int) -> OldTown:
    return random_game(players, seed, words, OldTown)


def drawn(game: OldTown, seat: int, other: int, stucks: int = 0) -> Counter[int]:
    """How often the other seat holds so many A cards where a seat deals anew."""
    return Counter(a_cards(sampled(game, seat, number, stucks)[0].hand[other]) for number in range(DEALS))


def assert_likely(found: Counter[int], likely: dict[int, float]) -> None:
    """Chi-square does not tell what was drawn from its exact chances."""
    assert found.keys() <= likely.keys()
    apart = sum((found[held] - DEALS * chance) ** 2 / (DEALS * chance) for held, chance in likely.items())
    assert apart < CRITICAL[max(len(likely) - 1, 1)], (likely, found)


def assert_alike(one: Counter[int], other: Counter[int]) -> None:
    """Chi-square does not tell two samples apart."""
    apart, both = 0.0, one + other
    for held in both:
        share = both[held] / both.total()
        apart += sum((each[held] - each.total() * share) ** 2 / (each.total() * share) for each in (one, other))
    assert apart < CRITICAL[max(len(both) - 1, 1)], (one, other)


def sampled(game: OldTown, seat: int, seed: int, stucks: int) -> np.ndarray:
    """The state dealt anew for a seat, with so many of the stuck hands heeded; it tells of all."""
    state = copied(game.state)
    state[0].stucks = stucks
    batch.sample_unseen(game.box.record, state, 0, seat, np.uint64(seed))
    state[0].stucks = game.state[0].stucks
    return state


def chances(game: OldTown, other: int) -> dict[int, float]:
    """[S3 K1] How likely the other of two players holds so many A cards, for whoever does not know the hand.

    Every order of the types in the own stack is as likely as the ways in which its cards, and the two A and two C of
    the hand, can be those that were played: each on a place that had been taken by then.
    """
    state, box = game.state[0], game.box.record[0]
    first = int(box.own_place) + other * int(box.own_size)
    orders = [int(state.order[place]) for place in range(first, first + 6)]
    plays = [
        (int(state.played[n]), int(state.played_after[n])) for n in range(state.plays) if state.played_by[n] == other
    ]
    shown = int(state.shown)
    plays += [(shown, int(state.taken[other]))] if shown != NOTHING else []  # it came from the hand, where it still is
    ways: Counter[int] = Counter()
    for a_places in combinations(range(6), 3):
        number, held = 1, 0
        for hand, kind in (((0, 1), range(18)), ((2, 3), range(18, 36))):
            in_stack = [order for place, order in enumerate(orders) if (place in a_places) == (kind.start == 0)]
            taken = [*hand, *(order for order in in_stack if order >= 0)]
            afters = sorted(after for card, after in plays if card in kind)
            for used, after in enumerate(afters):
                number *= max(sum(order < after for order in taken) - used, 0)
            held = len(taken) - len(afters) + (shown in kind) if kind.start == 0 else held
        ways[held] += number
    return {held: number / ways.total() for held, number in ways.items() if number}


@pytest.mark.rule("K2")
@pytest.mark.parametrize(("seed", "words"), half_of(MIXED))
def test_a_hand_from_a_mixed_stack_is_as_likely_as_there_are_ways_to_deal_it(seed: int, words: int) -> None:
    game = after(2, seed, words)
    other = 1 - int(game.state[0].to_move)
    assert_likely(drawn(game, 1 - other, other), chances(game, other))


@cache
def verdict_of(board: frozenset[tuple[str, frozenset[int]]], card: int, own: str | None) -> str:
    """What a card is, by the naive judge, which is slow: thousands of deals are of the same few boards."""
    return judge(dict(board), DECK.cards[card], own).name


def fits(state: np.record, game: OldTown, stucks: int) -> bool:
    """[K3] No stuck hand of a deal held a card that could be played, or two that counted, by the naive judge."""
    keys = game.box.deck.keys
    for number in range(stucks):
        board = {
            keys[building]: frozenset(lot + 1 for lot in range(16) if int(lots) >> lot & 1)
            for building, lots in enumerate(state.stuck_sets[number])
            if lots
        }
        mine = [keys[building] for building in state.stuck_mine[number] if building != NOTHING]
        gone = set(state.played[: state.stuck_plays[number]].tolist())
        had = (state.holder == state.stuck_seat[number]) & (state.order < state.stuck_taken[number])
        hand = [DECK.cards[card + 1] for card in state.deal[had].tolist() if card not in gone]
        told = [
            {
                verdict_of(frozenset(board.items()), card.number, own)
                for own in ([None] if card.type == "A" else mine)
                if own != card.building
            }
            for card in hand
        ]
        counting = sum(not verdicts.isdisjoint({"confirming", "contradicting"}) for verdicts in told)
        if counting > 1 or any("change" in verdicts for verdicts in told):
            return False
    return True


def higher_counting(game: OldTown) -> set[int]:
    """[Q1 Q2] The cards above the first one of a pair that count for the seat that shows it, by the naive judge."""
    position = game.position()
    board = {building: frozenset(lots) for building, lots in position["buildings"].items() if lots}
    mine = position["seats"][game.to_move]["mine"]
    return {
        number - 1
        for number, card in DECK.cards.items()
        if number - 1 > int(game.state[0].shown)
        for own in ([None] if card.type == "A" else mine)
        if own != card.building and judge(board, card, own).name in ("confirming", "contradicting")
    }


def chances_to_show(game: OldTown, other: int) -> dict[int, float]:
    """[K3 Q2] The same, for a seat that has shown the first card of a pair: its hand holds a second, higher one.

    Of each type the hand is as likely to be any cards that nobody else has seen.
    """
    state, box = game.state[0], game.box.record[0]
    seen = {int(card) for card, holder in zip(state.deal, state.holder, strict=True) if holder == 1 - other}
    seen |= {int(card) for card in state.played[: state.plays]} | {int(state.shown)}
    unknown, counting = set(range(CARDS)) - seen, higher_counting(game)
    hand = [card for card in range(CARDS) if int(state.hand[other]) >> card & 1 and card != state.shown]
    from_common = sum(int(box.card_type[card]) == CardType.B for card in hand)
    likely: dict[int, float] = {}
    for held, chance in chances(game, other).items():
        more_a = held - (int(state.shown) < 18)
        amounts = {CardType.A: more_a, CardType.B: from_common, CardType.C: len(hand) - from_common - more_a}
        none = 1.0
        for kind, amount in amounts.items():
            pool = {card for card in unknown if box.card_type[card] == kind}
            none *= comb(len(pool - counting), amount) / comb(len(pool), amount)
        likely[held] = chance * (1 - none)
    return {held: number / sum(likely.values()) for held, number in likely.items() if number}


@pytest.mark.rule("K3")
@pytest.mark.parametrize(("seed", "words"), half_of(SHOWN))
def test_a_hand_that_shows_a_pair_is_as_likely_as_it_holds_a_second_card(seed: int, words: int) -> None:
    game = after(2, seed, words)
    assert (game.phase, int(game.state[0].stucks)) == (Phase.SHOW, 0)
    other = int(game.state[0].to_move)
    likely, without = chances_to_show(game, other), chances(game, other)
    assert max(abs(likely.get(held, 0) - without[held]) for held in without) > 0.02
    assert_likely(drawn(game, 1 - other, other), likely)


def chances_of_three(game: OldTown, seat: int, other: int) -> dict[int, float]:
    """[S3 K1] How likely another of three players holds so many A cards, for a seat: the common stack is mixed.

    Every order of the types in the common stack is as likely as the ways in which its cards, and the two A and two C of
    each hand, can be those that were played: each on a place that had been taken by then.
    """
    state, box = game.state[0], game.box.record[0]
    common = [(int(box.card_type[state.deal[place]]), place) for place in range(box.common_place, box.out_place)]
    taken = [place for _, place in common if state.holder[place] not in (seat, NOBODY)]
    unknown = Counter(kind for kind, place in common if state.holder[place] != seat)
    ways: Counter[int] = Counter()
    for kinds in product(CardType, repeat=len(taken)):
        rest = [unknown[kind] - kinds.count(kind) for kind in CardType]
        if min(rest) < 0:
            continue
        number, held = factorial(sum(rest)) // prod(map(factorial, rest)), 0
        for who, kind in product({0, 1, 2} - {seat}, CardType):
            places = [place for place, each in zip(taken, kinds, strict=True) if each == kind]
            had = [int(state.order[place]) for place in places if state.holder[place] == who]
            had += [-1, -1] if kind != CardType.B else []
            mine = [n for n in range(state.plays) if state.played_by[n] == who]
            afters = sorted(int(state.played_after[n]) for n in mine if box.card_type[state.played[n]] == kind)
            for used, after in enumerate(afters):
                number *= max(sum(order < after for order in had) - used, 0)
            held = len(had) - len(afters) if (who, kind) == (other, CardType.A) else held
        ways[held] += number
    return {held: number / ways.total() for held, number in ways.items() if number}


@pytest.mark.rule("K2")
@pytest.mark.parametrize(("seed", "words", "seat", "other"), [(6, 16, 1, 2), (24, 16, 2, 1)])
def test_hands_of_three_are_as_likely_as_the_ways_to_deal_them(seed: int, words: int, seat: int, other: int) -> None:
    game = after(3, seed, words)
    assert (int(game.state[0].stucks), game.state[0].phase == Phase.SHOW) == (0, False)
    likely = chances_of_three(game, seat, other)
    assert len(likely) > 2
    assert_likely(drawn(game, seat, other), likely)


@pytest.mark.rule("K3")
@pytest.mark.parametrize(("players", "seed", "words", "seat"), half_of(STUCK))
def test_stuck_hand_makes_deals_as_likely_as_dealing_again(players: int, seed: int, words: int, seat: int) -> None:
    game = after(players, seed, words)
    other = int(game.state[0].stuck_seat[0])
    assert (int(game.state[0].stucks), other == seat) == (1, False)
    states = (sampled(game, seat, DEALS + number, 0)[0] for number in range(DEALS))
    kept = Counter(a_cards(state.hand[other]) for state in states if fits(state, game, 1))
    assert kept.total() > DEALS // 10
    assert_alike(drawn(game, seat, other, stucks=1), kept)


@pytest.mark.rule("K3")
@pytest.mark.parametrize(("players", "seed", "words"), HARD)
def test_deals_that_are_hard_to_come_by_are_found(players: int, seed: int, words: int) -> None:
    game = after(players, seed, words)
    stucks = int(game.state[0].stucks)
    for seat, number in product(range(players), range(20)):
        assert fits(sampled(game, seat, number, stucks)[0], game, stucks)


@kernel
def deal_guided(boxes, games, index, viewer, seed):
    """Deal anew by guided deals alone, as after many that do not fit."""
    box, game = boxes[0], games[index]
    hidden.canonicalize_hidden(box, game, viewer)
    memory = np.zeros(1, drafts.DRAFT)
    drafts.survey(box, game, memory[0])
    masks = evidence.stuck_hands(box, game, viewer, memory[0].lies)
    guided.resample(box, game, viewer, memory[0], masks, seed)
    redeal.deal_rest(box, game, memory[0], seed)
    hidden.fill_hands(box, game, viewer)


@pytest.mark.rule("K3")
@pytest.mark.parametrize(("players", "seed", "words", "seat"), half_of(STUCK))
def test_guided_deals_are_as_likely_as_those_drawn_by_rejection(players: int, seed: int, words: int, seat: int) -> None:
    game = after(players, seed, words)
    other, stucks = int(game.state[0].stuck_seat[0]), int(game.state[0].stucks)
    guided_hands: Counter[int] = Counter()
    for number in range(DEALS):
        state = copied(game.state)
        deal_guided(game.box.record, state, 0, seat, np.uint64(DEALS + number))
        assert number > 40 or fits(state[0], game, stucks)
        guided_hands[a_cards(state[0].hand[other])] += 1
    assert_alike(drawn(game, seat, other, stucks), guided_hands)
