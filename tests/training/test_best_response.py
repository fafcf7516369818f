"""The benchmark of best responses: rounds that are over are not played again, and what they won is told."""

import json
import sys
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest

from oddville_agents.oldtown.value.network import read_network

pytest.importorskip("torch", reason="the learner needs the extra train")

BENCHMARKS = Path(__file__).resolve().parents[2] / "training" / "benchmarks"


@pytest.fixture
def best_response(monkeypatch: pytest.MonkeyPatch) -> Iterator[ModuleType]:
    """Few games, and fits that take a step from them."""
    monkeypatch.syspath_prepend(str(BENCHMARKS))
    import best_response

    monkeypatch.setattr(best_response, "FIT", best_response.FIT._replace(batch=32))
    yield best_response
    del sys.modules["best_response"]


def test_each_round_learns_from_the_seat_of_the_response_and_a_round_that_is_over_stays(
    best_response: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    best_response.main(tmp_path, 1, 2, 2, 0)
    first, result = tmp_path / "games-2-seed-0-round-0.safetensors", json.loads((tmp_path / "result.json").read_text())
    assert result["games"] == 2
    assert result["network"] == first.name
    assert 0 <= result["low"] <= result["wins"] <= result["high"] <= 1
    before = first.read_bytes()
    learned = []
    monkeypatch.setattr(best_response, "learn", lambda out, newest, *_: learned.append((out.name, Path(newest).name)))
    monkeypatch.setattr(best_response, "evaluate", lambda *_, **__: (_ for _ in ()).throw(KeyboardInterrupt))
    monkeypatch.setattr(best_response, "make_agent", lambda *_: None)
    with pytest.raises(KeyboardInterrupt):
        best_response.main(tmp_path, 2, 2, 2, 0)
    assert learned == [("games-2-seed-0-round-1.safetensors", first.name)]
    assert first.read_bytes() == before
    assert read_network(first)["first"].any()


def test_only_what_the_seat_of_the_response_sees_is_noted(best_response: ModuleType) -> None:
    noted = best_response.play_games("learned", 2, [0, 0])
    assert set(noted.seats[noted.games == 0]) == {0}
    assert set(noted.seats[noted.games == 1]) == {1}
    assert noted.seen.shape[0] == len(noted.wins) > 20
    # The same deal, and an agent against itself: both seats together win it once.
    assert noted.wins[noted.games == 0][0] + noted.wins[noted.games == 1][0] == 1
