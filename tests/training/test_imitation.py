"""Imitation: data sets hold what an agent would play, and a policy fitted to them plays like it."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("sb3_contrib", reason="training needs the extra train")

import torch
from safetensors.numpy import load_file

from oddville_agents import make_agent
from oddville_agents.oddville.policy import ProjectNetwork, Sizes
from oddville_agents.oldtown.policy_model import Sizes as OldTownSizes
from oddville_agents.play import play
from oddville_env.core.disk.files import unfinished_name
from oddville_env.core.errors import SettingError
from oddville_env.core.game.game_type import game_type
from oddville_env.envs.live_game import LiveGame
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oddville.observation import make_encoder
from oddville_env.oddville.settings import make_box
from oddville_training.learning.config import TrainConfig, TrainError
from oddville_training.learning.environments import make_environments
from oddville_training.learning.imitation import data_set, fit
from oddville_training.learning.imitation.data_set import DataSetError, DataSetSpec, files_of, jobs, make, play_shard
from oddville_training.learning.learner import make_learner, network_of
from oddville_training.learning.run_folder import begin_with
from oddville_training.learning.train import run
from oddville_training.work.pools import here
from support.training.small_runs import TINY

SMALL = DataSetSpec("greedy", games=6, seed=3)


def test_temporary_files_of_a_killed_process_are_removed_and_other_hidden_files_are_kept(tmp_path: Path) -> None:
    small = DataSetSpec("random", games=1)
    make(tmp_path, small, here, progress=False)
    unfinished_name(tmp_path / "games-00000.safetensors", 2**22 + 1).touch()  # no process has such a number
    (tmp_path / ".env.2024").touch()
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / ".notes.20240101").touch()
    make(tmp_path, small, here, progress=False)
    assert sorted(path.name for path in tmp_path.rglob(".*")) == [".env.2024", ".notes.20240101"]


def test_decisions_of_strayed_games_are_noted_in_the_order_of_the_games() -> None:
    noted = play_shard(SMALL._replace(stray=0.5), 0)
    assert noted["masks"][np.arange(len(noted["moves"])), noted["moves"]].all()
    assert (noted["masks"].sum(1) > 1).all()
    assert (noted["games"] == np.sort(noted["games"])).all()
    assert set(noted["games"].tolist()) == set(range(6))
    assert (noted["ranks"].min(1) == 1).all()


@pytest.mark.parametrize("players", [2, 3])
def test_without_stray_moves_games_are_those_of_the_agent(players: int) -> None:
    noted = play_shard(SMALL._replace(stray=0.0, players=players, games=2), 0)
    live = LiveGame(ODDVILLE, make_box(players))
    for game in range(2):
        moves: list[int] = []

        def watch(live: LiveGame, action: int, moves: list[int] = moves) -> None:
            if np.count_nonzero(live.view().mask) > 1:
                moves.append(action)

        outcome = play(live, [make_agent("greedy")] * players, SMALL.seed + game, watch)
        mine = noted["games"] == game
        assert noted["moves"][mine].tolist() == moves
        assert (noted["scores"][mine] == outcome.scores).all()


def test_agents_that_think_say_how_much_every_move_got() -> None:
    noted = play_shard(DataSetSpec("search:sims=8", games=1), 0)
    assert noted["shares"].sum(1) == pytest.approx(np.ones(len(noted["moves"])), abs=0.01)
    assert not noted["shares"][~noted["masks"]].any()
    assert (noted["shares"][np.arange(len(noted["moves"])), noted["moves"]] == noted["shares"].max(1)).all()


def test_files_that_are_there_are_not_made_again_and_a_torn_one_is(tmp_path: Path) -> None:
    names = ["games-00000.safetensors", "games-00001.safetensors"]
    assert ([job.path.name for job in here(jobs(tmp_path, SMALL))], jobs(tmp_path, SMALL)) == (names[:1], [])
    assert [job.path.name for job in jobs(tmp_path, SMALL._replace(games=501))] == names  # the first holds 6 of 500
    (file,) = files_of(tmp_path)
    assert load_file(file)["observations"].dtype == np.uint8
    with pytest.raises(DataSetError, match="another data set"):
        jobs(tmp_path, SMALL._replace(seed=4))
    (tmp_path / "about.json").unlink()
    whole = file.read_bytes()
    file.write_bytes(whole[:100])
    make(tmp_path, SMALL, here, progress=False)
    assert file.read_bytes() == whole


def test_asking_for_more_games_adds_them(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(data_set, "SHARD", 4)
    for games in (6, 7):
        make(tmp_path, SMALL._replace(games=games), here, progress=False)
        held = np.concatenate([load_file(file)["games"] for file in files_of(tmp_path)])
        assert set(held.tolist()) == set(range(games))
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    with pytest.raises(DataSetError, match="holds 7 games: ask for as many at least, or name a new folder"):
        make(tmp_path, SMALL._replace(games=6), here, progress=False)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_folder_without_games_is_told_in_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(DataSetError, match="holds no games"):
        files_of(tmp_path)
    with pytest.raises(SettingError, match="stray must be"):
        data_set.check_asked(SMALL._replace(stray=1.5))


@pytest.mark.parametrize(("spec", "sizes", "how", "chance"), [
    (SMALL._replace(games=40), Sizes(8, 8, 32), fit.Imitate(epochs=4, batch=64), 1 / 10),
    (SMALL._replace(games=21, players=3, game="oldtown"), OldTownSizes(8, 16), fit.Imitate(12, 32), 1 / 7),
], ids=["oddville", "oldtown"])  # fmt: skip
def test_policy_learns_to_play_as_the_agent_and_training_begins_with_it(
    spec: DataSetSpec, sizes: Any, how: fit.Imitate, chance: float, tmp_path: Path
) -> None:
    make(tmp_path, spec, here, progress=False)
    *_, last = fit.fit_steps(tmp_path, how, sizes)
    assert last.done == 1
    assert last.agreement > 2 * chance  # that of a random move
    model = fit.fit(tmp_path, how, sizes, progress=False)
    assert make_agent(str(model), spec.game) is not None
    config = TrainConfig(game=game_type(spec.game), players=spec.players, taught=0, envs=4, network=sizes)
    encoder = config.game.make_encoder(config.game.box(config.played), "features")
    learner = make_learner(config, make_environments(config, encoder), encoder)
    begin_with(learner, model, config.networks)
    mine = network_of(learner).state_dict()
    assert all((mine[name] == weight).all() for name, weight in last.network.state_dict().items())
    with pytest.raises(TrainError, match=r"was trained with Sizes\(.*\), expected Sizes"):
        run(replace(config, network=None), tmp_path / "run", progress=False, init=model)


def test_a_data_set_of_one_game_which_is_held_back_is_fitted_to_nothing(tmp_path: Path) -> None:
    make(tmp_path, SMALL._replace(games=1), here, progress=False)
    *_, last = fit.fit_steps(tmp_path, fit.Imitate(epochs=1), Sizes(4, 4, 8))
    assert 0 <= last.agreement <= 1


def taught(config: TrainConfig, spent: float = 0.0) -> tuple[ProjectNetwork, list[float]]:
    """A network after a lesson, and how far it was after each piece."""
    box = make_box(config.players)
    encoder = make_encoder(box, "features")
    torch.manual_seed(config.seed)
    network = config.form.network(encoder, config.network)
    return network, list(fit.teach(network, config, data_set.GameSetup(ODDVILLE, box, encoder), lambda: spent))


def test_a_network_that_is_taught_finds_the_teachers_moves_likelier() -> None:
    config = replace(TINY, steps=None, network=Sizes(8, 8, 32))
    before, after = (taught(replace(config, taught=number))[0] for number in (0, 14_000))
    tensors = play_shard(DataSetSpec("greedy", games=5, seed=90), 0)
    unseen = fit.batch_of(tensors, before.encoder, config.networks)
    with torch.inference_mode():
        assert float(fit._loss(after, unseen)) < float(fit._loss(before, unseen)) - 0.1


def test_a_lesson_takes_at_most_half_of_a_runs_limits() -> None:
    lesson = replace(TINY, taught=10**9, steps=200)
    assert (taught(lesson)[1][-1], taught(lesson, spent=0.5)[1]) == (1.0, [1.0])
    assert taught(replace(lesson, taught=0))[1] == []


def test_equal_settings_teach_equal_networks() -> None:
    first, second = (taught(replace(TINY, taught=300, steps=None))[0].state_dict() for _ in range(2))
    assert all(first[name].equal(second[name]) for name in first)
