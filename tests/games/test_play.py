"""What both games promise: moves, states, records, taking back, copies."""

import json
from importlib import import_module
from typing import Any

import numpy as np
import pytest

from oddville_env import Game, IllegalMoveError, OldTown, RecordError, SettingError
from support.games import NAMES, SETTINGS, every_game, every_setting
from support.helpers import many_states, random_game, told, walk

# Moves


@pytest.mark.parametrize(("make", "settings"), [*SETTINGS, (Game, {"table": (99, 99)})], ids=str)
def test_word_and_id_lead_to_each_other_for_every_move(make: Any, settings: dict[str, Any]) -> None:
    moves, game = import_module(f"oddville_env.{NAMES[make]}.moves"), make(**{"seed": 1, **settings})
    layout = game.box.layout
    words = game.game_type.words(layout)
    assert len(set(words)) == len(words) == len(game.mask) == layout.size
    for action, word in enumerate(words):
        assert moves.action_of(layout, word) == action
        assert moves.Move.parse(word) == moves.move_of(layout, action)
        assert moves.move_of(layout, action).word == word
    assert [game.action(word) for word in words[::50]] == [*range(0, len(words), 50)]


@every_game
def test_legal_moves_are_iterated_counted_asked_for_and_played_as_a_word_a_move_or_an_id(make: Any) -> None:
    for game in many_states(12, 3, make=make):
        legal, words = game.legal_moves, [move.word for move in game.legal_moves]
        assert words == sorted(set(words)) == legal.words()
        assert len(words) == len(legal) == game.mask.sum()
        for move in legal:
            assert {move in legal, move.word in legal, np.int64(game.action(move)) in legal} == {True}
        found = [action for action in range(-2, len(game.mask) + 2) if action in legal]
        assert found == np.flatnonzero(game.mask).tolist()
    for game in many_states(8, 3, make=make):
        for move in game.legal_moves:
            played = []
            for way in (move, move.word, game.action(move)):
                played.append(game.copy())
                played[-1].push(way)
            assert played[0].problems() == []
            assert told(played[0]) == told(played[1]) == told(played[2])


@every_game
def test_an_illegal_move_names_the_nearest_legal_ones_and_changes_nothing(make: Any) -> None:
    for game in many_states(10, 3, seed=4, make=make):
        if game.is_over:
            continue
        before, no_move = told(game), int(np.flatnonzero(~game.mask)[-1])
        with pytest.raises(IllegalMoveError) as illegal:
            game.push(no_move)
        sentence, near = str(illegal.value).split(" legal moves: ")
        assert f"is not legal now (phase {game.phase.word}, seat {game.to_move} to move)" in sentence
        assert set(near.split(", ")) <= set(game.legal_moves.words())
        assert told(game) == before


@every_setting
def test_every_state_is_possible_and_has_a_legal_move_until_the_end(make: Any, settings: dict[str, Any]) -> None:
    for seed in range(3):
        for number, game in enumerate(walk(make(seed=seed, **settings), seed)):
            assert game.mask.any() != game.is_over
            assert game.state[0].legal_count == game.mask.sum() == len(game.legal_moves)
            assert (game.to_move is None) == game.is_over == (game.outcome is not None)
            if number % 4 == seed or game.is_over:
                assert game.problems() == []
                assert [sheet.total for sheet in game.score_sheet()] == list(game.scores)
        scores, ranks = game.outcome.scores, game.outcome.ranks
        assert (scores, min(ranks)) == (game.scores, 1)
        assert all(scores[a] >= scores[b] for a, one in enumerate(ranks) for b, two in enumerate(ranks) if one < two)
        with pytest.raises(IllegalMoveError, match="the game is over"):
            game.push(game.moves[0])


@every_setting
def test_popping_goes_back_through_every_state_of_a_game(make: Any, settings: dict[str, Any]) -> None:
    game = make(seed=5, **settings)
    passed = [told(game) for _ in walk(game, 5)]
    for move in reversed(game.moves):
        assert (told(game), game.pop()) == (passed.pop(), move)
    assert told(game) == passed.pop()
    with pytest.raises(IllegalMoveError, match="there is no move to undo"):
        game.pop()


@every_game
def test_the_same_seed_is_the_same_game_and_another_one_another_game(make: Any) -> None:
    assert told(make(3, 7)) == told(make(3, 7))
    assert make(3, 7) == make(3, 7) != make(3, 8)
    assert len({make(2, seed).state.tobytes() for seed in range(50)}) == 50
    game = make()
    assert told(make(seed=game.seed)) == told(game) != told(make())


@every_game
@pytest.mark.parametrize("seed", ["1", b"1", 1.0, -1, True, [1]], ids=repr)
def test_a_seed_is_a_whole_number_from_0(make: Any, seed: Any) -> None:
    assert (told(make(2, np.uint64(2**63))), make(2, 2**200)) == (told(make(2, 2**63)), make(2, 2**200))
    with pytest.raises(SettingError, match="seed must be a whole number of at least 0, or None, not"):
        make(2, seed)


@every_game
def test_a_copy_is_independent(make: Any) -> None:
    game = random_game(4, 2, moves=60, make=make)
    before, copy = told(game), game.copy()
    assert game == copy != "game"
    copy.sample_unseen(0, np.random.default_rng(0))
    assert told(copy) == before
    for _ in walk(copy, 1):
        pass
    assert told(game) == before
    end = told(copy)
    game.take_back(0)
    assert (told(copy), game.moves) == (end, [])


@every_setting
@pytest.mark.parametrize("seed", range(3))
def test_a_game_replays_to_the_same_record(make: Any, settings: dict[str, Any], seed: int) -> None:
    game = random_game(seed=seed, make=make, **settings)
    record = game.record()
    for form in (record, json.loads(json.dumps(record)), json.dumps(record)):
        assert make.from_record(form).record() == record
    assert (make.from_record(record).position(), eval(repr(game)).record()) == (game.position(), record)
    assert make.from_record({**record, "comment": "our first game"}).record() == record


@every_game
def test_a_game_that_begins_in_the_middle_has_no_record(make: Any) -> None:
    for game in many_states(6, 3, make=make):
        middle = make.from_state(game.box, game.state)
        assert middle.position() == game.position()
        assert (middle.legal_moves.words(), middle.moves) == (game.legal_moves.words(), [])
    other = random_game(3, 5, moves=40, make=make).view().game()
    other.push(next(iter(other.legal_moves)))
    with pytest.raises(RecordError, match="in the middle has no record"):
        other.record()


def test_both_games_have_the_same_verbs() -> None:
    verbs = {name for name in dir(Game) if not name.startswith("_")} - {"reshuffles", "round"}
    assert verbs <= set(dir(OldTown))
