"""Benchmarks of learners."""

import json
from dataclasses import replace
from functools import partial
from importlib import import_module
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from oddville_agents import Agent, make_agent
from oddville_env.core.errors import SettingError
from oddville_env.core.game.game_type import game_type
from oddville_training.tournament.evaluate import evaluate

BENCHMARKS = Path(__file__).resolve().parents[2] / "training" / "benchmarks"


@pytest.fixture(scope="module")
def scripts() -> Any:
    """The benchmarks are scripts: their folder is where they look for each other."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(BENCHMARKS))
        yield SimpleNamespace(learners=import_module("learners"), baselines=import_module("baselines"))


Found = dict[tuple[str, int], dict[str, dict[str, dict[str, float]]]]
"""By learner and seed: what was won, by minutes and opponent."""


def found_in(folder: Path) -> Found:
    runs = json.loads((folder / "results.json").read_text())["runs"]
    return {(run["learner"], run["seed"]): run["found"] for run in runs}


@pytest.fixture
def quick(scripts: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """Measures learners against two opponents, whose games and curves take little time; what is found."""
    monkeypatch.setitem(scripts.baselines.OPPONENTS, "oddville", ("random", "greedy"))

    def measure(folder: Path, minutes: str = "0.5,1", seeds: int = 1, **learners: Any) -> Found:
        monkeypatch.setattr(scripts.baselines, "LEARNERS", learners)
        scripts.baselines.main("oddville", minutes, 2, ",".join(learners), seeds, folder)
        return found_in(folder)

    return measure


def greedy(game: str, seed: int, folder: Path, recorder: object) -> None:
    """A learner that knows all it will ever know at once."""
    recorder(make_agent("greedy", game))


def test_the_last_agent_before_a_budget_is_spent_is_kept(scripts: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(scripts.learners.time, "process_time", lambda: now)
    told: list[float] = []
    recorder = scripts.learners.Recorder([1, 2], told.append)
    agents: list[Agent] = [make_agent("greedy") for _ in range(5)]
    for agent, seconds in zip(agents, (10, 10.5, 59, 61, 121), strict=True):
        now = 100.0 + seconds
        agent.name = f"after {seconds}"
        recorder(agent)
    assert {budget: agent.name for budget, agent in recorder.kept.items()} == {1: "after 59", 2: "after 61"}
    assert told == [10, 59, 61, 121]  # the second one came too soon after the first
    assert recorder.is_over


@pytest.mark.parametrize("game", ["oddville", "oldtown"])
def test_a_learner_and_all_opponents_are_measured_against_all_of_them(
    game: str, scripts: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Its first agent is there after a tenth of the time: no machine is ten times as slow."""
    make_little(scripts.learners, game, monkeypatch)
    monkeypatch.setattr(scripts.baselines, "MOMENT", 1e-4)
    scripts.baselines.main(game, "0.005", 2, "MaskablePPO on summary", 1, tmp_path)
    found, opponents = found_in(tmp_path), set(scripts.baselines.OPPONENTS[game])
    assert found.keys() == {(name, 0) for name in opponents} | {("MaskablePPO on summary", 1)}
    assert all(against.keys() == opponents for by_minutes in found.values() for against in by_minutes.values())
    assert found["random", 0]["0"]["random"]["games"] == 2
    assert "|MaskablePPO on summary|0.005|1|" in (tmp_path / "table.md").read_text()
    for picture in ("curves", "profiles"):
        assert "MaskablePPO on summary" in (tmp_path / f"{picture}-{game}.svg").read_text()


@pytest.mark.parametrize("game", ["oddville", "oldtown"])
@pytest.mark.parametrize("name", [
    "MaskablePPO on features",
    "MaskablePPO on summary with potential",
    "train",
    "afterstates",
    "selfplay_ppo",
    "entities_ppo",
    "selfplay",
])  # fmt: skip
def test_what_a_learner_shows_plays_its_game(
    name: str, game: str, scripts: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    make_little(scripts.learners, game, monkeypatch)

    class Shown(Exception):  # noqa: N818
        """Ends learning with the first agent."""

    class Recorder(scripts.learners.Recorder):
        def __call__(self, agent: Agent) -> None:
            raise Shown(agent)

    with pytest.raises(Shown) as shown:
        scripts.learners.LEARNERS[name](game, 0, tmp_path / "run", Recorder([60]))
    found = evaluate(shown.value.args[0], ["random"], 2, game=game_type(game), progress=False)
    assert found.against[0].games == 2


def make_little(learners: Any, game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Little is done before the first look at the clock, and something is learned in the time there is."""
    plans = learners.SELF_PLAY[game].FOLDER.PLAN
    plan = replace(plans.preset("quick"), warm_games=(8,), games=(2,), batch=64)
    monkeypatch.setattr(plans, "preset", lambda name: plan)
    config = partial(learners.TrainConfig, taught=64, envs=4, rollout=16, batch=32, opponents=("random",))
    monkeypatch.setattr(learners, "TrainConfig", config)
    monkeypatch.setitem(learners.sb3_summary_ppo.ENVS, game, 4)
    for example in (learners.selfplay_ppo, learners.afterstates_td):
        monkeypatch.setattr(example, "GAMES", 16)
        monkeypatch.setattr(example, "BATCH", 64)


def test_an_interrupted_comparison_keeps_its_finished_runs_and_goes_on(quick: Any, tmp_path: Path) -> None:
    def only(wanted: int) -> Any:
        def learn(game: str, seed: int, *others: Any) -> None:
            if seed != wanted:
                raise KeyboardInterrupt
            greedy(game, seed, *others)

        return learn

    with pytest.raises(KeyboardInterrupt):
        quick(tmp_path, seeds=2, first=only(1), second=greedy)
    before = found_in(tmp_path)
    assert before.keys() == {("random", 0), ("greedy", 0), ("first", 1), ("second", 1)}
    assert "beats second" not in (tmp_path / "table.md").read_text()
    found = quick(tmp_path, seeds=2, first=greedy, second=only(2))
    assert found.items() > before.items()
    assert found.keys() - before.keys() == {("first", 2), ("second", 2)}
    assert "|run of|beats first|beats second|" in (tmp_path / "table.md").read_text()
    run = json.loads((tmp_path / "results.json").read_text())["runs"][-1]
    assert all(run[how] for how in ("command", "commit", "date", "machine"))


@pytest.mark.parametrize(("change", "told"), [
    ({"version": 1}, "holds no results of baselines, expected format 'oddville-baselines', version 2"),
    ({"settings": {"minutes": [5.0], "games": 2}}, r"holds results with minutes \[5.0\], not \[0.5, 1.0\]"),
    ({"settings": 3}, "settings must be of the class dict, not 3"),
    ({"runs": [3]}, "a run must be an object, not 3"),
    ({"learner": "nobody"}, "learner must be one of random, greedy, first, not 'nobody'"),
    ({"found": {"1": {"greedy": {"games": 2}}}}, "found must be an object"),
    ({"found": {"1": {}, "2": {"greedy": {"games": 2, "wins": 0, "low": 0, "high": 0}}}}, "first must have played"),
])  # fmt: skip
def test_a_file_of_other_results_ends_in_a_sentence(change: dict, told: str, quick: Any, tmp_path: Path) -> None:
    quick(tmp_path, first=greedy)
    plain = json.loads((tmp_path / "results.json").read_text())
    (plain if change.keys() <= plain.keys() else plain["runs"][-1]).update(change)
    (tmp_path / "results.json").write_text(json.dumps(plain))
    with pytest.raises(SettingError, match=told):
        quick(tmp_path, first=greedy)


def test_learner_without_an_agent_in_time_is_reported(quick: Any, tmp_path: Path) -> None:
    assert quick(tmp_path, slow=lambda *arguments: None)["slow", 1] == {"0.5": {}, "1": {}}
    assert "|slow|0.5|0|no agent yet|" in (tmp_path / "table.md").read_text()


@pytest.mark.parametrize(("words", "told"), [
    ({"minutes": "5,x"}, "--minutes must be numbers above 0 such as 5,20, not '5,x'"),
    ({"minutes": "0"}, "--minutes must be numbers above 0"),
    ({"learners": "nobody"}, "there is no learner 'nobody', expected some of MaskablePPO on features"),
    ({"game": "chess"}, "--game must be one of oddville, oldtown, not 'chess'"),
])  # fmt: skip
def test_impossible_options_end_in_a_sentence(words: dict[str, str], told: str, scripts: Any, tmp_path: Path) -> None:
    asked = {"game": "oddville", "minutes": "5", "games": 2, "learners": "train", "seeds": 1} | words
    with pytest.raises(SettingError, match=told):
        scripts.baselines.main(**asked, folder=tmp_path / "new")
    assert not (tmp_path / "new").exists()


def test_policy_of_the_gpu_benchmark_plays_games_on_the_cpu(scripts: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    gpu = import_module("gpu")
    monkeypatch.setattr(gpu, "SECONDS", 0.0)
    rate, parts = gpu.measure(gpu.OddVilleSelfPlayEnv(8, encoding="summary"), "cpu")
    assert rate == pytest.approx(8 / (sum(parts) / 1e6))
    assert min(parts) > 0
