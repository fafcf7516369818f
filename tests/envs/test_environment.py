"""The environments: PettingZoo's AEC `oddville_v0` and Gymnasium's `OddVille-v0`."""

import copy
import itertools
import os
import pickle
import statistics
import subprocess
import sys
import warnings
from collections.abc import Iterator
from typing import Any

os.environ.setdefault("SDL_VIDEODRIVER", "dummy")

import gymnasium
import numpy as np
import pettingzoo
import pytest
from gymnasium.utils.env_checker import check_env
from pettingzoo.test import api_test, render_test, seed_test

from helpers import random_game, random_move, told
from oddville_agents import AgentError, make_agent
from oddville_env import Game, IllegalMoveError, OddVilleEnv, SettingError, oddville_v0
from oddville_env.envs.rewards import REWARDS
from oddville_env.oddville.observation import observe

ID = "oddville_env:OddVille-v0"
PLAYERS = (2, 3, 4)

every_number = pytest.mark.parametrize("players", PLAYERS)
every_encoding = pytest.mark.parametrize("encoding", ["features", "ids"])


@pytest.fixture
def render_extra() -> None:
    """Pixels and windows need the extra."""
    pytest.importorskip("pygame")
    pytest.importorskip("resvg_py")


def first_legal(env: Any) -> int:
    return int(np.flatnonzero(env.unwrapped.live.mask)[0])


def played(env: Any, seed: int = 0, **reset: Any) -> Iterator[Any]:
    """The environment before every move of a random player, and when all agents are done."""
    env.reset(seed=seed, **reset)
    rng = np.random.default_rng(seed)
    while not any((*env.terminations.values(), *env.truncations.values())):
        yield env
        env.step(random_move(env.unwrapped.live, rng))
    yield env


def at_end(env: Any, seed: int = 0) -> Any:
    """The environment when all agents are done."""
    return list(played(env, seed))[-1]


# PettingZoo's own tests


@every_number
@pytest.mark.parametrize("settings", [{}, {"encoding": "ids"}, {"max_rounds": 2}], ids=str)
def test_pettingzoos_api_test_passes(players: int, settings: dict[str, Any]) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        # It passes an option of its own, and it would rather have boxes than dictionaries with masks.
        warnings.filterwarnings(
            "ignore", message=".*(option 'options'|Observation space for each|is not a NumPy array)"
        )
        api_test(oddville_v0.env(players=players, **settings), num_cycles=300)


@every_number
def test_pettingzoos_seed_test_passes(players: int) -> None:
    seed_test(lambda: oddville_v0.env(players=players), num_cycles=60)


@every_number
@pytest.mark.usefixtures("render_extra")
def test_pettingzoos_render_test_passes(players: int) -> None:
    render_test(lambda **mode: oddville_v0.env(players=players, **mode), {"ansi": lambda text: "crystal" in text})


# The AEC loop


@every_number
def test_the_selected_agent_is_the_seat_to_move_even_twice_in_a_row(players: int) -> None:
    game, env = random_game(players, 3), oddville_v0.raw_env(players=players)
    again, speakers = Game(players, 3), []
    env.reset(3)
    for move in game.moves:
        speakers.append(env.agent_selection)
        assert env.agent_selection == f"player_{again.to_move}"
        env.step(game.action(move))
        again.push(move)

    assert sum(first == second for first, second in itertools.pairwise(speakers)) > 10


@every_number
@pytest.mark.parametrize("reward", REWARDS)
def test_nothing_is_paid_before_the_end_and_everybody_at_it(players: int, reward: str) -> None:
    env = oddville_v0.raw_env(players=players, reward=reward)
    for _ in played(env, 5):
        if not any(env.terminations.values()):
            assert set(env.rewards.values()) == set(env._cumulative_rewards.values()) == {0.0}
            assert set(env.infos[agent].get("score") for agent in env.agents) == {None}
    outcome = env.game.outcome
    paid = dict(zip(env.possible_agents, REWARDS[reward](outcome.scores, outcome.ranks), strict=True))

    assert env.rewards == env._cumulative_rewards == paid
    assert set(env.terminations.values()) == {True}
    assert set(env.truncations.values()) == {False}
    assert [env.infos[agent] for agent in env.possible_agents] == [
        {"score": score, "rank": rank} for score, rank in zip(outcome.scores, outcome.ranks, strict=True)
    ]


@every_number
def test_every_agent_is_told_its_reward_once_in_a_dead_step(players: int) -> None:
    env = at_end(oddville_v0.env(players=players, reward="margin"), 5)
    expected, told_rewards = dict(env.rewards), {}

    for agent in env.agent_iter():
        _, told_rewards[agent], terminated, truncated, info = env.last()
        assert (terminated, truncated) == (True, False)
        assert set(info) == {"score", "rank"}
        env.step(None)

    assert told_rewards == expected
    assert env.agents == []


def test_a_finished_agent_can_only_step_with_none() -> None:
    env = at_end(oddville_v0.raw_env())

    with pytest.raises(ValueError, match="None"):
        env.step(0)


@every_number
def test_a_game_at_the_limit_of_rounds_is_truncated_not_terminated(players: int) -> None:
    env = at_end(oddville_v0.env(players=players, max_rounds=1))

    assert set(env.truncations.values()) == {True}
    assert set(env.terminations.values()) == {False}
    assert sum(env.rewards.values()) == pytest.approx(0)
    assert env.unwrapped.game.outcome.truncated


@every_number
@every_encoding
def test_only_the_seat_to_move_has_a_mask(players: int, encoding: Any) -> None:
    env = oddville_v0.raw_env(players=players, encoding=encoding)
    for _ in played(env, 2):
        for agent in env.possible_agents:
            seen = env.observe(agent)
            selected = agent == env.agent_selection
            assert seen["action_mask"].tolist() == (env.live.mask if selected else env.live.mask & False).tolist()
            assert env.observation_space(agent).contains(seen)


def test_an_observation_is_the_agents_own() -> None:
    env = oddville_v0.raw_env()
    env.reset(0)
    before = env.observe("player_0"), env.live.mask.copy()
    seen = env.observe(env.agent_selection)

    seen["action_mask"][:] = 1
    seen["observation"][:] = 0

    assert np.array_equal(env.live.mask, before[1])
    assert np.array_equal(env.observe("player_0")["observation"], before[0]["observation"])


@every_number
def test_the_observation_is_what_the_seat_sees_of_the_game(players: int) -> None:
    env = oddville_v0.raw_env(players=players)
    for _ in played(env, 9):
        game = env.game
        for seat, agent in enumerate(env.possible_agents):
            out = np.zeros(env.encoder.size, np.uint8)
            observe(game.box, game.state, 0, seat, "features", out)
            assert np.array_equal(env.observe(agent)["observation"], out)
        break


@every_number
def test_the_state_is_what_the_first_seat_sees(players: int) -> None:
    env = oddville_v0.raw_env(players=players)
    for number, _ in enumerate(played(env, 4)):
        if number % 20 == 0:
            assert np.array_equal(env.state(), env.observe("player_0")["observation"])
            assert env.state_space.contains(env.state())


@every_number
def test_spaces_are_the_same_objects_at_every_call(players: int) -> None:
    env = oddville_v0.env(players=players)
    spaces = [(env.observation_space(agent), env.action_space(agent)) for agent in env.possible_agents]
    at_end(env)
    env.reset()

    for agent, (seen, action) in zip(env.possible_agents, spaces, strict=True):
        assert env.observation_space(agent) is seen
        assert env.action_space(agent) is action
        assert seen["action_mask"].shape == (action.n,)


def test_each_agent_samples_actions_of_its_own() -> None:
    env = oddville_v0.env()
    one, other = (env.action_space(agent) for agent in env.possible_agents)
    one.seed(1)
    other.seed(1)

    sampled = [int(one.sample()) for _ in range(5)]

    assert [int(other.sample()) for _ in range(5)] == sampled


@every_number
def test_env_lets_the_seat_of_an_illegal_action_lose(players: int) -> None:
    env = oddville_v0.env(players=players)
    env.reset(seed=1)
    culprit = env.agent_selection

    env.step(int(np.flatnonzero(env.last()[0]["action_mask"] == 0)[0]))

    assert env.rewards == {agent: -1 if agent == culprit else 0 for agent in env.possible_agents}
    assert all(env.terminations.values())
    for _ in env.agent_iter():
        env.step(None)
    assert env.agents == []
    env.reset(seed=1)
    assert not any(env.terminations.values())


@pytest.mark.parametrize("action", [-1, 10**6, 471, None, np.int64(471)], ids=repr)
def test_raw_env_refuses_an_illegal_action_and_changes_nothing(action: Any) -> None:
    env = oddville_v0.raw_env()
    env.reset(1)
    before = told(env.game)

    with pytest.raises(IllegalMoveError):
        env.step(action)

    assert told(env.game) == before
    assert not any(env.terminations.values())


def test_actions_may_be_numpy_integers() -> None:
    env = oddville_v0.env()
    env.reset(1)

    env.step(np.int64(env.last()[0]["action_mask"].argmax()))

    assert len(env.unwrapped.game.moves) == 1


@pytest.mark.parametrize("scores", [(30, 20), (20, 30), (31, 28, 40), (9, 9, 9, 8), (0, 0)], ids=str)
def test_rewards_add_up_to_nothing(scores: tuple[int, ...]) -> None:
    order = sorted(range(len(scores)), key=lambda seat: -scores[seat])
    ranks = [order.index(seat) + 1 for seat in range(len(scores))]
    for name, reward in REWARDS.items():
        paid = reward(scores, ranks)
        assert sum(paid) == pytest.approx(0)
        assert paid[order[0]] == max(paid)
        assert name == "margin" or paid[order[0]] == 1
        assert name != "rank" or paid[order[-1]] == -1
    assert REWARDS["outcome"](scores, ranks).count(-1 / (len(scores) - 1)) == len(scores) - 1
    assert REWARDS["margin"](scores, ranks)[0] == pytest.approx(scores[0] - sum(scores[1:]) / (len(scores) - 1))


# Seeds and options


@every_number
def test_the_same_seed_is_the_same_game_everywhere(players: int) -> None:
    aec, single = oddville_v0.env(players=players), OddVilleEnv("random", players, seat=0)
    aec.reset(seed=11)
    single.reset(seed=11)
    names = ("deck", "piles", "first")

    expected = {name: Game(players, 11).record()[name] for name in names}
    assert {name: aec.unwrapped.game.record()[name] for name in names} == expected
    assert {name: single.game.record()[name] for name in names} == expected


def test_the_luck_after_the_deal_is_the_same_too() -> None:
    game = random_game(3, 7)
    env = oddville_v0.raw_env(players=3)
    env.reset(7)
    for move in game.moves:
        env.step(game.action(move))

    assert len(game.record()["reshuffles"]) > 0
    assert env.game.record() == game.record()


def test_without_a_seed_the_games_go_on_from_the_last_one() -> None:
    def decks(env: Any, number: int) -> list[list[int]]:
        return [env.reset() or env.game.record()["deck"] for _ in range(number)]

    one, other = oddville_v0.raw_env(), oddville_v0.raw_env()
    assert decks(one, 2) != decks(other, 2)
    one.reset(5)
    other.reset(5)
    following = decks(one, 4)
    assert len({tuple(deck) for deck in following}) == 4
    assert decks(other, 4) == following


@pytest.mark.parametrize("make", [oddville_v0.raw_env, oddville_v0.env, OddVilleEnv], ids=["raw", "env", "single"])
def test_options_fix_the_hidden_orders(make: Any) -> None:
    given = {name: Game(2, 77).record()[name] for name in ("deck", "piles", "first")}
    env = make()

    env.reset(seed=3, options=given)

    record = env.unwrapped.game.record()
    assert {name: record[name] for name in given} == given


@pytest.mark.parametrize("wrong", [{"first": 2}, {"deck": [1, 2]}, {"piles": {}}], ids=str)
@pytest.mark.parametrize("make", [oddville_v0.raw_env, OddVilleEnv], ids=["raw", "single"])
def test_wrong_options_are_refused(make: Any, wrong: dict[str, Any]) -> None:
    with pytest.raises(SettingError):
        make().reset(options=wrong)


def test_a_refused_reset_leaves_the_game_as_it_was() -> None:
    env = oddville_v0.raw_env()
    for number, _ in enumerate(played(env, 1)):
        if number == 30:
            break
    before = told(env.game)

    with pytest.raises(SettingError):
        env.reset(2, options={"first": 9})

    assert told(env.game) == before


def test_options_that_are_not_known_are_passed_over_with_a_warning() -> None:
    env = oddville_v0.raw_env()

    with pytest.warns(UserWarning, match="option 'frist' is not known, expected deck, piles, first"):
        env.reset(1, options={"frist": 1})


@pytest.mark.parametrize("seed", [-1, "1", 1.5, True], ids=repr)
def test_a_wrong_seed_is_refused(seed: Any) -> None:
    with pytest.raises(SettingError, match="seed must be"):
        oddville_v0.raw_env().reset(seed)


@pytest.mark.parametrize(
    "wrong",
    [
        {"players": 1},
        {"players": 5},
        {"players": "2"},
        {"encoding": "pixels"},
        {"encoding": None},
        {"reward": "fame"},
        {"reward": None},
        {"reward": ["outcome"]},
        {"table": (2, 2)},
        {"max_rounds": 0},
        {"render_mode": "film"},
    ],
    ids=str,
)
@pytest.mark.parametrize("make", [oddville_v0.env, OddVilleEnv], ids=["aec", "single"])
def test_a_wrong_setting_is_refused(make: Any, wrong: dict[str, Any]) -> None:
    with pytest.raises(SettingError, match=f"{next(iter(wrong))}"):
        make(**wrong)


# Pictures and copies


@pytest.mark.parametrize("make", [oddville_v0.raw_env, OddVilleEnv], ids=["raw", "single"])
@pytest.mark.usefixtures("render_extra")
def test_the_table_is_shown_as_text_pixels_or_in_a_window(make: Any) -> None:
    text, pixels, window = (make(render_mode=mode) for mode in ("ansi", "rgb_array", "human"))
    for env in (text, pixels, window):
        env.reset(seed=1)

    assert "wood" in text.render()
    picture = pixels.render()
    assert (picture.dtype, picture.shape[1:]) == (np.uint8, (1200, 3))
    assert picture.std() > 10
    assert window.render() is None
    for env in (text, pixels, window):
        env.close()
        env.close()


def test_without_a_render_mode_nothing_is_shown_but_a_warning() -> None:
    env = oddville_v0.raw_env()
    env.reset(0)

    with pytest.warns(UserWarning, match="render"):
        assert env.render() is None


@pytest.mark.parametrize("make", [oddville_v0.raw_env, oddville_v0.env], ids=["raw", "env"])
def test_a_pickled_aec_environment_has_the_same_settings(make: Any) -> None:
    env = make(players=3, encoding="ids", reward="rank", table=(5, 3), max_rounds=9, cards=None)
    twin = pickle.loads(pickle.dumps(env))
    ends = []
    for each in (env, twin):
        at_end(each, 4)
        ends.append((each.unwrapped.game.record(), each.rewards, each.observe("player_1")["observation"].tobytes()))

    assert ends[0] == ends[1]


@pytest.mark.parametrize("double", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))], ids=["copy", "pickle"])
def test_a_single_environment_is_copied_in_the_middle_of_a_game(double: Any) -> None:
    env = OddVilleEnv(["random", "greedy"], players=3)
    env.reset(seed=4)
    env.step(first_legal(env))
    twin = double(env)

    over = False
    while not over:
        one, other = env.step(first_legal(env)), twin.step(first_legal(twin))
        assert np.array_equal(one[0], other[0])
        assert one[1:4] == other[1:4]
        over = one[2] or one[3]
    assert env.game.record() == twin.game.record()


@pytest.mark.parametrize("mode", ["ansi", "rgb_array", "human"])
@pytest.mark.usefixtures("render_extra")
def test_an_environment_with_a_render_mode_is_pickled(mode: str) -> None:
    for make in (oddville_v0.raw_env, OddVilleEnv):
        twin = pickle.loads(pickle.dumps(make(render_mode=mode)))
        twin.reset(seed=1)
        assert twin.render_mode == mode


# Gymnasium


@every_encoding
def test_gymnasiums_check_env_passes(encoding: Any) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        warnings.filterwarnings("ignore", message=".*(different from the unwrapped|render modes).*")
        check_env(OddVilleEnv(encoding=encoding), skip_render_check=True)


def test_stable_baselines_check_env_passes() -> None:
    checker = pytest.importorskip("stable_baselines3.common.env_checker")
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        checker.check_env(OddVilleEnv("random"))


def test_gymnasium_makes_the_environment_by_its_name() -> None:
    env = gymnasium.make(ID, players=3, opponents=["random", "greedy"], seat=1, encoding="ids", reward="rank")

    seen, info = env.reset(seed=2)

    assert env.observation_space.contains(seen)
    assert env.action_space.n == len(info["action_mask"])
    assert env.unwrapped.seat == 1
    assert env.unwrapped.live.to_move == 1
    env.close()


def test_gymnasium_makes_many_at_once() -> None:
    envs = gymnasium.make_vec(ID, num_envs=3, vectorization_mode="sync", opponents="random")

    seen, info = envs.reset(seed=[1, 2, 3])

    assert seen.shape == (3, envs.single_observation_space.shape[0])
    assert info["action_mask"].shape == (3, envs.single_action_space.n)
    envs.close()


@pytest.mark.skipif(not hasattr(pettingzoo, "make"), reason="PettingZoo has a registry from 1.26 on")
def test_pettingzoo_makes_the_environment_by_its_name() -> None:
    env = pettingzoo.make("aec", "oddville_v0", players=3)

    env.reset(seed=1)

    assert env.possible_agents == ["player_0", "player_1", "player_2"]


def run_single(env: OddVilleEnv, seed: int = 0) -> tuple[float, bool, bool, dict[str, Any]]:
    """Play a game of random moves; what the last step said."""
    rng = np.random.default_rng(seed)
    seen, info = env.reset(seed=seed)
    while True:
        assert env.observation_space.contains(seen)
        assert np.array_equal(info["action_mask"], env.action_masks())
        assert (info["action_mask"].dtype, env.action_masks().dtype) == (np.int8, np.bool_)
        assert env.live.to_move == env.seat
        seen, reward, terminated, truncated, info = env.step(random_move(env.live, rng))
        if terminated or truncated:
            assert env.observation_space.contains(seen)
            assert not info["action_mask"].any()
            return reward, terminated, truncated, info
        assert reward == 0


def by_first_move(observation: np.ndarray, mask: np.ndarray) -> int:
    """A function as an agent."""
    assert observation.dtype == np.uint8
    assert mask.dtype == np.bool_
    return int(mask.argmax())


@every_number
@pytest.mark.parametrize("reward", REWARDS)
def test_a_single_game_ends_with_the_seats_reward_and_all_scores(players: int, reward: str) -> None:
    env = OddVilleEnv("greedy", players, reward=reward)

    paid, terminated, truncated, info = run_single(env, 3)

    outcome = env.game.outcome
    assert outcome is not None
    assert paid == pytest.approx(REWARDS[reward](outcome.scores, outcome.ranks)[env.seat])
    assert (terminated, truncated) == (True, False)
    assert (info["scores"], info["ranks"], info["seat"]) == (outcome.scores, outcome.ranks, env.seat)
    assert Game.from_record(env.game.record()).record() == env.game.record()


def test_a_single_game_at_the_limit_of_rounds_is_truncated() -> None:
    assert run_single(OddVilleEnv("random", max_rounds=2))[1:3] == (False, True)


@pytest.mark.parametrize(
    "opponents",
    ["random", by_first_move, ["greedy", "random"], ["random", by_first_move], ("greedy", make_agent("random"))],
    ids=["name", "function", "names", "mixed", "agent"],
)
def test_opponents_are_one_agent_for_all_seats_or_one_for_each(opponents: Any) -> None:
    assert run_single(OddVilleEnv(opponents, players=3))[1]


def test_an_agent_object_is_an_opponent_by_itself() -> None:
    assert run_single(OddVilleEnv(make_agent("random")))[1]


@pytest.mark.parametrize("opponents", [[], ["random"], ["random"] * 3])
def test_a_wrong_number_of_opponents_is_refused(opponents: list[str]) -> None:
    with pytest.raises(SettingError, match="opponents must be one agent or 2, one for each other seat, not "):
        OddVilleEnv(opponents, players=3)


@pytest.mark.parametrize("opponents", ["nobody", "", ["nobody"], [None], [5]], ids=repr)
def test_an_opponent_that_does_not_exist_is_refused(opponents: Any) -> None:
    with pytest.raises(AgentError):
        OddVilleEnv(opponents)


@pytest.mark.parametrize("opponents", [None, 5], ids=repr)
def test_opponents_of_another_kind_are_refused(opponents: Any) -> None:
    with pytest.raises((AgentError, SettingError)):
        OddVilleEnv(opponents)


@pytest.mark.parametrize("seat", [0, 1, 2])
def test_the_learning_seat_can_be_fixed(seat: int) -> None:
    env = OddVilleEnv("random", players=3, seat=seat)
    for seed in range(5):
        env.reset(seed=seed)
        assert env.seat == env.live.to_move == seat


def test_otherwise_the_learning_seat_is_drawn_from_the_seed_for_each_game() -> None:
    env = OddVilleEnv("random", players=3)
    seats = [env.reset(seed=seed) and env.seat for seed in range(30)]

    assert set(seats) == {0, 1, 2}
    assert [env.reset(seed=seed) and env.seat for seed in range(30)] == seats


@pytest.mark.parametrize("seat", [-1, 3, "0", 1.0, True], ids=repr)
def test_a_wrong_seat_is_refused(seat: Any) -> None:
    with pytest.raises(SettingError, match="seat must be a whole number from 0 to 2"):
        OddVilleEnv("random", players=3, seat=seat)


@pytest.mark.parametrize("action", [-1, 471, 10**6, np.int64(471)], ids=repr)
def test_an_illegal_action_loses_a_single_game_at_once(action: int) -> None:
    env = OddVilleEnv("random")
    env.reset(seed=1)
    before = told(env.game)

    seen, reward, terminated, truncated, info = env.step(action)

    assert (reward, terminated, truncated, info["illegal_action"]) == (-1.0, True, False, action)
    assert env.observation_space.contains(seen)
    assert told(env.game) == before


def test_the_same_seed_and_moves_are_the_same_single_game() -> None:
    records = []
    for _ in range(2):
        env = OddVilleEnv(["random", "greedy"], players=3)
        run_single(env, 8)
        records.append(env.game.record())

    assert records[0] == records[1]


# Importing

IMPORT = """
import sys, time
start = time.process_time()
import oddville_env
spent = time.process_time() - start
heavy = {"torch", "stable_baselines3", "sb3_contrib", "ray", "matplotlib", "polars", "starlette", "numba", "pygame"}
print(spent, " ".join(sorted(heavy & set(sys.modules))))
"""


def test_importing_the_package_is_quick_and_brings_nothing_heavy() -> None:
    runs = [
        subprocess.run([sys.executable, "-c", IMPORT], capture_output=True, text=True, check=True) for _ in range(3)
    ]
    spent, heavy = zip(*(run.stdout.split(" ", 1) for run in runs), strict=True)

    assert "".join(heavy).split() == []
    assert statistics.median(map(float, spent)) < 0.5
