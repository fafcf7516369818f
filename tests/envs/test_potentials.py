"""Dense rewards: what a potential pays adds up to what no move changes, in every environment."""

from typing import Any

import numpy as np
import pytest

from oddville_agents.oddville import potentials as oddville
from oddville_agents.oldtown import potentials as oldtown
from oddville_env.core.errors import SettingError
from oddville_env.core.game.game_type import game_type
from oddville_env.envs.potentials import POTENTIALS, Positions, margin, named_potentials
from oddville_env.envs.rewards import margin_of
from oddville_env.envs.sb3 import SeatVecEnv
from support.environments import GAMES, at_end, every_game, every_number

DISCOUNT = 0.9


def nothing(scores: Any, ranks: Any) -> list[float]:
    """A reward that leaves what the potential pays."""
    return [0.0] * len(ranks)


SHAPED: dict[str, Any] = {"reward": nothing, "discount": DISCOUNT}


class Sums:
    """Discounted sums of what seats [B, P] were paid since their first decisions, and the potentials there."""

    def __init__(self, size: int, players: int) -> None:
        self.first, self.paid = np.full((size, players), np.nan), np.zeros((size, players))
        self.factor = np.ones((size, players))

    def decide(self, table: int, seat: int, scores: np.ndarray) -> None:
        """A seat decides, with these running scores."""
        if np.isnan(self.first[table, seat]):
            self.first[table, seat] = margin_of(scores[None])[0, seat]

    def pay(self, table: int, seat: int, reward: float) -> None:
        """What a seat gets at its next decision, or at the end."""
        if np.isnan(self.first[table, seat]):
            assert reward == 0
            return
        self.paid[table, seat] += self.factor[table, seat] * reward
        self.factor[table, seat] *= DISCOUNT

    def check(self, table: int) -> None:
        assert self.paid[table] == pytest.approx(-np.nan_to_num(self.first[table]), abs=1e-4)
        self.first[table], self.paid[table], self.factor[table] = np.nan, 0, 1


@every_game
@every_number
def test_sums_of_each_agent_telescope_to_its_first_decision(name: str, players: int) -> None:
    env, sums = GAMES[name].aec.env(players=players, potential="margin", **SHAPED), Sums(1, players)
    for seed in range(3):
        rng = np.random.default_rng(seed)
        env.reset(seed=seed)
        for agent in env.agent_iter():
            _, reward, terminated, truncated, info = env.last()
            sums.pay(0, int(agent[-1]), reward)
            if terminated or truncated:
                env.step(None)
            else:
                sums.decide(0, int(agent[-1]), info["running_scores"])
                env.step(rng.choice(np.flatnonzero(info["action_mask"])))
        sums.check(0)


@every_game
@every_number
def test_sums_of_self_play_telescope_in_every_game(name: str, players: int) -> None:
    size, ends = 50, 0
    env, sums = GAMES[name].all_seats(size, players, potential="margin", **SHAPED), Sums(size, players)
    sampler, (_, info) = env.sampler(3), env.reset(seed=2)
    while ends < 2 * size:
        for table, seat in enumerate(info["seat"].tolist()):
            sums.decide(table, seat, info["running_scores"][table])
        _, rewards, terminated, truncated, info = env.step(sampler.sample(env.batch))
        for table, seat in enumerate(info["seat"].tolist()):
            if terminated[table] or truncated[table]:
                for each in range(players):
                    sums.pay(table, each, rewards[table, each])
                sums.check(table)
                ends += 1
            else:
                sums.pay(table, seat, rewards[table, seat])
                assert np.count_nonzero(rewards[table]) <= 1


@every_game
def test_one_seat_is_paid_alike_alone_in_many_games_and_in_stable_baselines(name: str) -> None:
    settings = {"opponents": "random", "players": 3, "potential": lambda own: own.scores + np.arange(3), **SHAPED}
    alone, many = GAMES[name].single(**settings), GAMES[name].seats(3, **settings)
    vec = SeatVecEnv(GAMES[name].seats(3, **settings))
    vec.seed(5)
    vec.reset()
    (_, info), (_, infos), total, factor, ended = alone.reset(seed=5), many.reset(seed=5), 0.0, 1.0, False
    first = info["running_scores"][alone.seat] + alone.seat
    while not ended:
        assert (infos["running_scores"][0] == info["running_scores"]).all()
        actions = infos["action_mask"].argmax(1)
        _, rewards, _, _, infos = many.step(actions)
        _, reward, terminated, truncated, info = alone.step(actions[0])
        _, paid, dones, told = vec.step(actions)
        assert rewards[0] == reward
        assert (paid == rewards.astype(np.float32)).all()
        assert all((each["running_scores"] == infos["running_scores"][at]).all() for at, each in enumerate(told))
        total, factor, ended = total + factor * reward, factor * DISCOUNT, terminated or truncated
        assert dones[0] == ended
    assert total == pytest.approx(-first)


def test_illegal_action_keeps_no_potential() -> None:
    made = GAMES["oddville"]
    alone = made.single("random", 2, potential=lambda positions: np.full((1, 2), 7.0))
    _, info = alone.reset(seed=1)
    assert alone.step(info["action_mask"].argmin())[1] == -1 - 7
    env, paid = made.aec.env(players=2, potential=lambda positions: np.full((1, 2), 7.0)), {}
    env.reset(seed=1)
    first = env.agent_selection
    while env.agent_selection == first:
        env.step(env.last()[4]["action_mask"].argmax())
    second = env.agent_selection
    env.step(env.observe(second)["action_mask"].argmin())
    for agent in env.agent_iter():
        paid[agent] = env.last()[1]
        env.step(None)
    assert paid == {first: -7, second: -1 - 7}


@every_game
def test_learned_potentials_are_chances_and_margins_of_every_seat(name: str) -> None:
    env = GAMES[name].all_seats(4, 3)
    env.reset(seed=1)
    positions = Positions(game_type(name), env.batch.box, env.batch.games)
    chances = {"oddville": oddville, "oldtown": oldtown}[name].win_chance(positions)
    assert (chances.shape, chances.sum(1)) == ((4, 3), pytest.approx(1))
    assert chances.min() > 0
    assert name == "oldtown" or oddville.expected_margin(positions).sum(1) == pytest.approx(0)


@every_game
def test_every_potential_has_a_name_and_pays_as_its_function_which_can_change_no_game(name: str) -> None:
    def writing(positions: Positions) -> np.ndarray:
        found = margin(positions)
        positions.games[:] = np.zeros(1, positions.games.dtype)
        positions.box.record.view(np.uint8)[:] = 0
        return found

    learned = {"oddville": oddville, "oldtown": oldtown}[name].POTENTIALS
    assert list(named_potentials(game_type(name))) == [*POTENTIALS, *learned]
    for potential, function in {**learned, "margin": writing}.items():
        envs = [GAMES[name].all_seats(4, 3, potential=each, discount=DISCOUNT) for each in (potential, function)]
        sampler, _ = envs[0].sampler(2), [env.reset(seed=3) for env in envs]
        for _ in range(60):
            actions = sampler.sample(envs[0].batch)
            found = [env.step(actions) for env in envs]
            assert all((one == other).all() for one, other in zip(found[0][:4], found[1][:4], strict=True))


def named(potential: Any) -> Any:
    """A potential with a name that sentences show."""
    potential.__name__ = "mine"
    return potential


NAMES = "margin, win_chance, expected_margin"
SHAPE = "the potential 'mine' must return finite numbers of shape (1, 2), one for each seat"


@pytest.mark.parametrize(("wrong", "sentence"), [
    ({"potential": "lead"}, f"potential must be one of {NAMES}, a function or None, not 'lead'"),
    ({"potential": 3}, f"potential must be one of {NAMES}, a function or None, not 3"),
    ({"potential": ["margin"]}, f"potential must be one of {NAMES}, a function or None, not ['margin']"),
    ({"potential": named(lambda positions: np.full((1, 2), np.nan))}, f"{SHAPE}, not nan"),
    ({"potential": named(lambda positions: [1.0, 2.0])}, f"{SHAPE}, not of shape (2,)"),
    ({"potential": named(lambda positions: [[1.0, 2.0], [3.0]])}, f"{SHAPE}, not [[1.0, 2.0], [3.0]]"),
    ({"potential": named(lambda positions: None)}, f"{SHAPE}, not of shape ()"),
    ({"potential": "margin", "discount": 1.5}, "discount must be a number from 0 to 1, not 1.5"),
    ({"reward": 1}, "reward must be one of outcome, rank, margin or a function, not 1"),
    ({"reward": named(lambda scores, ranks: [1.0])}, "the reward 'mine' must return finite numbers of shape (2,)"),
])  # fmt: skip
def test_wrong_potential_or_reward_is_refused_in_a_sentence(wrong: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SettingError) as refused:
        at_end(GAMES["oddville"].aec.raw_env(**wrong))
    assert str(refused.value).startswith(sentence)
