"""Self-play: a tiny run from nothing, the same for equal seeds wherever it is played, resumed after any kill."""

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from support.training.deadly_jobs import give_up, give_up_always

pytest.importorskip("torch", reason="training needs the extra train")

from oddville_agents import make_agent
from oddville_agents.tensors import NetworkError
from oddville_env.core.disk import files
from oddville_env.core.disk.files import unfinished_name
from oddville_env.core.errors import GameError
from oddville_env.oddville.settings import make_box
from oddville_training.oddville.selfplay.plan import OddVilleFolder, Plan
from oddville_training.oddville.selfplay.positions import load
from oddville_training.oddville.selfplay.stages import OddVilleSelfPlay, learn
from oddville_training.oldtown.selfplay.games import load as load_oldtown
from oddville_training.oldtown.selfplay.plan import Plan as OldTownPlan
from oddville_training.oldtown.selfplay.stages import OldTownSelfPlay
from oddville_training.selfplay.plan import MOST_ROUNDS, PlanError, SelfPlayPlan, Stage
from oddville_training.selfplay.run import Watch
from oddville_training.work.pools import Job, ProcessPool, WorkerError
from support.shadows import ran, write_shadows
from support.training.small_selfplay import TINY

SMALLEST = replace(TINY.only(2), rounds=1, search_rounds=0, value_rounds=0)


def networks(folder: Path) -> dict[str, bytes]:
    """All networks of a run."""
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*.safetensors")}


@pytest.fixture(scope="module")
def run(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny run, done."""
    return learn(tmp_path_factory.mktemp("run") / "run", TINY, resume=False).parent


class Killed(BaseException):
    """Nothing catches it."""


def killed_before(number: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The number-th file that is written is the first one that never gets its name."""
    left, replace_file = [number], os.replace

    def die_or_replace(*names: str) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise Killed
        replace_file(*names)

    monkeypatch.setattr(files.os, "replace", die_or_replace)


@pytest.mark.parametrize(
    "numbers", [(0, 3, 3), *(pytest.param((more,), marks=pytest.mark.slow) for more in (1, 4, 6, 9))]
)
def test_run_killed_before_any_file_resumes_to_the_same_networks(
    numbers: tuple[int, ...], run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "run"
    for number in numbers:
        with monkeypatch.context() as patch:
            killed_before(number, patch)
            with pytest.raises(Killed):
                learn(folder, TINY, resume=(folder / "plan.json").exists())
    learn(folder, TINY, resume=True)
    assert networks(folder) == networks(run)


def test_a_run_that_is_killed_when_its_last_network_is_to_be_published_publishes_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, publish = tmp_path / "run", OddVilleFolder.publish

    def die_or_publish(files: OddVilleFolder, stage: Stage) -> None:
        if stage.name != "warm":
            unfinished_name(folder / "network.safetensors", 4194305).touch()  # no process has such a number
            raise Killed
        publish(files, stage)

    with monkeypatch.context() as patch:
        patch.setattr(OddVilleFolder, "publish", die_or_publish)
        with pytest.raises(Killed):
            learn(folder, SMALLEST, resume=False)
    learn(folder, None, resume=True)
    newest = folder / "stages" / "round-0001" / "network.safetensors"
    assert (folder / "network.safetensors").read_bytes() == newest.read_bytes()
    assert not list(folder.rglob(".*"))


@pytest.mark.usefixtures("forked")
def test_result_does_not_depend_on_the_workers(run: Path, tmp_path: Path) -> None:
    """Stages that search are played by others in Ray's test, and change none before them."""
    learn(tmp_path / "run", replace(TINY, search_rounds=0, value_rounds=0), resume=False, workers=ProcessPool(2).do)
    found, expected = networks(tmp_path / "run" / "stages"), networks(run / "stages")
    assert len(found) == 1 + TINY.rounds
    assert {name: expected[name] for name in found} == found


FOREIGN = ("polars", "ray", "resvg_py", "pygame", "starlette", "uvicorn", "websockets", "jsonschema")


@pytest.mark.parametrize(
    ("missing", "modules"),
    [((*FOREIGN, "torch"), "oddville.selfplay.parts oldtown.selfplay.games"), (FOREIGN, "oldtown.selfplay.stages")],
    ids=["workers need no torch", "the extra train is enough"],
)
def test_self_play_needs_no_more_modules(missing: tuple[str, ...], modules: str) -> None:
    imported = ", ".join(f"oddville_training.{module}" for module in modules.split())
    code = f"import sys; sys.modules.update(dict.fromkeys({missing})); import {imported}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_ray_plays_the_same_run_and_the_same_games_though_a_worker_is_killed_and_no_module_of_the_current_folder(
    run: Path, here: Path
) -> None:
    """One Ray for all: it takes long to start, and so do its workers."""
    ray = pytest.importorskip("ray", reason="Ray is not installed: pip install 'oddville-env[ray]'")
    from oddville_training.tournament import executors, tournament
    from oddville_training.tournament.config import tournament_config
    from oddville_training.tournament.store.manifest import GAMES
    from support.training.tournaments import run as play
    from support.training.tournaments import same, unwatched

    config = tournament_config(["random", "greedy", "./mine.py:Kills"], [2], 3, moves=True)
    Path("killed").touch()
    alone = play("a", config)
    Path("killed").unlink()
    write_shadows(here)
    executor = executors.on_ray(2)(config)
    try:
        learn(here / "run", TINY, resume=False, workers=executor.pool.do)
        tournament.run(config, Path("b"), lambda _: executor, unwatched)
        assert not ray.is_initialized()
    finally:
        executor.pool.close()
    assert networks(here / "run") == networks(run)
    assert Path("killed").exists()
    assert not ran(here)
    assert Path("b", GAMES).read_bytes() == Path("a", GAMES).read_bytes()
    assert same(tournament.read_results(Path("b")), alone)


@pytest.mark.usefixtures("forked")
def test_a_worker_that_dies_is_replaced_and_when_workers_die_again_and_again_the_run_ends(tmp_path: Path) -> None:
    found: list[int] = []
    job = Job(tmp_path / "x", give_up, (str(tmp_path / "died"),), lambda _, value: found.append(value), "a test")
    assert [done.title for done in ProcessPool(2).do([job])] == ["a test"]
    assert found == [7]
    with pytest.raises(WorkerError, match="while they worked on a test"):
        list(ProcessPool(2).do([job._replace(work=give_up_always, arguments=())]))


def test_a_run_stops_after_its_minutes_is_resumed_and_can_be_made_longer(tmp_path: Path) -> None:
    learn(tmp_path / "run", SMALLEST, resume=False, watch=Watch(minutes=1e-9))
    assert not (tmp_path / "run" / "network.safetensors").exists()
    assert learn(tmp_path / "run", None, resume=True).exists()
    learn(tmp_path / "run", replace(SMALLEST, rounds=2), resume=True)
    learn(tmp_path / "other", replace(SMALLEST, rounds=2), resume=False)
    assert networks(tmp_path / "run") == networks(tmp_path / "other")


def test_a_run_begins_with_a_network_and_learns_to_beat_another(run: Path, tmp_path: Path) -> None:
    plan = replace(SMALLEST, start=str(run / "network.safetensors"), rival="learned", rounds=1)
    learn(tmp_path / "run", plan, resume=False)
    wins = OddVilleFolder(tmp_path / "run").report(plan.stages()[0])["wins"]["2"]
    assert set(wins) == {"greedy", "greedy:weights=simple", "rival"}
    with pytest.raises(PlanError, match="needs rounds"):
        replace(plan, rounds=0)


def test_a_damaged_network_of_a_stage_does_not_replace_that_of_the_run(run: Path, tmp_path: Path) -> None:
    folder = Path(shutil.copytree(run, tmp_path / "run"))
    published = (folder / "network.safetensors").read_bytes()
    last = OddVilleFolder(folder).plan().stages()[-1]
    (OddVilleFolder(folder).stage(last) / "network.safetensors").write_bytes(published[:-4])
    with pytest.raises(NetworkError, match="is damaged"):
        learn(folder, None, resume=True)
    assert (folder / "network.safetensors").read_bytes() == published


@pytest.mark.parametrize(
    ("game", "plan", "read"),
    [
        (
            OddVilleSelfPlay,
            Plan(rounds=MOST_ROUNDS, search_rounds=MOST_ROUNDS, value_rounds=MOST_ROUNDS, value_games=(2,), sims=1),
            lambda path: load(path, make_box(2)),
        ),
        (OldTownSelfPlay, OldTownPlan(players=(4,), rounds=MOST_ROUNDS, games=(1,), share=1.0), load_oldtown),
    ],
    ids=["oddville", "oldtown"],
)
def test_games_of_the_last_stage_that_a_plan_may_have_are_read_again(
    game: Any, plan: SelfPlayPlan, read: Callable[[Path], Any], tmp_path: Path
) -> None:
    stage = plan.stages()[-1]
    (part,) = plan.parts(stage)
    noted = game.play_part(plan, stage, part, ())
    game.save(tmp_path / "games.npz", noted)
    assert np.array_equal(read(tmp_path / "games.npz").games, noted.games)


def test_folders_of_other_runs_are_refused(run: Path, tmp_path: Path) -> None:
    for folder, plan, resume, sentence in (
        (run, TINY, False, "already holds a run"),
        (run, replace(TINY, seed=1), True, "other settings: seed"),
        (run, replace(TINY, rounds=2), True, "is beyond its rounds: they stay 1"),
        (tmp_path / "nothing", TINY, True, "holds no run"),
    ):
        with pytest.raises(PlanError, match=sentence):
            learn(folder, plan, resume=resume)
    for named in ({"rival": "nowhere.safetensors"}, {"cards": ("nowhere",)}, {"cards": ("drawn:x",)}):
        with pytest.raises(GameError, match=r"nowhere|drawn:"):
            learn(tmp_path / "run", replace(SMALLEST, **named), resume=False)
    assert not (tmp_path / "run").exists()


def test_every_stage_says_how_it_went_and_games_that_no_fit_needs_are_gone(run: Path) -> None:
    files_of_run = OddVilleFolder(run)
    for stage in TINY.stages():
        report = files_of_run.report(stage)
        assert set(report["wins"]) == {"2", "3"}
        assert {"greedy", "greedy:weights=simple"} <= set(report["wins"]["2"])
        assert set(report["loss"]["after"]) == set(report["rows"])
    assert make_agent(f"champion:network={run / 'network.safetensors'}") is not None
    assert {path.parent.name for path in run.rglob("games-*.npz")} == {"value-0001"}
    for players, games in zip(TINY.players, TINY.value_games, strict=True):  # a value round has numbers of its own
        noted = load(run / "stages" / "value-0001" / f"games-{players}-00000.npz", make_box(players)).games
        assert games / 2 < len(np.unique(noted)) <= games


@pytest.mark.parametrize("kind", [Plan, OldTownPlan])
def test_presets_are_plans(kind: type[SelfPlayPlan]) -> None:
    for name in kind.preset_names():
        preset = kind.preset(name)
        assert kind.of(preset.as_plain()) == preset
        assert preset.only(preset.players[-1]).players == preset.players[-1:]


def test_a_plan_that_no_run_can_have_is_told_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    for text, sentence in (
        ("sead = 1", "there is no setting 'sead'"),
        ("seed = -1", "seed must be a whole number"),
        ("players = [2, 3]", "warm_games must have a number for each of players"),
        ("players = [2, 2]", "name each number once"),
        ("players = 2", "players must be a list"),
        ("seed = ", "is no TOML file"),
    ):
        path.write_text(text)
        with pytest.raises(PlanError, match=sentence) as told:
            Plan.read(path)
        assert str(path) in str(told.value)
        assert "\n" not in str(told.value)
