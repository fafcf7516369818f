"""Who knows what: K1-K3."""

import numpy as np
import pytest

from oddville_env.core.errors import SettingError
from oddville_env.oldtown.game import OldTown
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
def test_dealing_anew_tells_of_a_hidden_card_no_more_than_its_type() -> None:
    game, rng = OldTown(4, 1), np.random.default_rng(0)
    hands = [tuple(game.sample_unseen(0, rng).position()["seats"][1]["hand"]) for _ in range(200)]
    seen = {card for hand in hands for card in hand}
    own = set(game.position()["seats"][0]["hand"])
    assert seen == set(range(1, 37)) - own
    assert all(sum(card <= 18 for card in hand) == 2 for hand in hands)


@pytest.mark.rule("K3")
@pytest.mark.rule("S3")
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
            assert again.position() == other.position()
            assert again.position(seat) == game.position(seat)
            assert (again.mask == other.mask).all()
    assert stuck > 10


def test_a_game_that_began_in_the_middle_cannot_be_dealt_anew() -> None:
    game = OldTown.from_position(OldTown(3, 1).position())
    with pytest.raises(SettingError, match="began in a position"):
        game.sample_unseen(0, np.random.default_rng(0))


@pytest.mark.rule("K2")
def test_a_deal_anew_depends_on_nothing_that_the_seat_cannot_know() -> None:
    game = random_game(3, 8, moves=30, make=OldTown)
    other = game.sample_unseen(1, np.random.default_rng(1))
    assert game.sample_unseen(1, np.random.default_rng(2)) == other.sample_unseen(1, np.random.default_rng(2))


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
            assert sorted(mine) == sorted(told["mine"])
            assert seen["seats"][place, 0] == told["score"]
        for building, there in enumerate(position["buildings"].values()):
            standing = there is not None and len(there) == 1
            found = [(np.flatnonzero(seen[name][building]) + 1).tolist() for name in ("tokens", "standing")]
            assert found == ([[], there] if standing else [there or [], []])
