"""The examples of the project's own algorithms: TD on afterstates, self-play PPO, attention over entities."""

import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from support import forked
from support.games import NAMES
from support.helpers import EXAMPLES, example_module

torch = pytest.importorskip("torch", reason="the example needs the extra train")


@pytest.fixture(scope="module")
def example() -> ModuleType:
    return example_module("afterstates_td")


def test_targets_mix_following_values_and_the_result_and_best_moves_are_of_their_game(example: ModuleType) -> None:
    found, last = example.returns(np.array([0.5, 0.25, -0.5]), 1.0), 1.0
    middle = (1 - example.LAMBDA) * -0.5 + example.LAMBDA * last
    first = (1 - example.LAMBDA) * 0.25 + example.LAMBDA * middle
    assert found == pytest.approx([first, middle, last])
    assert example.returns(np.array([0.3]), -1.0) == pytest.approx([-1.0])
    starts, values = np.array([0, 2, 3, 6, 8]), np.array([0.1, 0.3, 9.0, -3.0, -1.0, -2.0, 5.0, 5.0])
    assert example.best_of_each(starts, values).tolist() == [1, 2, 4, 6]


@pytest.mark.parametrize("game", ["oddville", "oldtown"])
def test_values_of_afterstates_are_those_of_the_network(
    example: ModuleType, game: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "afterstates_td", example)  # kept kernels import their module
    games = example.make_games(game)
    games.reset(seed=3)
    network = example.make_network(games.encoder.size)
    optimizer = torch.optim.SGD(network.parameters(), 0.1)
    for _ in range(3):
        starts, _, seen = games.afterstates()
        plain = network(torch.from_numpy(seen)).squeeze(-1)
        assert example.worth(network, starts, seen) == pytest.approx(plain.detach().numpy(), abs=1e-5)
        some = seen[:5]
        found = example.worth(network, np.array([0, 0, 2, 2, 5]), some)  # two games without moves
        assert found == pytest.approx(example.worth(network, np.array([0, 5]), some), abs=1e-5)
        plain.square().mean().backward()
        optimizer.step()  # the next look is at other weights


STEPS = 300  # of each game: several games come to their end


@pytest.fixture
def ppo(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The module, with few games, and rollouts in which some of them end."""
    module = example_module("selfplay_ppo")
    monkeypatch.setattr(module, "GAMES", 8)
    monkeypatch.setattr(module, "STEPS", STEPS)
    torch.manual_seed(0)
    return module


def test_decisions_of_a_seat_are_linked_until_its_game_ends(ppo: ModuleType) -> None:
    games = ppo.oddville_env.OddVilleSelfPlayEnv(8, players=2, encoding="ids", reward="margin", copy=True)
    policy = ppo.Policy(games.single_observation_space, int(games.single_action_space.n))
    rollout = ppo.Collector(games, 3).collect(policy)
    marks = games.encoder.views(rollout.observations.numpy().reshape(-1, games.encoder.size)[0])
    assert marks["marks"][0, 2] == 1  # the observer is to move
    later = rollout.following >= 0
    assert (rollout.following[later] > np.nonzero(later)[0]).all()
    assert not (later & rollout.ended).any()
    assert rollout.ended.any()
    assert (rollout.rewards[~rollout.ended] == 0).all()
    margins = np.arctanh(rollout.rewards[rollout.ended]) * ppo.MARGIN
    assert margins == pytest.approx(margins.round(), abs=0.05)
    assert margins.any()
    for game in range(8):
        ends = np.flatnonzero(rollout.ended[:, game])
        both_seats = rollout.rewards[ends, game][: len(ends) // 2 * 2]  # of each game that ended
        assert both_seats.sum() == pytest.approx(0, abs=1e-5)
    with_next = rollout.following[later]
    assert len(np.unique(np.stack([with_next, np.nonzero(later)[1]]), axis=1).T) == later.sum()


def test_advantage_of_a_win_is_the_reward_minus_the_value(ppo: ModuleType) -> None:
    values = torch.full((STEPS, 8), 0.25)
    rewards, following = np.zeros((STEPS, 8), np.float32), np.full((STEPS, 8), -1)
    rewards[1], following[0] = 1, 1
    nothing = torch.zeros(0)
    found = ppo.advantages(ppo.Rollout(nothing, nothing, nothing, nothing, values, rewards, following, rewards > 0))
    assert (found[1], found[0]) == (pytest.approx(0.75), pytest.approx(ppo.LAMBDA * 0.75))


KINDS = {"oddville": ("row", "cells"), "oldtown": ("cards", "lots")}
"""Kinds of rows that are put in another order."""
NAMED = {
    "take:3:clay": [("workers", 2), ("resources", 1)],
    "buy:2:6": [("workers", 1), ("row", 5)],
    "build:2:6,0": [("held", 1), ("", 6 + 8)],
    "return:crystal@2": [("resources", 3)],
    "play:37:saloon": [("cards", 36), ("buildings", 9)],
    "play:20:casino": [("cards", 19), ("buildings", 10)],
    "remove:judge@10": [("buildings", 12), ("lots", 9)],
    "show:37": [("cards", 36)],
}
"""By move: the rows that it names, within their kinds; a cell counts line by line from the top left one."""


@pytest.fixture(params=KINDS)
def game(request: pytest.FixtureRequest) -> Any:
    """A game's name, its games in the middle, a fresh policy, and what the seats to move see."""
    example = example_module("entities_ppo")
    torch.manual_seed(0)
    games = example.selfplay_ppo.make_games(request.param, "entities")
    games.reset(1)
    sampler = games.sampler()
    for _ in range(25):
        seen, *_ = games.step(sampler.sample(games.batch))
    return request.param, games, example.make_policy(request.param, games), seen[:32]


def answer(policy: Any, seen: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Logits of all moves, and values."""
    with torch.no_grad():
        choice, value = policy(torch.from_numpy(seen), torch.ones(len(seen), len(policy.named), dtype=torch.bool))
    return choice.logits.numpy(), value.numpy()


def first_row(policy: Any, kind: str) -> int:
    sizes = policy.naming.sizes
    return sum(sizes[each] for each in list(sizes)[: list(sizes).index(kind)])


def test_rows_of_a_kind_in_another_order_exchange_the_moves_that_name_them_and_nothing_else(game: Any) -> None:
    name, games, policy, seen = game
    logits, values = answer(policy, seen)
    for kind in KINDS[name]:
        moved = seen.copy()
        rows, first = games.encoder.views(moved)[kind], first_row(policy, kind)
        order = np.random.default_rng(1).permutation(rows.shape[1])
        rows[:] = rows[:, order]
        row, head = np.divmod(policy.naming.scores, policy.naming.heads)
        mine = (first <= row) & (row < first + len(order))
        row[mine] = first + np.argsort(order)[row[mine] - first]  # where each row stands now; a cell tells its place
        policy.named.copy_(torch.from_numpy(row * policy.naming.heads + head))
        found, same = answer(policy, moved)
        policy.named.copy_(torch.from_numpy(policy.naming.scores))
        assert same == pytest.approx(values, abs=1e-4), kind
        assert found == pytest.approx(logits, abs=1e-4), kind


def test_moves_name_the_rows_of_their_words(game: Any) -> None:
    name, games, policy, _ = game
    (make,) = (each for each, called in NAMES.items() if called == name)
    words, naming = make(2).notation.words(games.batch.box.layout), policy.naming
    for word in NAMED.keys() & set(words):
        rows = [score // naming.heads for score in naming.scores[words.index(word), 1:] if score < naming.nothing]
        cells = [score - naming.rows * naming.heads for score in naming.scores[words.index(word), 1:]]
        expected = [first_row(policy, kind) + row if kind else naming.rows for kind, row in NAMED[word]]
        assert [min(row, naming.rows) for row in rows] == expected, word
        assert all(cells[place] == row for place, (kind, row) in enumerate(NAMED[word]) if not kind), word
    assert len(NAMED.keys() & set(words)) == 4


@pytest.mark.parametrize("game", ["oddville", "oldtown"])
@pytest.mark.parametrize("name", ["afterstates_td", "selfplay_ppo", "entities_ppo"])
def test_example_runs_from_the_command_line(name: str, game: str, tmp_path: Path) -> None:
    ran = forked.run(EXAMPLES / f"{name}.py", *f"--game {game} --minutes 0.007 --games 4".split(), folder=tmp_path)
    assert ran.returncode == 0, ran.stderr
    assert "against random: " in ran.stdout
