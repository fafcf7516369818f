"""The example of self-play PPO: rollouts, advantages, command line."""

from pathlib import Path
from types import ModuleType

import numpy as np
import pytest

from support.helpers import assert_example_wins_games, example_module

torch = pytest.importorskip("torch", reason="the example needs the extra train")

STEPS = 300  # of each game: several games come to their end


@pytest.fixture
def example(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module, with few games, and rollouts in which some of them end."""
    module = example_module("selfplay_ppo")
    monkeypatch.setattr(module, "GAMES", 8)
    monkeypatch.setattr(module, "STEPS", STEPS)
    torch.manual_seed(0)
    return module


def test_decisions_of_a_seat_are_linked_until_its_game_ends(example: ModuleType) -> None:
    games = example.oddville_env.OddVilleSelfPlayEnv(8, players=2, encoding="ids", reward="margin", copy=True)
    policy = example.Policy(games.single_observation_space, int(games.single_action_space.n))
    rollout = example.Collector(games, 3).collect(policy)
    marks = games.encoder.views(rollout.observations.numpy().reshape(-1, games.encoder.size)[0])
    assert marks["marks"][0, 2] == 1  # the observer is to move
    later = rollout.following >= 0
    assert (rollout.following[later] > np.nonzero(later)[0]).all()
    assert not (later & rollout.ended).any()
    assert rollout.ended.any()
    assert (rollout.rewards[~rollout.ended] == 0).all()
    margins = np.arctanh(rollout.rewards[rollout.ended]) * example.MARGIN
    assert margins == pytest.approx(margins.round(), abs=0.05)
    assert margins.any()
    for game in range(8):
        ends = np.flatnonzero(rollout.ended[:, game])
        both_seats = rollout.rewards[ends, game][: len(ends) // 2 * 2]  # of each game that ended
        assert both_seats.sum() == pytest.approx(0, abs=1e-5)
    with_next = rollout.following[later]
    assert len(np.unique(np.stack([with_next, np.nonzero(later)[1]]), axis=1).T) == later.sum()


def test_advantage_of_a_win_is_the_reward_minus_the_value(example: ModuleType) -> None:
    values = torch.full((STEPS, 8), 0.25)
    rewards, following = np.zeros((STEPS, 8), np.float32), np.full((STEPS, 8), -1)
    rewards[1], following[0] = 1, 1
    nothing = torch.zeros(0)
    found = example.advantages(
        example.Rollout(nothing, nothing, nothing, nothing, values, rewards, following, rewards > 0)
    )
    assert (found[1], found[0]) == (pytest.approx(0.75), pytest.approx(example.LAMBDA * 0.75))


@pytest.mark.parametrize("game", ["oddville", "oldtown"])
def test_example_runs_from_the_command_line(game: str, tmp_path: Path) -> None:
    assert_example_wins_games("selfplay_ppo", game, minutes="0.005", folder=tmp_path)
