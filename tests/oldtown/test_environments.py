"""Old Town in PettingZoo, Gymnasium and vector environments."""

import copy
import pickle
from importlib import import_module
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, seed_test

import oddville_env
from oddville_agents import Agent
from oddville_env import OldTown, OldTownEnv, OldTownSelfPlayEnv, oldtown_v0
from oddville_env.core.errors import SettingError
from oddville_env.core.game.view import View
from oddville_env.envs.rewards import REWARDS
from support.town import walk

every_number = pytest.mark.parametrize("players", [2, 3, 4])
every_encoding = pytest.mark.parametrize("encoding", ["features", "memoryless"])


def play_out(env: Any, seed: int) -> list[tuple[Any, ...]]:
    """All that agents of random moves meet in a game."""
    env.reset(seed=seed)
    rng, met = np.random.default_rng(seed), []
    for agent in env.agent_iter():
        observation, reward, terminated, truncated, info = env.last()
        met.append((agent, observation["observation"].tobytes(), reward, terminated, truncated, info.get("rank")))
        done = terminated or truncated
        env.step(None if done else int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    return met


@every_number
@every_encoding
def test_pettingzoos_api_test_passes(players: int, encoding: Any) -> None:
    api_test(oldtown_v0.env(players=players, encoding=encoding), num_cycles=200)


def test_the_lots_of_a_building_are_seen_as_tokens_until_it_stands() -> None:
    stood = 0
    for game in walk(OldTown(2, 3), 3):
        seen = game.observe(0)
        for building, lots in enumerate(game.position()["buildings"].values()):
            found = [set((np.flatnonzero(seen[name][building]) + 1).tolist()) for name in ("tokens", "standing")]
            assert found == ([set(), set(lots)] if lots and len(lots) == 1 else [set(lots or ()), set()])
            stood += len(found[1])
    assert stood > 0


def test_pettingzoos_seed_test_passes() -> None:
    seed_test(lambda: oldtown_v0.env(), num_cycles=20)


@every_number
def test_one_layout_serves_every_number_of_players(players: int) -> None:
    env = oldtown_v0.env(players=players)
    env.reset(seed=1)
    space = env.observation_space("player_0")
    assert env.action_space("player_0").n == 1125
    assert space["observation"].shape == (1964,)
    assert space.contains(env.last()[0])
    assert oldtown_v0.env(players=players, encoding="memoryless").observation_space("player_0")[
        "observation"
    ].shape == (1904,)


@every_number
def test_the_same_seed_deals_the_same_game_everywhere(players: int) -> None:
    raw = oldtown_v0.raw_env(players=players)
    raw.reset(seed=7)
    many = OldTownSelfPlayEnv(3, players)
    many.reset(seed=7)
    alone = OldTownEnv(players=players, seat=0)
    alone.reset(seed=7)
    assert raw.game == OldTown(players, 7)
    assert many.batch.games[0] == raw.live.state[0]
    assert alone.game.record()["hands"] == raw.game.record()["hands"]


def test_what_is_dealt_may_be_given_at_reset() -> None:
    raw, hands = oldtown_v0.raw_env(3), [[1, 2, 19, 20], [3, 4, 21, 22], [5, 6, 23, 24]]
    raw.reset(seed=1, options={"hands": hands, "first": 2})
    assert raw.game.record()["hands"] == hands
    assert raw.agent_selection == "player_2"


@every_number
def test_rewards_come_at_the_end_and_equals_are_paid_alike(players: int) -> None:
    for reward in REWARDS:
        raw = oldtown_v0.raw_env(players, reward=reward)
        play_out(raw, 3)
        raw.reset(seed=3)
        rng = np.random.default_rng(3)
        while not any(raw.terminations.values()):
            raw.step(int(rng.choice(np.flatnonzero(raw.live.mask))))
        outcome = raw.live.outcome
        assert outcome is not None
        assert not outcome.truncated
        assert outcome.end in ("complete", "exhausted")
        assert sum(raw.rewards.values()) == pytest.approx(0)
        paid: dict[int, set[float]] = {}
        for seat, rank in enumerate(outcome.ranks):
            paid.setdefault(rank, set()).add(raw.rewards[f"player_{seat}"])
        assert all(len(each) == 1 for each in paid.values())


@every_number
def test_observation_and_view_do_not_depend_on_hidden_cards(players: int) -> None:
    raw, rng = oldtown_v0.raw_env(players), np.random.default_rng(players)
    raw.reset(seed=players)
    other = copy.deepcopy(raw)
    differing = 0
    while not any(raw.terminations.values()):
        other.live.state[:] = raw.game.sample_unseen(raw.live.to_move, rng).state
        differing += other.live.state.tobytes() != raw.live.state.tobytes()
        seen, again = (each.observe(raw.agent_selection) for each in (raw, other))
        assert seen["observation"].tobytes() == again["observation"].tobytes()
        assert np.array_equal(seen["action_mask"], again["action_mask"])
        assert raw.view().state.tobytes() == other.view().state.tobytes()
        other.live.state[:], action = raw.live.state, int(rng.choice(np.flatnonzero(raw.live.mask)))
        for each in (raw, other):
            each.step(action)
    assert differing > 10


class Peeking(Agent):
    """Keeps every view that it was given."""

    name = "peeking"

    def __init__(self) -> None:
        self.seen: list[tuple[View, list[int]]] = []

    def act(self, view: View) -> int:
        full = view._games[view._index]
        hidden = [int(card) for card in full["deal"][full["holder"] != view.seat]]
        self.seen.append((view, hidden))
        return int(view.rng.choice(view.actions))


def test_an_agent_is_shown_no_hidden_card_and_may_deal_them_anew() -> None:
    spy = Peeking()
    env = OldTownEnv(spy, 3, seat=0)
    env.reset(seed=5)
    done = False
    while not done:
        _, _, done, _, _ = env.step(int(np.flatnonzero(env.action_masks())[0]))
    assert len(spy.seen) > 10
    for view, hidden in spy.seen[::5]:
        state = view.state[0]
        assert set(state["deal"][state["holder"] != view.seat].tolist()) <= {-1}
        assert all(state["hand"][seat] == 0 for seat in range(3) if seat != view.seat)
        games = [view.game() for _ in range(8)]
        assert all(game.position(view.seat) == view.position() for game in games)
        dealt = {tuple(game.state[0]["deal"][state["holder"] != view.seat].tolist()) for game in games}
        assert len(dealt) > 1 or len(hidden) < 3


@every_number
@every_encoding
def test_gymnasiums_checks_pass(players: int, encoding: Any) -> None:
    env = gymnasium.make("oddville_env:OldTown-v0", opponents="random", players=players, encoding=encoding)
    check_env(env.unwrapped, skip_render_check=True)


@every_number
def test_threads_and_batch_size_change_no_game(players: int) -> None:
    one, two = OldTownSelfPlayEnv(6, players), OldTownSelfPlayEnv(3, players, threads=2)
    seen, _ = one.reset(seed=3)
    again, _ = two.reset(seed=3)
    sampler, other = one.sampler(1), two.sampler(1)
    for _ in range(150):
        assert np.array_equal(seen[:3], again)
        seen, rewards, ended, _, info = one.step(sampler.sample(one.batch))
        again, paid, over, _, _ = two.step(other.sample(two.batch))
        assert np.array_equal(rewards[:3], paid)
        assert np.array_equal(ended[:3], over)
        assert info["action_mask"][ended == 0].any(1).all()


def test_copies_go_on_with_the_game() -> None:
    raw = oldtown_v0.raw_env(2)
    raw.reset(seed=2)
    for _ in range(9):
        raw.step(int(raw.live.mask.argmax()))
    for other in (copy.deepcopy(raw), pickle.loads(pickle.dumps(raw))):
        assert other.game == raw.game
        other.step(int(other.live.mask.argmax()))
        assert other.game != raw.game


def test_the_table_is_shown_as_text() -> None:
    env = OldTownEnv(players=2, seat=1, render_mode="ansi")
    env.reset(seed=4)
    shown = env.render()
    assert "stood on lot" in shown
    hands = env.game.position()["seats"]
    assert shown == env.game.text(1)
    assert shown != env.game.text(0)
    assert len(hands[0]["hand"]) == 4


def test_frames_are_of_one_size_and_show_no_hidden_hand() -> None:
    pytest.importorskip("resvg_py")
    env = OldTownEnv(players=3, seat=0, render_mode="rgb_array")
    sizes = set()
    env.reset(seed=1)
    for step in range(12):
        env.step(int(env.action_masks().argmax()))
        if step in (0, 11):
            frame = env.render()
            assert frame.dtype == np.uint8
            sizes.add(frame.shape)
    assert len(sizes) == 1
    other = env.game.sample_unseen(0, np.random.default_rng(0))
    assert other.svg(0) == env.game.svg(0)
    assert other.svg() != env.game.svg()


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"players": 5}, "players must be a whole number from 2 to 4"),
        ({"lone_confirm": 3}, "lone_confirm must be True or False"),
        ({"deck": 5}, "deck must be a deck or its file"),
        ({"encoding": "ids"}, "encoding must be one of features, memoryless, summary"),
        ({"deck": "nowhere.json"}, "there is no such file"),
    ],
)
def test_a_wrong_setting_is_told_in_a_sentence(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises((SettingError, oddville_env.DeckError), match=sentence):
        oldtown_v0.env(**settings)


def test_every_name_of_the_package_is_there() -> None:
    for name in oddville_env.__all__:
        assert getattr(oddville_env, name) is not None
    assert import_module("oddville_env").OldTown is OldTown
