"""Who knows what (K1-K3), and worlds, against counting all of them one by one."""

import numpy as np
import pytest

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.errors import SettingError
from oddville_env.oldtown.cards.words import BUILDINGS, CARDS, LOTS, CardType
from oddville_env.oldtown.game import OldTown
from oddville_env.oldtown.rules import clues, pairs, play
from oddville_env.oldtown.rules import worlds as engine
from oldtown.naive.worlds import Board
from support.helpers import every_number, many_states, random_game, walk


@pytest.mark.rule("K1")
def test_a_view_holds_the_own_hand_and_of_all_else_that_is_hidden_the_size() -> None:
    for game in walk(OldTown(2, 3), 3):
        view, full = game.position(view=1), game.position()
        assert view["seats"][1]["hand"] == full["seats"][1]["hand"]
        assert view["seats"][0]["hand"] == len(full["seats"][0]["hand"])
        assert view["common"] == len(full["common"])
        assert [seat["own"] for seat in view["seats"]] == [len(seat["own"]) for seat in full["seats"]]
        assert view["view"] == 1


@pytest.mark.rule("K2")
def test_dealing_anew_tells_only_types_and_depends_only_on_what_the_seat_can_know() -> None:
    game, rng = OldTown(4, 1), np.random.default_rng(0)
    hands = [tuple(game.sample_unseen(0, rng).position()["seats"][1]["hand"]) for _ in range(200)]
    seen, own = {card for hand in hands for card in hand}, set(game.position()["seats"][0]["hand"])
    assert seen == set(range(1, 37)) - own
    assert all(sum(card <= 18 for card in hand) == 2 for hand in hands)
    game = random_game(3, 8, moves=30, make=OldTown)
    other = game.sample_unseen(1, np.random.default_rng(1))
    assert game.sample_unseen(1, np.random.default_rng(2)) == other.sample_unseen(1, np.random.default_rng(2))


@pytest.mark.rule("K3, S3")
@every_number
def test_the_record_of_a_deal_anew_replays_so_no_stuck_hand_could_have_been_used(players: int) -> None:
    rng, stuck = np.random.default_rng(players), 0
    for seed in range(40, 60):
        game = random_game(players, seed, make=OldTown, lone_confirm=seed % 2 == 1)
        for _ in range(seed % 9):
            game.pop()
        stuck += int(game.state[0].stucks)
        for seat in range(players):
            other = game.sample_unseen(seat, rng)
            again = OldTown.from_record(other.record())
            assert (again.position(), again.position(seat)) == (other.position(), game.position(seat))
            assert (again.mask == other.mask).all()
    assert stuck > 10


def test_a_game_that_began_in_the_middle_cannot_be_dealt_anew() -> None:
    game = OldTown.from_position(OldTown(3, 1).position())
    with pytest.raises(SettingError, match="began in a position"):
        game.sample_unseen(0, np.random.default_rng(0))


@every_number
def test_the_observation_says_what_the_position_says(players: int) -> None:
    for game in many_states(60, players, 2, OldTown):
        seat = game.to_move or 0
        seen, position = game.observe(seat), game.position(seat)
        assert (np.flatnonzero(seen["hand"]) + 1).tolist() == position["seats"][seat]["hand"]
        assert sorted((np.flatnonzero(seen["played"]) + 1).tolist()) == sorted(position["played"])
        for place in range(players):
            told = position["seats"][(seat + place) % players]
            mine = [game.box.deck.keys[building] for building in np.flatnonzero(seen["mine"][place])]
            assert (sorted(mine), seen["seats"][place, 0]) == (sorted(told["mine"]), told["score"])
        for building, there in enumerate(position["buildings"].values()):
            standing = there is not None and len(there) == 1
            found = [(np.flatnonzero(seen[name][building]) + 1).tolist() for name in ("tokens", "standing")]
            assert found == ([[], there] if standing else [there or [], []])


FEW = 800  # worlds that are counted one by one


def few_worlds(sets: Board) -> list[dict[str, int]] | None:
    """Every placement of the buildings on lots of their sets, no two on one lot; None where there are too many."""
    found: list[dict[str, int]] = [{}]
    for key in sorted(sets, key=lambda key: len(sets[key])):
        found = [{**world, key: lot} for world in found for lot in sets[key] - {*world.values()}]
        if len(found) > FEW:
            return None
    return found


@pytest.mark.rule("W2, W3, W5, P1")
@pytest.mark.parametrize("players", [2, 3, 4])
def test_every_token_is_in_a_world_and_every_c_card_leaves_the_lots_of_some_world(players: int) -> None:
    counted = 0
    for seed in range(6):
        for game in walk(OldTown(players, seed), seed):
            board = {key: frozenset(lots) for key, lots in game.position()["buildings"].items() if lots}
            if (found := few_worlds(board)) is not None:
                counted += 1
                assert found
                assert board == {key: {world[key] for world in found} for key in board}
    assert counted > 100
    board, places = np.zeros(1, engine.WORLD), np.zeros(1, engine.WORLD)
    for seed in range(40, 43):
        for game in walk(OldTown(players, seed), seed):
            assert judge_by_rivals_and_by_worlds(game.box.record, game.state, board, places) == (18 * 17, 0)


@kernel
def lots_by_worlds(box, game, world, card, own):
    """[W5] What a C card leaves its two buildings: a world is looked for with both on the lots of each of its pairs."""
    left = others = 0
    for lot in range(LOTS):
        for other in range(LOTS):
            engine.look(game, world)
            pairs.take_part(game, world, box.named[card])
            pairs.take_part(game, world, own)
            for member in range(world.members):
                world.at[member] = 0
            world.used = 0
            world.sets[world.member[box.named[card]]] &= 1 << lot
            world.sets[world.member[own]] &= 1 << other
            if box.pairs[card, 0, lot] >> other & 1 and engine.find_world(world):
                left |= 1 << lot
                others |= 1 << other
    return left, others


@kernel
def judge_by_rivals_and_by_worlds(boxes, games, board, places):
    """How many C cards with an own building were judged, and how often worlds leave their two buildings other lots."""
    box, game, world = boxes[0], games[0], board[0]
    judged = otherwise = 0
    engine.look(game, world)
    for card in range(CARDS):
        for own in range(BUILDINGS):
            if box.card_type[card] == CardType.C and clues.may_speak_of(box, card, own):
                judged += 1
                pairs.narrow_to_pairs(box, game, world, card, own)
                left, others = lots_by_worlds(box, game, places[0], card, own)
                otherwise += world.named_left != left or world.own_left != others
    return judged, otherwise


def test_the_lowest_card_of_a_set_is_found() -> None:
    rng = np.random.default_rng(1)
    for card in range(CARDS):
        for higher in [0, *rng.integers(1 << CARDS, size=5).tolist()]:
            assert play.lowest_card(np.int64((higher >> card | 1) << card)) == card
