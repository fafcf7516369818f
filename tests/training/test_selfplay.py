"""Self-play of both games: from nothing, the same for equal seeds wherever it is played, resumed after any kill."""

import json
import os
import shutil
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest

from oddville_agents import make_agent
from oddville_agents.tensors import NetworkError
from oddville_env import MINI, GameError, SettingError
from oddville_env.core.disk import files
from oddville_env.core.disk.files import unfinished_name
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oddville.settings import make_box
from oddville_env.oldtown.game_type import OLDTOWN
from oddville_training.oddville.selfplay import parts
from oddville_training.oddville.selfplay.plan import OddVilleFolder, Plan
from oddville_training.oddville.selfplay.positions import load
from oddville_training.oddville.selfplay.stages import OddVilleSelfPlay, learn
from oddville_training.oddville.selfplay.stages import run as oddville_command
from oddville_training.oldtown.selfplay import games as oldtown_games
from oddville_training.oldtown.selfplay import stages as oldtown
from oddville_training.oldtown.selfplay.plan import Plan as OldTownPlan
from oddville_training.processes.pools import Job, ProcessPool, WorkerError
from oddville_training.selfplay import plan as plans
from oddville_training.selfplay.plan import MOST_ROUNDS, PlanError, SelfPlayPlan
from oddville_training.selfplay.run import SelfPlay, Watch
from support.shadows import ran, write_shadows
from support.training.deadly_jobs import give_up, give_up_always
from support.training.small_selfplay import OLDTOWN_TINY, TINY, networks

SMALLEST = replace(TINY.only(2), rounds=1, search_rounds=0, value_rounds=0)
GONE = 2**22 + 1  # no process has such a number


class SmallRun(NamedTuple):
    """How a game learns, and its tiny plan."""

    kind: type[SelfPlay[Any]]
    learn: Any
    plan: SelfPlayPlan


RUNS = {
    "oddville": SmallRun(OddVilleSelfPlay, learn, TINY),
    "oldtown": SmallRun(oldtown.OldTownSelfPlay, oldtown.learn, OLDTOWN_TINY),
}
every_game = pytest.mark.parametrize("name", RUNS)


@pytest.fixture(scope="module", autouse=True)
def _parts() -> Any:
    """Several parts of each stage."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plans, "PART_GAMES", 4)
        yield


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """The folders of the tiny runs, done and not to be changed."""
    folder = tmp_path_factory.mktemp("runs")
    return {name: small.learn(folder / name, small.plan, resume=False).parent for name, small in RUNS.items()}


@pytest.fixture
def run(runs: dict[str, Path]) -> Path:
    return runs["oddville"]


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


@every_game
@pytest.mark.parametrize(
    "numbers", [(0, 3, 3), *(pytest.param((more,), marks=pytest.mark.slow) for more in (1, 4, 6, 9))]
)
def test_run_killed_before_any_file_resumes_to_the_same_networks(
    name: str, numbers: tuple[int, ...], runs: dict[str, Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder, (_, learn, plan) = tmp_path / "run", RUNS[name]
    for number in numbers:
        with monkeypatch.context() as patch:
            killed_before(number, patch)
            with pytest.raises(Killed):
                learn(folder, plan, resume=(folder / "plan.json").exists())
    learn(folder, plan, resume=True)
    assert networks(folder) == networks(runs[name])


@every_game
@pytest.mark.parametrize("lost", [[], ["report.json"]], ids=["fitted", "without its report"])
def test_run_killed_before_publishing_publishes_the_same(name: str, lost: list[str], runs: Any, tmp_path: Path) -> None:
    folder, (kind, learn, plan) = Path(shutil.copytree(runs[name], tmp_path / "run")), RUNS[name]
    before, (*_, one, last) = (folder / "network.safetensors").read_bytes(), plan.stages()
    stage = kind.FOLDER(folder).stage
    for file in lost:
        (stage(last) / file).unlink()
    shutil.copy(stage(one) / "network.safetensors", folder)
    unfinished_name(folder / "network.safetensors", GONE).touch()
    assert learn(folder, None, resume=True).read_bytes() == before
    assert not list(folder.rglob(".*"))


@every_game
def test_finished_run_is_kept_and_plays(name: str, runs: dict[str, Path], monkeypatch: pytest.MonkeyPatch) -> None:
    kind, learn, plan = RUNS[name]
    for work in ("play_part", "fit"):
        monkeypatch.setattr(kind, work, None)
    network = learn(runs[name], plan, resume=True)
    assert make_agent(f"champion:network={network}", name).name == "champion"


@pytest.mark.usefixtures("forked")
def test_result_does_not_depend_on_the_workers(run: Path, tmp_path: Path) -> None:
    """Stages that search are played by others in Ray's test, and change none before them."""
    learn(tmp_path / "run", replace(TINY, search_rounds=0, value_rounds=0), resume=False, workers=ProcessPool(2).do)
    found, expected = networks(tmp_path / "run" / "stages"), networks(run / "stages")
    assert (len(found), {name: expected[name] for name in found}) == (1 + TINY.rounds, found)


FOREIGN = ("polars", "ray", "resvg_py", "pygame", "starlette", "uvicorn", "websockets", "jsonschema")


@pytest.mark.parametrize(("missing", "modules"), [
    ((*FOREIGN, "torch"), "oddville.selfplay.parts oldtown.selfplay.games"), (FOREIGN, "oldtown.selfplay.stages"),
], ids=["workers need no torch", "the extra train is enough"])  # fmt: skip
def test_self_play_needs_no_more_modules(missing: tuple[str, ...], modules: str) -> None:
    imported = ", ".join(f"oddville_training.{module}" for module in modules.split())
    code = f"import sys; sys.modules.update(dict.fromkeys({missing})); import {imported}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_ray_plays_the_same_run_and_games_though_a_worker_is_killed_and_loads_no_shadow(run: Path, here: Path) -> None:
    """One Ray for all: it takes long to start, and so do its workers."""
    import ray

    from oddville_training.tournament import executors, tournament
    from oddville_training.tournament.config import tournament_config
    from oddville_training.tournament.manifest import GAMES
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
    assert ([done.title for done in ProcessPool(2).do([job])], found) == (["a test"], [7])
    with pytest.raises(WorkerError, match="while they worked on a test"):
        list(ProcessPool(2).do([job._replace(work=give_up_always, arguments=())]))


def test_a_run_that_was_stopped_can_be_made_longer(tmp_path: Path) -> None:
    learn(tmp_path / "run", SMALLEST, resume=False, watch=Watch(minutes=1e-9))
    assert not (tmp_path / "run" / "network.safetensors").exists()
    for folder, resume in (("run", True), ("other", False)):
        learn(tmp_path / folder, replace(SMALLEST, rounds=2), resume=resume)
    assert networks(tmp_path / "run") == networks(tmp_path / "other")


def test_a_run_begins_with_a_network_and_learns_to_beat_another(run: Path, tmp_path: Path) -> None:
    plan = replace(SMALLEST, start=str(run / "network.safetensors"), rival="learned", rounds=1)
    learn(tmp_path / "run", plan, resume=False)
    report = OddVilleFolder(tmp_path / "run").report(plan.stages()[0])
    assert set(report["wins"]["2"]) == {"greedy", "greedy:weights=simple", "rival"}
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


@pytest.mark.parametrize(("game", "plan", "read"), [
    (
        OddVilleSelfPlay,
        Plan(rounds=MOST_ROUNDS, search_rounds=MOST_ROUNDS, value_rounds=MOST_ROUNDS, value_games=(2,), sims=1),
        lambda path: load(path, make_box(2)),
    ),
    (oldtown.OldTownSelfPlay, OldTownPlan(players=(4,), rounds=MOST_ROUNDS, games=(1,), share=1.0), oldtown_games.load),
], ids=["oddville", "oldtown"])  # fmt: skip
def test_games_of_the_last_stage_are_read_again(game: Any, plan: SelfPlayPlan, read: Any, tmp_path: Path) -> None:
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
    with pytest.raises(GameError, match="--best-response does not apply to self-play of Old Town"):
        oldtown.run(OLDTOWN, tmp_path / "run", {"workers": 1, "best_response": "champion"}, False, None)
    assert not (tmp_path / "run").exists()


def test_every_stage_of_old_town_says_how_strong_its_network_is_and_how_true_its_chances_are(runs: Any) -> None:
    reports = [json.loads(path.read_text()) for path in sorted(runs["oldtown"].glob("stages/*/report.json"))]
    assert len(reports) == 3
    for report in reports:
        assert set(report["against_heuristic"]) == set(report["calibration"]) == {"2", "3"}
        rows = {name: sum(line["rows"] for line in found["table"]) for name, found in report["calibration"].items()}
        losses = [rows[name] * found["log_loss"] for name, found in report["calibration"].items()]
        assert sum(losses) / sum(rows.values()) == pytest.approx(report["log_loss"])


def test_every_stage_says_how_it_went_and_games_that_no_fit_needs_are_gone(run: Path) -> None:
    files_of_run = OddVilleFolder(run)
    for stage in TINY.stages():
        report = files_of_run.report(stage)
        assert set(report["wins"]) == {"2", "3"}
        assert {"greedy", "greedy:weights=simple"} <= set(report["wins"]["2"])
        assert set(report["loss"]["after"]) == set(report["rows"])
    assert {path.parent.name for path in run.rglob("games-*.npz")} == {"value-0001"}
    for players, games in zip(TINY.players, TINY.value_games, strict=True):  # a value round has numbers of its own
        noted = load(run / "stages" / "value-0001" / f"games-{players}-00000.npz", make_box(players)).games
        assert games / 2 < len(np.unique(noted)) <= games


@pytest.mark.parametrize("kind", [Plan, OldTownPlan])
def test_presets_are_plans(kind: type[SelfPlayPlan]) -> None:
    for name in kind.preset_names():
        preset = kind.preset(name)
        assert kind.of(preset.as_plain()) == kind.of(preset.as_stored()) == preset
        assert preset.only(preset.players[-1]).players == preset.players[-1:]


def test_preset_mini_is_mini_and_stores_no_default(run: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    plan, games = Plan.preset("mini"), {name: (30,) for name in ("warm_games", "games")}
    small = replace(plan, rounds=1, evaluation=12, batch=64, **games)
    assert make_box(2, **plan.settings(parts.card_sets(plan.cards)[0])) is make_box(**MINI)
    learn(tmp_path / "run", small, resume=False)
    (part,) = (tmp_path / "run/stages/round-0001").glob("games-*.npz")
    boxes: list[Any] = []
    monkeypatch.setattr(parts, "play_games", lambda box, *_: boxes.append(box) or np.zeros(12, int))
    network = OddVilleFolder(tmp_path / "run").read_network(small.stages()[-1])
    assert parts.evaluate(small, 2, network, {"greedy": None})["greedy"]["won"] == 0.5
    result = oddville_command(ODDVILLE, tmp_path / "run", {}, resume=True, minutes=None)
    assert [*boxes, make_box(2, **result.settings["settings"])] == [make_box(**MINI)] * 2
    with pytest.raises(PlanError, match="max_rounds is 8 there, not 9"):
        learn(tmp_path / "run", replace(small, max_rounds=9), resume=True)
    assert len(np.unique(load(part, make_box(**MINI)).games)) > 15
    assert {"table", "max_rounds"} <= json.loads((tmp_path / "run/plan.json").read_text()).keys()
    assert not {"table", "max_rounds"} & Plan().as_stored().keys()
    assert b"max_rounds" in (tmp_path / "run/network.safetensors").read_bytes()
    assert b"max_rounds" not in (run / "network.safetensors").read_bytes()
    with pytest.raises(SettingError, match="number of columns must be odd"):
        learn(tmp_path / "even", replace(plan, table=(4, 3)), resume=False)
    assert not (tmp_path / "even").exists()


def test_a_plan_that_no_run_can_have_is_told_in_a_sentence(tmp_path: Path) -> None:
    path = tmp_path / "plan.toml"
    for text, sentence in (
        ("sead = 1", "there is no setting 'sead'"),
        ("seed = -1", "seed must be a whole number"),
        ("players = [2, 3]", "warm_games must have a number for each of players"),
        ("players = [2, 2]", "name each number once"),
        ("players = 2", "players must be a list"),
        ("seed = ", "is not a TOML file"),
    ):
        path.write_text(text)
        with pytest.raises(PlanError, match=sentence) as told:
            Plan.read(path)
        assert str(path) in str(told.value)
        assert "\n" not in str(told.value)
