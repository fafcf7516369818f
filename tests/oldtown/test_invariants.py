"""What holds after every word of random games."""

import numpy as np
import pytest

from oddville_env.oldtown.game import OldTown
from oddville_env.oldtown.moves import Move, action_of, move_of, words
from oddville_env.oldtown.rules.actions import ACTIONS
from oddville_env.oldtown.rules.state import FIELDS
from support.town import walk

every_game = pytest.mark.parametrize("players", [2, 3, 4])
every_setting = pytest.mark.parametrize("lone_confirm", [False, True])


@every_game
@every_setting
def test_every_state_is_possible_and_ninety_tokens_are_accounted_for(players: int, lone_confirm: bool) -> None:
    for seed in range(2):
        for game in walk(OldTown(players, seed, lone_confirm=lone_confirm), seed):
            assert game.problems() == []
            assert game.mask.any() != game.is_over
            position = game.position()
            sizes = [5 if there is None else len(there) for there in position["buildings"].values()]
            assert sum(game.scores) + sum(size for size in sizes if size > 1) == 90


@every_game
@every_setting
def test_a_position_read_back_gives_the_same_position_and_words(players: int, lone_confirm: bool) -> None:
    for game in walk(OldTown(players, 1, lone_confirm=lone_confirm), 1):
        again = OldTown.from_position(game.position())
        assert again.position() == game.position()
        assert again.legal_moves.words() == game.legal_moves.words()
        assert again.problems() == []


@every_game
def test_what_is_taken_back_is_as_before(players: int) -> None:
    game, before = OldTown(players, 4), []
    for _ in walk(game, 4):
        before.append((game.state.copy(), game.mask.copy()))
    for state, mask in reversed(before[:-1]):
        game.pop()
        assert (game.state == state).all()
        assert (game.mask == mask).all()


@every_game
@every_setting
def test_a_record_replays_to_the_same_record(players: int, lone_confirm: bool) -> None:
    for seed in range(6):
        *_, game = walk(OldTown(players, seed, lone_confirm=lone_confirm), seed)
        assert OldTown.from_record(game.record()).record() == game.record()
        assert eval(repr(game)) == game


def test_equal_seeds_make_equal_games() -> None:
    assert OldTown(3, 7) == OldTown(3, 7)
    assert OldTown(3, 7) != OldTown(3, 8)


def test_every_id_has_a_word_of_its_own_that_leads_back_to_it() -> None:
    layout = OldTown().box.layout
    assert ACTIONS == 1125
    assert len(set(words(layout))) == ACTIONS
    for action, word in enumerate(words(layout)):
        assert action_of(layout, word) == action
        assert Move.parse(word) == move_of(layout, action)


def test_sets_never_grow_and_a_card_that_contradicts_does_so_for_ever() -> None:
    for seed in range(6):
        before = np.full(18, 0xFFFF)
        for game in walk(OldTown(3, seed), seed):
            sets = game.state[0].sets.astype(int)
            assert (before & sets == sets).all()
            before = np.where(sets == 0, before, sets)


def test_what_every_field_starts_with_is_in_its_range() -> None:
    for field in FIELDS:
        assert field.low <= field.start <= field.high
