"""Environments of texts: prompts as observations and in infos, answers as actions."""

from copy import deepcopy

import gymnasium
import pytest
from gymnasium.error import ResetNeeded
from gymnasium.utils.env_checker import check_env

from oddville_agents import TextAgent, ask
from oddville_env import TextEnv
from oddville_env.core.game.prompt import full_prompt, rules_digest
from support.environments import GAMES, every_game
from support.helpers import example

IDS = {"oddville": "oddville_env:OddVilleText-v0", "oldtown": "oddville_env:OldTownText-v0"}


@pytest.mark.filterwarnings("error", "ignore:.*(different from the unwrapped|render modes)")
@every_game
def test_game_is_played_by_answers_to_observations(name: str) -> None:
    check_env(TextEnv(name), skip_render_check=True)
    env, ended = gymnasium.make(IDS[name], opponents="greedy", players=3, seat=1), False
    seen, info = env.reset(seed=4)
    assert seen.startswith(rules_digest(name))
    while not ended:
        assert env.observation_space.contains(seen)
        view = env.unwrapped.view()
        assert (view.seat, seen, info["problem"]) == (1, full_prompt(view), "")
        seen, reward, terminated, truncated, info = env.step(example(seen))
        ended = terminated or truncated
    assert env.observation_space.contains(seen)
    assert (seen, reward) == (env.unwrapped.game.text(1), 1.0 if info["ranks"][1] == 1 else -0.5)
    envs = gymnasium.make_vec(IDS[name], num_envs=2, vectorization_mode="sync")
    assert envs.step([example(each) for each in envs.reset(seed=[1, 2])[0]])[4]["problem"].tolist() == ["", ""]


def test_answer_without_a_legal_word_is_asked_again_and_the_last_one_loses() -> None:
    env = TextEnv("oddville", tries=2, seat=1)
    env.reset(seed=1)
    for _ in range(2):  # a legal word gives all tries back
        again, reward, terminated, _, info = env.step("Show me the deck.")
        assert (reward, terminated, info["illegal"]) == (0.0, False, False)
        assert again == full_prompt(env.view(), "The answer holds no move of the game.")
        asked, _, _, _, info = env.step(example(again))
        assert (info["problem"], asked) == ("", full_prompt(env.view()))
    assert env.step("coins:5")[2] is False
    _, reward, terminated, truncated, info = env.step("setup:wood")
    assert (reward, terminated, truncated) == (-1.0, True, False)
    assert (info["problem"], info["illegal"]) == ("The move setup:wood is not legal now.", True)
    with pytest.raises(ResetNeeded):
        env.step("setup:wood")
    assert env.reset(seed=1)[1]["problem"] == ""


@every_game
def test_infos_of_aec_environments_hold_the_prompt_that_copies_of_an_agent_answer_and_count(name: str) -> None:
    env, agent = GAMES[name].aec.env(players=2, prompts=True), TextAgent(example)
    env.reset(seed=3)
    for seat in env.agent_iter(max_iter=30):
        view = env.unwrapped.view()
        assert env.last()[4]["prompt"] == full_prompt(view)
        assert not any("prompt" in told for other, told in env.infos.items() if other != seat)
        env.step(ask(deepcopy(agent), view))
    assert agent.counts == {"answers": 30}
