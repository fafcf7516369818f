"""Old Town's self-play: stage after stage, in a folder that resumes to the same networks."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from oddville_agents import make_agent
from oddville_agents.oldtown.heuristic.weights import weight_set
from oddville_agents.oldtown.value.network import SIZE, TENSORS
from oddville_env.core.errors import GameError
from oddville_env.core.game.seeds import game_seeds
from oddville_env.oldtown.game_type import OLDTOWN
from oddville_env.oldtown.settings import make_box
from oddville_training.oldtown.selfplay.games import HEURISTIC, Deals, Noted, evaluator_of, load, play_games, save
from oddville_training.oldtown.selfplay.network import Rows, chances, fit, new_network, take_over, tensors_of
from oddville_training.oldtown.selfplay.plan import Plan
from oddville_training.oldtown.selfplay.stages import OldTownSelfPlay, calibration, learn, run, td_targets
from oddville_training.selfplay import plan as plans
from oddville_training.selfplay.fit import FitParams
from oddville_training.selfplay.plan import PlanError
from oddville_training.selfplay.run import SelfPlayResult
from support.value_twins import odds_of

SMALL = Plan(players=(2, 3), warm_games=(9, 7), rounds=2, games=(5, 3), batch=16, evaluation=12)


@pytest.fixture(scope="module", autouse=True)
def _parts() -> Iterator[None]:
    """Six parts of the first stage, three of each round."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(plans, "PART_GAMES", 3)
        yield


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a run that nothing disturbed, not to be changed."""
    return learn(tmp_path_factory.mktemp("runs") / "run", SMALL, resume=False).parent


@pytest.fixture
def finished(whole: Path, tmp_path: Path) -> Path:
    """A copy of it."""
    return Path(shutil.copytree(whole, tmp_path / "run"))


def command(folder: Path, resume: bool, **typed: Any) -> SelfPlayResult:
    return run(OLDTOWN, folder, {"workers": 1, **typed}, resume, None)


def test_every_stage_reports_how_strong_its_network_is_and_how_true_its_chances_are(whole: Path) -> None:
    reports = [json.loads(path.read_text()) for path in sorted(whole.glob("stages/*/report.json"))]
    assert len(reports) == 3
    for report in reports:
        assert set(report["against_heuristic"]) == set(report["calibration"]) == {"2", "3"}
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


def break_off_after(parts: int, monkeypatch: pytest.MonkeyPatch) -> None:
    play, left = OldTownSelfPlay.play_part, [parts]

    def play_part(*arguments: Any) -> Noted:
        if left[0] == 0:
            raise KeyboardInterrupt
        left[0] -= 1
        return play(*arguments)

    monkeypatch.setattr(OldTownSelfPlay, "play_part", staticmethod(play_part))


def test_interrupted_run_resumes_to_the_same_networks(
    whole: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "small.toml").write_text("\n".join(f"{name} = {value}" for name, value in SMALL.as_plain().items()))
    with monkeypatch.context() as patch:
        break_off_after(8, patch)
        assert command(tmp_path / "run", False, config=tmp_path / "small.toml").interrupted
    assert not command(tmp_path / "run", True).interrupted
    for path in sorted(whole.glob("stages/*/network.safetensors")):
        assert (tmp_path / "run" / path.relative_to(whole)).read_bytes() == path.read_bytes()


def test_finished_run_is_not_computed_again_and_its_network_plays(
    finished: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    break_off_after(0, monkeypatch)
    model, *others = command(finished, True)
    assert others == [False, {"players": 2, "settings": {}}, ()]
    assert make_agent(model, "oldtown").name == "champion"


def test_run_killed_before_its_report_makes_the_same_network_again(finished: Path) -> None:
    network, stages = finished / "network.safetensors", finished / "stages"
    before = network.read_bytes()
    (stages / "0002" / "report.json").unlink()
    network.write_bytes((stages / "0001" / "network.safetensors").read_bytes())
    assert network.read_bytes() != before
    assert learn(finished, None, resume=True).read_bytes() == before


def test_what_no_run_can_be_is_told_in_a_sentence(tmp_path: Path) -> None:
    best_response = "--best-response does not apply to self-play of Old Town"
    for typed, sentence in (
        ({"best_response": "champion"}, best_response), ({"players": 5}, "players"), ({"seed": -1}, "seed")
    ):  # fmt: skip
        with pytest.raises(GameError, match=sentence):
            command(tmp_path / "run", False, **typed)
    assert not (tmp_path / "run").exists()


def test_games_that_cannot_be_are_told_with_their_file(whole: Path, tmp_path: Path) -> None:
    for name, value in {"seats": 7, "wins": np.nan, "games": -1}.items():
        noted, path = load(next(whole.glob("stages/0002/games-2-*.npz"))), tmp_path / "games.npz"
        getattr(noted, name)[0] = value
        save(path, noted)
        with pytest.raises(PlanError, match=rf"games\.npz.*{name}"):
            load(path)


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


def test_fewer_rows_than_a_batch_leave_the_network_as_it_is() -> None:
    rows = Rows(np.ones((3, SIZE), np.float16), np.ones(3, np.float32), np.arange(1, 4))
    network = new_network(rows.seen, 0)
    before = tensors_of(network)
    fit(network, rows, FitParams(batch=64), 0)
    assert all(np.array_equal(tensor, before[name]) for name, tensor in tensors_of(network).items())
