"""Imitation: data sets hold what an agent would play, policies are fitted to them, and untrusted arrays are checked."""

import io
import re
import zipfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
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
from oddville_env.oddville.rules.state import fields
from oddville_env.oddville.settings import make_box
from oddville_training.learning import data_set, imitation
from oddville_training.learning.config import TrainConfig, TrainError
from oddville_training.learning.data_set import DataSetError, DataSetSpec, files_of, jobs, make
from oddville_training.learning.learner import make_environments, make_learner, network_of
from oddville_training.learning.run_folder import begin_with
from oddville_training.learning.train import run
from oddville_training.oddville.selfplay.positions import load
from oddville_training.oddville.selfplay.positions import save as save_positions
from oddville_training.processes.pools import here
from oddville_training.selfplay.plan import PlanError
from support.training.small_runs import TINY
from support.training.small_selfplay import noted

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


def test_decisions_of_strayed_games_are_noted_in_their_order_and_what_every_move_got_by_thought() -> None:
    noted = data_set.play_shard(SMALL._replace(stray=0.5), 0)
    assert noted["masks"][np.arange(len(noted["moves"])), noted["moves"]].all()
    assert (noted["masks"].sum(1) > 1).all()
    assert (noted["games"] == np.sort(noted["games"])).all()
    assert set(noted["games"].tolist()) == set(range(6))
    assert (noted["ranks"].min(1) == 1).all()
    noted = data_set.play_shard(DataSetSpec("search:sims=8", games=1), 0)
    assert noted["shares"].sum(1) == pytest.approx(np.ones(len(noted["moves"])), abs=0.01)
    assert not noted["shares"][~noted["masks"]].any()
    assert (noted["shares"][np.arange(len(noted["moves"])), noted["moves"]] == noted["shares"].max(1)).all()


@pytest.mark.parametrize("players", [2, 3])
def test_without_stray_moves_games_are_those_of_the_agent(players: int) -> None:
    noted = data_set.play_shard(SMALL._replace(stray=0.0, players=players, games=2), 0)
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
    with pytest.raises(DataSetError, match="holds 7 games: ask for at least as many, or name a new folder"):
        make(tmp_path, SMALL._replace(games=6), here, progress=False)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


def test_a_folder_without_games_is_refused_and_one_with_one_is_fitted_to_nothing(tmp_path: Path) -> None:
    with pytest.raises(DataSetError, match="holds no games"):
        files_of(tmp_path)
    with pytest.raises(SettingError, match="stray must be"):
        make(tmp_path, SMALL._replace(stray=1.5), here, progress=False)
    make(tmp_path, SMALL._replace(games=1), here, progress=False)
    *_, last = imitation.fit_steps(tmp_path, imitation.Imitate(epochs=1), Sizes(4, 4, 8))
    assert 0 <= last.agreement <= 1


@pytest.mark.parametrize(("spec", "sizes", "how", "chance"), [
    (SMALL._replace(games=40), Sizes(8, 8, 32), imitation.Imitate(epochs=4, batch=64), 1 / 10),
    (SMALL._replace(games=21, players=3, game="oldtown"), OldTownSizes(8, 16), imitation.Imitate(12, 32), 1 / 7),
], ids=["oddville", "oldtown"])  # fmt: skip
def test_policy_learns_to_play_as_the_agent_and_training_begins_with_it(
    spec: DataSetSpec, sizes: Any, how: imitation.Imitate, chance: float, tmp_path: Path
) -> None:
    make(tmp_path, spec, here, progress=False)
    *_, last = imitation.fit_steps(tmp_path, how, sizes)
    assert last.done == 1
    assert last.agreement > 2 * chance  # that of a random move
    model = imitation.fit(tmp_path, how, sizes, progress=False)
    assert make_agent(str(model), spec.game) is not None
    config = TrainConfig(game=game_type(spec.game), players=spec.players, taught=0, envs=4, network=sizes)
    encoder = config.game.make_encoder(config.game.box(config.played), "features")
    learner = make_learner(config, make_environments(config, encoder), encoder)
    begin_with(learner, model, config.networks)
    mine = network_of(learner).state_dict()
    assert all((mine[name] == weight).all() for name, weight in last.network.state_dict().items())
    with pytest.raises(TrainError, match=r"was trained with Sizes\(.*\), expected Sizes"):
        run(replace(config, network=None), tmp_path / "run", progress=False, init=model)


def taught(config: TrainConfig, spent: float = 0.0) -> tuple[ProjectNetwork, list[float]]:
    """A network after a lesson, and how far it was after each piece."""
    box = make_box(config.players)
    encoder = make_encoder(box, "features")
    torch.manual_seed(config.seed)
    network = config.form.network(encoder, config.network)
    return network, list(imitation.teach(network, config, data_set.GameSetup(ODDVILLE, box, encoder), lambda: spent))


def test_a_network_that_is_taught_finds_the_teachers_moves_likelier() -> None:
    config = replace(TINY, steps=None, network=Sizes(8, 8, 32))
    before, after = (taught(replace(config, taught=number))[0] for number in (0, 14_000))
    tensors = data_set.play_shard(DataSetSpec("greedy", games=5, seed=90), 0)
    unseen = imitation.batch_of(tensors, before.encoder, config.networks)
    with torch.inference_mode():
        assert float(imitation._loss(after, unseen)) < float(imitation._loss(before, unseen)) - 0.1


def test_a_lesson_takes_at_most_half_of_a_runs_limits_and_equal_settings_teach_equal_networks() -> None:
    lesson = replace(TINY, taught=10**9, steps=200)
    assert (taught(lesson)[1][-1], taught(lesson, spent=0.5)[1]) == (1.0, [1.0])
    assert taught(replace(lesson, taught=0))[1] == []
    first, second = (taught(replace(TINY, taught=300, steps=None))[0].state_dict() for _ in range(2))
    assert all(first[name].equal(second[name]) for name in first)


BOX = make_box(2)
Arrays = dict[str, np.ndarray]
Damage = Callable[[Arrays], None]


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Arrays:
    """The arrays of a file of games with what a search said of them."""
    path = tmp_path_factory.mktemp("games") / "games.npz"
    save_positions(path, noted(BOX, 4, sims=4))
    assert len(load(path, BOX).states) > 20
    with np.load(path) as plain:
        return dict(plain)


def refused(path: Path, arrays: Arrays) -> str:
    """What is said of a file with these arrays."""
    np.savez(path, **arrays)
    with pytest.raises(PlanError) as told:
        load(path, BOX)
    assert str(path) in str(told.value)
    assert "\n" not in str(told.value)
    return str(told.value)


def changed(name: str, value: Any, at: Any = 0) -> Damage:
    def damage(arrays: Arrays) -> None:
        arrays[name] = arrays[name].copy()
        arrays[name][at] = value

    return damage


def of_dtype(name: str, dtype: Any) -> Damage:
    return lambda arrays: arrays.update({name: arrays[name].astype(dtype)})


@pytest.mark.parametrize(("damage", "sentence"), [
    (lambda arrays: arrays.pop("moves"), "'moves' is missing"),
    (lambda arrays: arrays.update(more=np.zeros(2)), "'more' is not known, expected actions, "),
    (of_dtype("moves", np.int64), r"'moves' should be int16 \[\d+\], not int64"),
    (lambda arrays: arrays.update(states=arrays["states"][:, :-1]), "'states' should be uint8"),
    (changed("moves", -1), "a number of 'moves' is not within 0 to"),
    (changed("winners", 2), "a number of 'winners' is not within 0 to 1"),
    (changed("values", np.nan), "a number of 'values' is not within"),
    (changed("edges", 2**31 - 1, -1), "its edges are not consecutive"),
    (changed("used", 0), "its arrays are of different lengths"),
    (changed("moves", 0, slice(None)), r"a move from position \d+ is not legal"),
])  # fmt: skip
def test_games_of_impossible_arrays_are_refused(stored: Arrays, tmp_path: Path, damage: Damage, sentence: str) -> None:
    arrays = dict(stored)
    damage(arrays)
    told = refused(tmp_path / "games.npz", arrays)
    assert re.search(sentence, told), told


@pytest.mark.parametrize("field", fields(BOX.games["ground"].shape[0], BOX.layout.slots), ids=lambda field: field.name)
def test_a_state_with_a_field_out_of_its_range_is_refused(stored: Arrays, tmp_path: Path, field: Any) -> None:
    place = BOX.games.fields[field.name][1]
    least, most = (0, 255) if field.dtype == "?" else (np.iinfo(field.dtype).min, np.iinfo(field.dtype).max)
    for value in {least, most} - set(range(field.low, field.high + 1)) if field.name != "seed" else ():
        states, size = stored["states"].copy(), np.dtype(field.dtype).itemsize
        states[1, place : place + size] = np.frombuffer(int(value).to_bytes(size, "little", signed=value < 0), np.uint8)
        told = refused(tmp_path / "games.npz", stored | {"states": states})
        assert f"position 1 can be in no game ({field.name} is not within" in told


def test_a_state_that_contradicts_itself_is_refused(stored: Arrays, tmp_path: Path) -> None:
    for name, value in (("frontier_size", 40), ("city_size", 23), ("coins", 5), ("holding", 3)):
        states = stored["states"].copy()
        states.reshape(-1).view(BOX.games)[name][0] = value
        assert "position 0 can be in no game" in refused(tmp_path / "games.npz", stored | {"states": states})


def test_arrays_that_are_packed_or_lie_about_their_size_are_refused(stored: Arrays, tmp_path: Path) -> None:
    path = tmp_path / "games.npz"
    np.savez_compressed(path, **stored)
    with pytest.raises(PlanError, match="is packed"):
        load(path, BOX)
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "|u1", "fortran_order": False, "shape": (10**12,)})
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("states.npy", header.getvalue())
    with pytest.raises(PlanError, match="damaged or not an npz file"):
        load(path, BOX)
    for name, content in (("a.txt", b"hello"), ("a.npy", b"hello"), ("a.npy", b"")):
        with zipfile.ZipFile(path, "w") as file:
            file.writestr(name, content)
        with pytest.raises(PlanError, match="damaged or not an npz file"):
            load(path, BOX)


def test_reading_games_runs_no_code(stored: Arrays, tmp_path: Path) -> None:
    class Evil:
        def __reduce__(self) -> tuple[Any, tuple[Path]]:
            return Path.touch, (tmp_path / "ran",)

    told = refused(tmp_path / "games.npz", stored | {"games": np.array([Evil()])})
    assert "damaged or not an npz file" in told
    assert not (tmp_path / "ran").exists()


@pytest.fixture(scope="module")
def decisions(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Arrays]:
    """A data set, and the tensors of its file."""
    folder = tmp_path_factory.mktemp("set")
    make(folder, DataSetSpec("greedy", games=2), here, progress=False)
    return folder, load_file(files_of(folder)[0])


@pytest.mark.parametrize(("damage", "sentence"), [
    (lambda tensors: tensors.pop("masks"), "'masks' is missing"),
    (changed("moves", 30_000), "a number of 'moves' is not within 0 to"),
    (changed("masks", False, slice(None)), "a move is not legal"),
    (changed("observations", 255, slice(None)), "a number of 'observations' is not within"),
    (of_dtype("masks", np.uint8), "'masks' should be bool"),
    (lambda tensors: tensors.update(ranks=tensors["ranks"][:, :1].copy()), "'ranks' should be int16"),
    (lambda tensors: tensors.update(shares=np.full(tensors["masks"].shape, np.nan, np.float16)), "'shares' is not"),
])  # fmt: skip
def test_data_set_of_impossible_tensors_is_told(decisions: tuple[Path, Arrays], damage: Damage, sentence: str) -> None:
    folder, tensors = decisions[0], dict(decisions[1])
    damage(tensors)
    data_set.save_tensors(files_of(folder)[0], tensors)
    with pytest.raises(DataSetError, match=sentence) as told:
        list(imitation.fit_steps(folder, imitation.Imitate(epochs=1)))
    assert "\n" not in str(told.value)


def test_a_data_set_whose_file_or_description_is_damaged_is_refused(decisions: tuple[Path, Arrays]) -> None:
    folder, about = decisions[0], decisions[0] / "about.json"
    plain = about.read_text()
    for was, now in (('"players": 2', '"players": null'), ('"game": "oddville"', '"game": []'), ("features", "x")):
        about.write_text(plain.replace(was, now))
        with pytest.raises(DataSetError, match=str(about)):
            list(imitation.fit_steps(folder, imitation.Imitate(epochs=1)))
    about.write_text(plain)
    files_of(folder)[0].write_bytes(b"no tensors")
    with pytest.raises(DataSetError, match="damaged or not a safetensors file"):
        list(imitation.fit_steps(folder, imitation.Imitate(epochs=1)))
