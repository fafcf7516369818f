"""The closure and the outcomes of cards, against counting all worlds one by one."""

import numpy as np
import pytest

from oddville_env.core.compiled.jit import kernel
from oddville_env.oldtown.cards.words import BUILDINGS, CARDS, CardType
from oddville_env.oldtown.game import OldTown
from oddville_env.oldtown.rules import clues, pairs, play
from oddville_env.oldtown.rules import worlds as engine
from oldtown.naive.worlds import Board
from support.helpers import walk

FEW = 800  # worlds that are counted one by one


def few_worlds(sets: Board) -> list[dict[str, int]] | None:
    """Every placement of the buildings on lots of their sets, no two on one lot; None where there are too many."""
    found: list[dict[str, int]] = [{}]
    for key in sorted(sets, key=lambda key: len(sets[key])):
        found = [{**world, key: lot} for world in found for lot in sets[key] - {*world.values()}]
        if len(found) > FEW:
            return None
    return found


@pytest.mark.rule("W2")
@pytest.mark.rule("W3")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_token_is_in_a_world(players: int) -> None:
    counted = 0
    for seed in range(6):
        for game in walk(OldTown(players, seed), seed):
            board = {key: frozenset(lots) for key, lots in game.position()["buildings"].items() if lots}
            if (found := few_worlds(board)) is not None:
                counted += 1
                assert found
                assert board == {key: {world[key] for world in found} for key in board}
    assert counted > 100


@kernel
def judge_by_bounds_and_by_search(boxes, games, board):
    """How many C cards with an own building were judged, how many of them otherwise by a search for worlds, and how
    often what is left lies outside the bounds.
    """
    box, game, world = boxes[0], games[0], board[0]
    judged = otherwise = outside = 0
    engine.look(game, world)
    for card in range(CARDS):
        for own in range(BUILDINGS):
            if box.card_type[card] == CardType.C and clues.may_speak_of(box, card, own):
                judged += 1
                verdict = clues.judge_pairs(box, game, world, card, own)
                complete = clues.search_pairs(box, game, world, card, own, clues.Verdict.SILENT)
                otherwise += verdict != complete
                at_most, others_at_most, surely, others_surely = pairs.bounds_under_pairs(box, game, world, card, own)
                members = np.int64(world.members)
                left = others = 0
                if pairs.join(game, world, box.named[card]) and pairs.join(game, world, own):
                    left, others = pairs.sets_under_pairs(box, game, world, card, own)
                pairs.part(game, world, members)
                outside += surely & ~left != 0 or left & ~at_most != 0
                outside += others_surely & ~others != 0 or others & ~others_at_most != 0
    return judged, otherwise, outside


@pytest.mark.rule("W5")
@pytest.mark.rule("P1")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_bounds_of_every_c_card_hold_and_say_what_a_search_says(players: int) -> None:
    board = np.zeros(1, engine.WORLD)
    for seed in range(40, 43):
        for game in walk(OldTown(players, seed), seed):
            judged, otherwise, outside = judge_by_bounds_and_by_search(game.box.record, game.state, board)
            assert judged == 18 * 17
            assert (otherwise, outside) == (0, 0)


def test_the_lowest_card_of_a_set_is_found() -> None:
    rng = np.random.default_rng(1)
    for card in range(CARDS):
        for higher in [0, *rng.integers(1 << CARDS, size=5).tolist()]:
            assert play.lowest_card(np.int64((higher >> card | 1) << card)) == card
