"""The people's game: its end, and what is unseen in it."""

from collections import Counter

import numpy as np
import pytest

from oddville_env import Game, IllegalMoveError
from oddville_env.core.compiled.arrays import copied
from oddville_env.oddville.invariants import first_impossible
from support.helpers import many_states, random_game, told, walk
from support.numbers import every_number

# The end


@every_number
def test_the_outcome_tells_scores_strict_ranks_and_the_trigger(players: int) -> None:
    for seed in range(12):
        game = Game(players, seed)
        for step in walk(game, seed):
            assert (step.outcome is None) == (not step.is_over)
        outcome = game.outcome
        assert outcome is not None
        assert outcome.scores == game.scores
        assert sorted(outcome.ranks) == list(range(1, players + 1))
        assert outcome.ranks[outcome.winner] == 1
        by_rank = [outcome.scores[outcome.ranks.index(rank)] for rank in range(1, players + 1)]
        assert by_rank == sorted(by_rank, reverse=True)
        assert outcome.truncated == (outcome.trigger is None)


def test_a_game_at_its_limit_of_rounds_is_cut_off() -> None:
    game = random_game(3, 1, max_rounds=2)
    assert game.outcome is not None
    assert (game.outcome.truncated, game.outcome.trigger) == (True, None)
    assert game.position()["round"] == 2


@every_number
def test_the_score_sheet_adds_up_to_the_scores(players: int) -> None:
    for game in many_states(40, players):
        assert [sheet.total for sheet in game.score_sheet()] == list(game.scores) == game.position()["scores"]


def test_the_score_sheet_lists_what_each_seat_has() -> None:
    for game in many_states(20, 3):
        position = game.position()
        for number, sheet in enumerate(game.score_sheet()):
            own = [(b["card"], b["column"], b["line"]) for b in position["city"] if b["owner"] == number]
            assert [building[:3] for building in sheet.buildings] == own
            assert sorted(sheet.characters) == position["seats"][number]["characters"]
            slots = position["board"].items()
            assert sheet.workers == {resource: sum(on.count(number) for on in its) for resource, its in slots}
            assert (sheet.square > 0) == (number in position["square"].values())


# What is unseen


@every_number
def test_samples_have_other_hidden_orders_and_another_future(players: int) -> None:
    game = random_game(players, 3, moves=50)
    rng = np.random.default_rng(0)
    samples = [game.sample_unseen(None, rng) for _ in range(20)]
    assert len({tuple(sample.record()["deck"]) for sample in samples}) == 20
    assert len({int(sample.state[0].seed) for sample in samples}) == 20


def test_the_same_generator_gives_the_same_sample() -> None:
    game = random_game(3, 3, moves=50)
    first, second = (game.sample_unseen(None, np.random.default_rng(5)) for _ in range(2))
    assert told(first) == told(second)


@every_number
def test_a_sample_can_be_played_to_its_end_and_replayed(players: int) -> None:
    for game in many_states(6, players, seed=50):
        sample = game.sample_unseen(None, np.random.default_rng(1))
        states = np.concatenate([copied(step.state) for step in walk(sample, 3)])
        assert first_impossible(game.box, states) is None
        assert Game.from_record(sample.record()).record() == sample.record()


def test_a_samples_moves_cannot_be_taken_back_but_later_ones_can() -> None:
    sample = random_game(2, 3, moves=50).sample_unseen(None, np.random.default_rng(0))
    before = told(sample)
    with pytest.raises(IllegalMoveError):
        sample.pop()
    sample.push(next(iter(sample.legal_moves)))
    sample.pop()
    assert told(sample) == before


def hidden(game: Game) -> list[int]:
    """The cards that lie face down and were never seen, -1 for those that were: deck, top first, then coins."""
    state = game.state[0]
    deck = np.roll(state.deck, -state.deck_top)[: state.deck_size].tolist()
    cards = [*deck, *(card for seat, size in enumerate(state.coins) for card in state.coin[seat, :size].tolist())]
    return [-1 if state.card_seen[card] else card for card in cards]


def test_every_unseen_card_can_lie_in_every_unseen_place() -> None:
    game = random_game(3, 4, moves=100)
    rng = np.random.default_rng(0)
    number = 2500

    places = np.array([hidden(game.sample_unseen(None, rng)) for _ in range(number)])

    known = places[0] == -1
    assert known.any()
    assert (places[:, known] == -1).all()
    unseen = sorted(card for card in hidden(game) if card >= 0)
    expected = number / len(unseen)
    for place in np.flatnonzero(~known):
        times = Counter(places[:, place].tolist())
        assert sorted(times) == unseen
        assert max(times.values()) < expected + 6 * expected**0.5
        assert min(times.values()) > expected - 6 * expected**0.5


def test_the_order_of_a_new_pile_below_its_top_is_unseen() -> None:
    game = next(
        game for game in walk(Game(4, 2), 2) if game.record()["reshuffles"] and (game.state[0].pile_size == 2).any()
    )
    guild = int(np.flatnonzero(game.state[0].pile_size == 2)[0])
    rng = np.random.default_rng(0)
    tops = {tuple(game.sample_unseen(None, rng).state[0].pile[guild, :2].tolist()) for _ in range(30)}
    assert len({top for _, top in tops}) == 1
