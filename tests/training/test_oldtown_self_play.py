"""Old Town's self-play: stage after stage, in a folder that can be gone on with to the same networks."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from oddville_agents import make_agent
from oddville_agents.oldtown.heuristic.weights import weight_set
from oddville_agents.oldtown.value.network import SIZE, TENSORS
from oddville_env.core.errors import SettingError
from oddville_env.core.game.seeds import game_seeds
from oddville_env.oldtown.game_type import OLDTOWN
from oddville_env.oldtown.settings import make_box
from oddville_training.oldtown.selfplay.games import HEURISTIC, Deals, Noted, play_games
from oddville_training.oldtown.selfplay.network import Rows, chances, fit, new_network, take_over, tensors_of
from oddville_training.oldtown.selfplay.plan import Plan
from oddville_training.oldtown.selfplay.positions import evaluator_of, load, save
from oddville_training.oldtown.selfplay.stages import OldTownSelfPlay, calibration, run, td_targets
from oddville_training.selfplay import plan as plans
from oddville_training.selfplay.fit import FitParams
from oddville_training.selfplay.plan import MOST_ROUNDS, PlanError
from oddville_training.selfplay.run import SelfPlayResult
from support.value_twins import odds_of

SMALL = """players = [2, 3]
warm_games = [9, 7]
rounds = 2
games = [5, 3]
batch = 16
evaluation = 12
"""


PART = 3  # games: 6 parts of the first stage, 3 of each round


@pytest.fixture(autouse=True)
def _small(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(plans, "PART_GAMES", PART)
    (tmp_path / "small.toml").write_text(SMALL)
    monkeypatch.chdir(tmp_path)


def learned(folder: str, resume: bool = False, minutes: float | None = None, **typed: Any) -> SelfPlayResult:
    return run(OLDTOWN, Path(folder), {"workers": 1, **typed}, resume, minutes)


def begun(folder: str, **typed: Any) -> SelfPlayResult:
    return learned(folder, config=Path("small.toml"), **typed)


@pytest.fixture(scope="module")
def whole_run(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, SelfPlayResult]:
    """The folder of a run that nothing disturbed, not to be changed, and what it told of a folder `run`."""
    folder = tmp_path_factory.mktemp("runs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plans, "PART_GAMES", PART)
        patch.chdir(folder)
        Path("small.toml").write_text(SMALL)
        return folder / "run", begun("run")


@pytest.fixture
def finished(whole_run: tuple[Path, SelfPlayResult]) -> SelfPlayResult:
    """A copy of it in `run`; what it told."""
    shutil.copytree(whole_run[0], "run")
    return whole_run[1]


def test_a_run_leaves_a_network_that_plays_and_reports_of_all_stages(finished: SelfPlayResult) -> None:
    found = finished
    assert str(found.model) == "champion:network=run/network.safetensors"
    assert found[1:] == (False, {"players": 2, "settings": {}}, ())
    assert make_agent(found.model, "oldtown").name == "champion"
    reports = [json.loads(path.read_text()) for path in sorted(Path("run").glob("stages/*/report.json"))]
    assert len(reports) == 3
    assert all(set(report["against_heuristic"]) == {"2", "3"} and report["rows"] > 0 for report in reports)


@pytest.mark.usefixtures("finished")
def test_a_report_says_for_each_number_of_players_how_true_the_chances_are() -> None:
    report = json.loads(Path("run/stages/0002/report.json").read_text())
    assert set(report["calibration"]) == {"2", "3"}
    rows = {name: sum(line["rows"] for line in found["table"]) for name, found in report["calibration"].items()}
    losses = [rows[name] * found["log_loss"] for name, found in report["calibration"].items()]
    assert sum(losses) / sum(rows.values()) == pytest.approx(report["log_loss"])


def test_a_reliability_table_says_what_was_won_where_a_chance_was_said() -> None:
    said, wins = np.array([0.22, 0.28, 0.71, 0.75, 1.0]), np.array([0.0, 0.5, 1.0, 0.0, 1.0])
    found = calibration(said, wins)
    assert found["table"] == [
        {"rows": 2, "said": pytest.approx(0.25), "won": 0.25},
        {"rows": 2, "said": pytest.approx(0.73), "won": 0.5},
        {"rows": 1, "said": 1.0, "won": 1.0},
    ]
    assert found["error"] == pytest.approx(2 / 5 * 0.23)
    assert found["even_log_loss"] == pytest.approx(np.log(2))
    assert calibration(said[:1], wins[:1])["log_loss"] == pytest.approx(-np.log(0.78))


def break_off_after(parts: int, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]) -> None:
    play, left = OldTownSelfPlay.play_part, [parts]

    def play_part(*arguments: Any) -> Noted:
        if left[0] == 0:
            raise error
        left[0] -= 1
        return play(*arguments)

    monkeypatch.setattr(OldTownSelfPlay, "play_part", staticmethod(play_part))


@pytest.mark.parametrize(("parts", "error"), [(8, KeyboardInterrupt), (3, MemoryError)])
def test_interrupted_run_resumes_to_the_same_networks(
    whole_run: tuple[Path, SelfPlayResult],
    monkeypatch: pytest.MonkeyPatch,
    parts: int,
    error: type[BaseException],
) -> None:
    whole = whole_run[0]
    with monkeypatch.context() as patch:
        break_off_after(parts, patch, error)
        if error is KeyboardInterrupt:
            assert begun("broken").interrupted
        else:
            with pytest.raises(error):
                begun("broken")
    assert not learned("broken", resume=True).interrupted
    for path in sorted(whole.glob("stages/*/network.safetensors")):
        assert (Path("broken") / path.relative_to(whole)).read_bytes() == path.read_bytes()


def test_what_is_finished_is_not_made_again(finished: SelfPlayResult, monkeypatch: pytest.MonkeyPatch) -> None:
    break_off_after(0, monkeypatch, AssertionError)
    assert learned("run", resume=True) == finished


@pytest.mark.usefixtures("finished")
def test_run_killed_before_its_report_makes_the_same_network_again() -> None:
    network, stages = Path("run/network.safetensors"), Path("run/stages")
    before = network.read_bytes()
    (stages / "0002" / "report.json").unlink()
    network.write_bytes((stages / "0001" / "network.safetensors").read_bytes())
    assert network.read_bytes() != before
    assert not learned("run", resume=True).interrupted
    assert network.read_bytes() == before


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"best_response": "champion"}, "--best-response does not apply to self-play of Old Town"),
        ({"players": 5}, "players"),
        ({"seed": -1}, "seed"),
    ],
)
def test_what_no_run_can_be_is_told_in_a_sentence(typed: dict[str, Any], sentence: str) -> None:
    with pytest.raises((SettingError, PlanError), match=sentence):
        learned("run", **typed)
    assert not Path("run").exists()


def test_games_of_the_last_round_that_a_plan_may_have_are_read_again(tmp_path: Path) -> None:
    plan = Plan(players=(4,), rounds=MOST_ROUNDS, games=(1,), share=1.0)
    stage = plan.stages()[-1]
    (part,) = plan.parts(stage)
    noted = OldTownSelfPlay.play_part(plan, stage, part, ())
    save(tmp_path / "games.npz", noted)
    assert np.array_equal(load(tmp_path / "games.npz").games, noted.games)


@pytest.mark.usefixtures("finished")
@pytest.mark.parametrize("change", [{"seats": 7}, {"wins": np.nan}, {"games": -1}])
def test_games_that_cannot_be_are_told_with_their_file(change: dict[str, float]) -> None:
    path = next(Path("run").glob("stages/0002/games-2-*.npz"))
    with np.load(path) as stored:
        arrays = {name: stored[name] for name in stored}
    for name, value in change.items():
        arrays[name][0] = value
    np.savez(path, **arrays)
    (Path("run") / "stages" / "0002" / "report.json").unlink()
    with pytest.raises(PlanError, match=rf"{path.name}.*{next(iter(change))}"):
        learned("run", resume=True)


def test_targets_look_back_from_the_end_for_each_seat() -> None:
    """Seat 0 sees rows 0, 2 and 3 of a game that it won; seat 1 sees row 1; the last row is of another game."""
    noted = Noted(np.zeros((5, 1)), np.array([0, 1, 0, 0, 0]), np.array([7, 7, 7, 7, 8]), np.array([1.0, 0, 1, 1, 0]))
    found = np.array([0.1, 0.2, 0.4, 0.6, 0.8])
    last = 0.5 * 1.0 + 0.5 * 0.6
    assert td_targets(noted, found, 0.5).tolist() == pytest.approx([0.5 * last + 0.5 * 0.4, 0, last, 1, 0])
    assert td_targets(noted, found, 1.0).tolist() == noted.wins.tolist()


def test_games_do_not_depend_on_those_before_and_strays_are_legal() -> None:
    box, seeds = make_box(3), game_seeds(5, 6)
    deals = Deals(seeds, np.full((6, 3), HEURISTIC, np.int8), np.resize([0.0, 0.5], 6), 0, 0.5)
    noted, wins = play_games(box, weight_set("tuned", 3), evaluator_of(), deals)
    assert wins.sum(1) == pytest.approx(np.ones(6))
    assert np.isfinite(noted.seen).all()
    one = deals._replace(seeds=seeds[3:4], policies=deals.policies[3:4], strays=deals.strays[3:4])
    alone, won = play_games(box, weight_set("tuned", 3), evaluator_of(), one)
    assert np.array_equal(alone.seen, noted.seen[noted.games == 3])
    assert np.array_equal(won[0], wins[3])


def test_torch_and_the_twin_say_the_same_and_tensors_are_taken_over() -> None:
    rng = np.random.default_rng(0)
    seen = rng.normal(size=(40, TENSORS["plain"][0])).astype(np.float16)
    network = new_network(seen, 1)
    with torch.no_grad():
        for parameter in network.parameters():
            parameter.copy_(torch.from_numpy(rng.normal(0, 0.2, parameter.shape)))
    tensors = tensors_of(network)
    assert {name: tensor.shape for name, tensor in tensors.items()} == TENSORS
    odds = np.array([odds_of(tensors, row.astype(np.float32)) for row in seen])
    assert chances(network, seen) == pytest.approx(1 / (1 + np.exp(-odds)), abs=1e-4)
    other = new_network(seen * np.float16(2), 2)
    take_over(other, tensors)
    assert chances(other, seen) == pytest.approx(chances(network, seen), abs=1e-4)


def test_the_extra_train_is_enough_for_self_play() -> None:
    foreign = ("polars", "ray", "resvg_py", "pygame", "starlette", "uvicorn", "websockets", "jsonschema")
    module = "oddville_training.oldtown.selfplay.stages"
    code = f"import sys; sys.modules.update(dict.fromkeys({foreign})); import {module}"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def test_fewer_rows_than_a_batch_leave_the_network_as_it_is() -> None:
    rows = Rows(np.ones((3, SIZE), np.float16), np.ones(3, np.float32), np.arange(1, 4))
    network = new_network(rows.seen, 0)
    before = tensors_of(network)
    fit(network, rows, FitParams(batch=64), 0)
    assert all(np.array_equal(tensor, before[name]) for name, tensor in tensors_of(network).items())
