"""Training, its files, trained models as agents, and evaluation."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from oddville_agents import TextAgent, make_agent
from oddville_agents.oddville.policy import Sizes
from oddville_agents.policies.models import ModelError
from oddville_env.core.errors import SettingError
from oddville_env.oddville.observation import make_encoder
from oddville_env.oddville.settings import make_box
from oddville_env.oldtown.game_type import OLDTOWN
from oddville_env.oldtown.settings import make_box as make_oldtown_box
from oddville_training.learning.config import TrainConfig, TrainError
from oddville_training.learning.learner import _sample, lead_seen, make_environments, make_learner
from oddville_training.learning.meter import _facts_of_game
from oddville_training.learning.run_folder import TrainFolder, saved_config
from oddville_training.learning.train import train
from oddville_training.tournament.evaluate import evaluate, interval, table
from support.training.small_runs import OLDTOWN_TINY, TINY, said


@pytest.mark.parametrize(("steps", "told"), [(100, "ends after 128 steps, not 100: updates are whole"), (128, "")])
def test_limit_in_an_update_is_told(steps: int, told: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    train(replace(TINY, steps=steps, rollout=64 // TINY.envs), tmp_path / "run")
    err = " ".join(capsys.readouterr().err.split())
    assert told in err if told else "updates are whole" not in err
    assert said(tmp_path / "run" / "model.safetensors")["steps"] == 128


def test_model_says_how_to_build_it_again_and_equal_settings_train_equal_ones(run: Path, tmp_path: Path) -> None:
    box, about = make_box(2), said(run / "model.safetensors")
    assert (about["players"], about["table"], about["encoding"]) == (2, [17, 9], "features")
    assert (about["layout_digest"], about["cards_digest"]) == (box.layout.digest, box.cards.digest)
    assert (about["network"], about["steps"]) == ({"card": 4, "cell": 4, "hidden": 8}, 128)
    assert saved_config(run) == TINY
    again = train(TINY, tmp_path / "again", progress=False)
    assert again.read_bytes() == (run / "model.safetensors").read_bytes()


def test_model_of_old_town_plays_with_any_number_of_players_and_is_not_resumed_as_oddvilles(tmp_path: Path) -> None:
    config = replace(OLDTOWN_TINY, players=3, settings={"lone_confirm": True})
    model, box = train(config, tmp_path / "run", progress=False), make_oldtown_box(3, lone_confirm=True)
    about = said(model)
    assert (about["format"], about["players"], about["architecture"]) == ("oldtown-model", 3, "buildings")
    assert (about["layout_digest"], about["cards_digest"]) == (box.layout.digest, box.deck.digest)
    assert about["network"] == {"building": 4, "hidden": 8}
    assert saved_config(tmp_path / "run", game=OLDTOWN) == config
    for seats in (2, 4):
        assert evaluate(str(model), ["random"], seats, seats, game=OLDTOWN, progress=False).against[0].games == seats
    with pytest.raises(ModelError, match="expected format 'oddville-model', version 1"):
        saved_config(tmp_path / "run")


def test_a_resumed_run_counts_its_steps_on_and_an_optimizer_of_another_network_is_refused(copy: Path) -> None:
    train(replace(TINY, steps=256), copy, resume=True, progress=False)
    assert said(copy / "model.safetensors")["steps"] == 256
    newest = max((copy / "checkpoints").iterdir())
    assert newest.name == "0000000256"
    shutil.copy(newest / "model.safetensors", newest / "optimizer.safetensors")
    with pytest.raises(ModelError, match="Adam"):
        train(replace(TINY, steps=512), copy, resume=True, progress=False)


def test_first_weights_are_made_with_the_configured_threads(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Their rounding depends on the number, and a process may have set another one before."""
    found: list[int] = []

    def make(*args: Any) -> Any:
        found.append(torch.get_num_threads())
        return make_learner(*args)

    monkeypatch.setattr("oddville_training.learning.train.make_learner", make)
    torch.set_num_threads(TINY.threads + 1)
    train(TINY, tmp_path / "run", progress=False)
    assert found == [TINY.threads]


@pytest.mark.parametrize(("folder", "changes", "resume", "sentence"), [
    ("copy", {}, False, "already holds a run"),
    ("nothing", {}, True, "no checkpoint"),
    ("copy", {"network": Sizes(4, 4, 9)}, True, "was trained with"),
])  # fmt: skip
def test_wrong_runs_are_refused(folder: str, changes: Any, resume: bool, sentence: str, copy: Path) -> None:
    with pytest.raises(TrainError, match=sentence):
        train(replace(TINY, **changes), copy.with_name(folder), resume=resume, progress=False)


@pytest.mark.parametrize("config", [TINY, replace(OLDTOWN_TINY, players=3)], ids=lambda config: config.game.name)
def test_shaping_adds_up_to_the_margin_and_the_lead_at_the_beginning(config: TrainConfig) -> None:
    config = replace(config, envs=1, gamma=1.0)
    encoder = config.game.make_encoder(config.game.box(config.played), "features")
    environments = make_environments(config, encoder)
    environments.seed(5)
    start = lead_seen(encoder, config.networks.score_index, environments.reset(), config.players)
    rewards, done = [], False
    while not done:
        (mask,) = environments.env_method("action_masks")
        _, (reward,), (done,), (info,) = environments.step(np.array([mask.argmax()]))
        rewards.append(reward)
    mine, others = info["scores"][info["seat"]], np.delete(info["scores"], info["seat"])
    assert sum(rewards) == pytest.approx(config.scale * (mine - others.mean() - start[0]), abs=1e-4)
    assert np.count_nonzero(rewards) > 3


def test_the_learner_weighs_moves_as_sb3_contrib_does_and_draws_each_as_often_as_it_is_likely() -> None:
    encoder = make_encoder(make_box(2), "features")
    environments = make_environments(TINY, encoder)
    learner = make_learner(TINY, environments, encoder)
    observations = torch.from_numpy(environments.reset())
    masks = torch.from_numpy(np.stack(environments.env_method("action_masks")))
    for weight in learner.policy.parameters():
        weight.data += 0.1 * torch.randn_like(weight)  # so that moves differ
    expected = learner.policy.get_distribution(observations, masks)
    for _ in range(50):
        actions, values, logs = learner.policy(observations, action_masks=masks)
        assert masks.gather(1, actions[:, None]).all()
        torch.testing.assert_close(logs, expected.log_prob(actions))
        again, same_logs, entropy = learner.policy.evaluate_actions(observations, actions, masks)
        torch.testing.assert_close((again, same_logs), (values, logs))
        torch.testing.assert_close(entropy, expected.entropy())
    torch.manual_seed(0)
    likely = torch.tensor([0.0, 0.5, 0.0, 0.3, 0.2, 0.0]).expand(20_000, -1)
    shares = torch.bincount(_sample(likely), minlength=6) / len(likely)
    assert shares[[0, 2, 5]].sum() == 0
    torch.testing.assert_close(shares, likely[0], atol=0.02, rtol=0)
    with pytest.raises(TrainError, match="scores are not finite"):
        _sample(torch.full((2, 6), torch.nan))


def test_a_rollout_gives_back_every_step_once_an_epoch_with_all_that_belongs_to_it() -> None:
    encoder = make_encoder(make_box(2), "features")
    learner = make_learner(TINY, make_environments(TINY, encoder), encoder)
    learner.learn(TINY.envs * TINY.rollout)
    rollout = learner.rollout_buffer
    seen = list(rollout.get(TINY.batch))
    values = torch.cat([batch.old_values for batch in seen])
    assert sorted(values.tolist()) == sorted(rollout.values.flatten().tolist())
    for batch in seen:
        assert batch.action_masks.gather(1, batch.actions.long()).all()
        assert batch.observations.shape == (TINY.batch, encoder.size)
        torch.testing.assert_close(batch.returns, batch.advantages + batch.old_values)


@pytest.mark.parametrize("left", ["", "tensorboard", "checkpoints", "checkpoints/.unfinished"])
def test_what_a_kill_before_the_first_checkpoint_leaves_can_be_begun_again(left: str, tmp_path: Path) -> None:
    for folder in (TrainFolder(tmp_path / "none"), TrainFolder(tmp_path / "some")):
        with pytest.raises(TrainError, match="begin the run without resume"):
            folder.begin(resume=True)
        assert folder.begin(resume=False) is None
        (tmp_path / "some" / left).mkdir(parents=True, exist_ok=True)
        (tmp_path / "some" / left / "model.safetensors").write_bytes(b"half")


def test_every_deal_is_played_in_every_seat_against_every_opponent_and_winners_share_a_win() -> None:
    result = evaluate("greedy", ["random", "greedy"], games=7, players=3, progress=False)
    assert [each.opponent for each in result.against] == ["random", "greedy"]
    for each in result.against:
        assert (each.games, result.asked, len(each.wins_by_seat)) == (9, 9, 3)
        assert each.wins == pytest.approx(np.mean(each.wins_by_seat))
        assert each.low <= each.wins <= each.high
    plain = json.loads(result.to_json())
    assert [each["games"] for each in plain["against"]] == [9, 9]
    assert plain["par"] == result.par == pytest.approx(1 / 3)
    assert table(result).row_count == 2
    won = [_facts_of_game({"scores": [9, 9, 4], "ranks": [1, 1, 3], "seat": seat}, 5)[0] for seat in range(3)]
    assert won == [0.5, 0.5, 0.0]


CHANCE = """
from oddville_agents import Agent

class Bot(Agent):
    def act(self, view):
        return int(view.rng.choice(view.actions))
"""


@pytest.mark.usefixtures("forked", "workdir")
def test_several_workers_give_the_same_evaluation_as_one() -> None:
    Path("mine.py").write_text(CHANCE)
    asked = {"against": ["search:sims=4"], "games": 12, "seed": 3, "progress": False}
    one, two = (evaluate("./mine.py:Bot", workers=workers, **asked).to_json() for workers in (1, 2))
    assert one == two


@pytest.mark.parametrize(("agent", "more", "sentence"), [
    (make_agent("greedy"), {"workers": 2}, "named by texts such as greedy"),
    ("greedy", {"workers": 0}, "workers must be"),
    ("random", {"against": []}, "at least one agent"),
    ("random", {"against": None}, "must be a list"),
    ("random", {"against": "x"}, "must be a list"),
    (TextAgent(str), {"transcripts": Path(__file__)}, r"test_training\.py is there already: give another file"),
    (TextAgent(str), {"parallel": 0}, "parallel must be a whole number from 1 to 1000, not 0"),
    ("random", {"workers": 2, "parallel": 2}, "give one of them"),
    ("chat:model=a,url=http://b", {"workers": 2}, "its answers are counted in one process: give parallel"),
])  # fmt: skip
def test_wrong_options_of_evaluations_are_refused(agent: Any, more: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SettingError, match=sentence):
        evaluate(agent, **{"against": ["random"], "games": 8} | more)


def test_ctrl_c_keeps_the_deals_that_were_finished(capsys: pytest.CaptureFixture) -> None:
    calls = iter(range(10**6))

    def impatient(observation: np.ndarray, mask: np.ndarray) -> int:
        if next(calls) == 300:
            raise KeyboardInterrupt
        return int(mask.argmax())

    result = evaluate(make_agent(impatient), ["random"], games=1000)
    assert sum(each.games for each in result.against) < 1000
    assert "of 1000 games" in capsys.readouterr().err


@pytest.mark.parametrize(("won", "low", "high"), [
    # Wilson's interval for 50 of 100, where each deal has one game: 0.4038 to 0.5962.
    ([[True], [False]] * 50, 0.4038, 0.5962),
    # Deals that are won or lost whole say no more than as many games: the same.
    ([[True, True], [False, False]] * 50, 0.4038, 0.5962),
    # Independent games of a deal count in full, 100 of 200: 0.4314 to 0.5686.
    ([[True, True], [True, False], [False, True], [False, False]] * 25, 0.4314, 0.5686),
    # Nothing lost in 100 deals: 0.9630 to 1.
    ([[True, True]] * 100, 0.9630, 1.0),
])  # fmt: skip
def test_the_interval_is_wilsons_with_the_deals_as_units(won: list[list[bool]], low: float, high: float) -> None:
    assert interval(np.array(won)) == pytest.approx((low, high), abs=2e-3)


@pytest.mark.parametrize("deals", [200, 500])
def test_the_interval_holds_its_share_also_where_all_games_end_alike(deals: int) -> None:
    assert (interval(np.ones((deals, 2)))[1], interval(np.zeros((deals, 2)))[0]) == (1.0, 0.0)
