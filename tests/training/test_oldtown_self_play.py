"""Old Town's self-play: the heuristic's weights, round after round, in a folder that can be gone on with."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from oddville_agents import make_agent
from oddville_env.core.errors import SettingError
from oddville_env.oldtown.game_type import OLDTOWN
from oddville_training.learned import Learned
from oddville_training.tuning import self_play
from oddville_training.tuning.self_play import SelfPlayError, run


@pytest.fixture(autouse=True)
def _few(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(self_play, "DEALS", 24)
    monkeypatch.setattr(self_play, "PART", 10)
    monkeypatch.setattr(self_play, "ROUNDS", 3)


def learned(folder: Path, resume: bool = False, minutes: float | None = None, **typed: Any) -> Learned:
    return run(OLDTOWN, folder, typed, resume, minutes)


def test_a_run_leaves_weights_that_play_and_say_how_they_were_made(tmp_path: Path) -> None:
    found = learned(tmp_path, players=3, seed=4)
    assert str(found.model) == f"heuristic:weights={tmp_path / 'weights.json'}"
    assert found[1:] == (False, {"players": 3, "settings": {}})
    assert make_agent(found.model, "oldtown").name == "heuristic"
    made = json.loads((tmp_path / "weights.json").read_text())["made"]
    assert (made["players"], made["seed"], made["deals"]) == (3, 4, 72)
    assert made["positions"] > 72


def stop_before(deals: int, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]) -> None:
    """Break off when so many deals were played."""
    play, left = self_play.noted_games, [deals]

    def noted_games(*arguments: Any) -> Any:
        if left[0] <= 0:
            raise error
        left[0] -= len(arguments[2])
        return play(*arguments)

    monkeypatch.setattr(self_play, "noted_games", noted_games)


@pytest.mark.parametrize("error", [KeyboardInterrupt, MemoryError])
def test_a_run_that_was_broken_off_goes_on_to_the_same_weights(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: type[BaseException]
) -> None:
    learned(tmp_path / "whole")
    with monkeypatch.context() as patch:
        stop_before(40, patch, error)
        if error is KeyboardInterrupt:
            assert learned(tmp_path / "broken").interrupted
        else:
            with pytest.raises(error):
                learned(tmp_path / "broken")
    assert json.loads((tmp_path / "broken" / "state.json").read_text())["rounds"] == 1
    assert not learned(tmp_path / "broken", resume=True, seed=0).interrupted
    weights = [(tmp_path / name / "weights.json").read_bytes() for name in ("whole", "broken")]
    assert weights[0] == weights[1]


def test_what_is_finished_is_not_played_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = learned(tmp_path)
    stop_before(0, monkeypatch, AssertionError)
    assert learned(tmp_path, resume=True) == first


def test_minutes_that_end_in_the_first_round_leave_nothing(tmp_path: Path) -> None:
    with pytest.raises(SelfPlayError, match="the first round was not finished"):
        learned(tmp_path / "run", minutes=1e-9)
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ({"preset": "quick"}, "--preset means nothing here: Old Town tunes the weights of its heuristic"),
        ({"workers": 2}, "--workers means nothing here"),
        ({"players": 5}, "players must be a whole number from 2 to 4"),
        ({"seed": -1}, "seed must be"),
        ({"minutes": float("nan")}, "minutes must be a number above 0"),
    ],
)
def test_what_no_run_can_be_is_told_in_a_sentence(tmp_path: Path, typed: dict[str, Any], sentence: str) -> None:
    with pytest.raises(SettingError, match=sentence):
        learned(tmp_path / "run", **typed)
    assert not (tmp_path / "run").exists()


def test_a_run_is_never_overwritten_and_goes_on_as_it_was_set(tmp_path: Path) -> None:
    with pytest.raises(SelfPlayError, match="expected the state of a run of self-play"):
        learned(tmp_path, resume=True)
    learned(tmp_path)
    with pytest.raises(SelfPlayError, match="already holds a run"):
        learned(tmp_path)
    with pytest.raises(SettingError, match="its players is 2"):
        learned(tmp_path, resume=True, players=3)


@pytest.mark.parametrize(
    ("name", "value"),
    [("positions", 1e999), ("rows", 10**400), ("rows", 1e300), ("squares", [[1e300]]), ("products", 1)],
)
def test_sums_that_no_run_has_are_told_with_their_file(tmp_path: Path, name: str, value: Any) -> None:
    learned(tmp_path)
    path = tmp_path / "state.json"
    plain = json.loads(path.read_text())
    plain["sums"][name] = value
    path.write_text(json.dumps(plain).replace("Infinity", "1e999"))
    with pytest.raises(SelfPlayError, match=r"state\.json is damaged"):
        learned(tmp_path, resume=True)


@pytest.mark.parametrize(
    "change",
    [{"rounds": 0}, {"rounds": True}, {"players": 9}, {"sums": None}, {"sums": {}}, {"seed": "0"}, {"seed": 10**400}],
)
def test_a_damaged_state_is_told_with_its_file(tmp_path: Path, change: dict[str, Any]) -> None:
    learned(tmp_path)
    path = tmp_path / "state.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | change))
    with pytest.raises(SelfPlayError, match=r"state\.json is damaged"):
        learned(tmp_path, resume=True)


def test_sums_that_are_no_numbers_are_refused(tmp_path: Path) -> None:
    learned(tmp_path)
    path = tmp_path / "state.json"
    plain = json.loads(path.read_text())
    for wrong in ("x", None, 1e999, []):
        path.write_text(json.dumps(plain | {"sums": plain["sums"] | {"products": [wrong] * 48}}))
        with pytest.raises(SelfPlayError, match=r"state\.json"):
            learned(tmp_path, resume=True)


def test_the_extra_train_is_enough_for_self_play() -> None:
    foreign = ("polars", "ray", "resvg_py", "pygame", "starlette", "uvicorn", "websockets", "jsonschema")
    code = f"import sys; sys.modules.update(dict.fromkeys({foreign})); import oddville_training.tuning.self_play"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
