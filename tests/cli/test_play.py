"""`oddville play` and `view`: in the terminal, and what is told before a server runs."""

import io
import json
import sys
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from oddville_env import Game
from support.program import Run


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch, run: Run):  # type: ignore[no-untyped-def]
    """Play in the terminal and say these lines."""

    def said(lines: list[str], *words: object):  # type: ignore[no-untyped-def]
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return run("play", "--terminal", *words)

    return said


def test_a_person_plays_by_numbers_and_words(answers, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    lines = ["setup:wood", "?", "1", "q"]

    said = answers(lines, "--seats", "human,human", "--seed", 4, "--out", "game.json")

    assert said.code == 0
    assert "the first worker: 1 setup:wood  2 setup:clay  3 setup:stone" in said.out
    record = json.loads((tmp_path / "game.json").read_text())
    assert record["moves"] == ["setup:wood", "setup:clay"]
    assert Game.from_record(record).players == 2


def test_moves_are_listed_by_kind_in_the_laws_order(answers) -> None:  # type: ignore[no-untyped-def]
    said = answers(["1", "1", "q"], "--seats", "human,human", "--seed", 4)

    kinds = ["coins with a worker card:", "a resource with a worker card:", "a building with a worker card:"]
    places = [said.out.rindex(kind) for kind in kinds]
    assert places == sorted(places)


def test_moves_are_taken_back_to_the_last_own_decision(answers, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    said = answers(["u", "1", "1", "u", "l", "2", "q"], "--seats", "human,greedy", "--seed", 4, "--out", "game.json")

    assert "there is no move of yours to take back" in said.out
    assert "was taken back" in said.out
    moves = json.loads((tmp_path / "game.json").read_text())["moves"]
    assert Game(2, 4, moves=moves).moves


def test_a_hint_names_a_legal_move_and_what_is_wrong_is_said(answers) -> None:  # type: ignore[no-untyped-def]
    said = answers(["h", "999", "nonsense", "build:1:0,1", "q"], "--seats", "human,human", "--seed", 4)

    assert "greedy would play setup:" in said.out
    assert "there are moves 1 to 4" in said.out
    assert "cannot read the move 'nonsense'" in said.out
    assert "build:1:0,1 is not legal now" in said.out


def test_a_game_in_the_terminal_is_played_to_its_end(answers, tmp_path: Path) -> None:  # type: ignore[no-untyped-def]
    said = answers(["1"] * 400, "--seats", "human,random", "--seed", 2, "--max-rounds", 8, "--out", "game.json")

    assert said.code == 0
    assert "wins, scores" in said.out
    assert Game.from_record(json.loads((tmp_path / "game.json").read_text())).is_over


def test_the_end_of_the_input_ends_the_game_in_peace(answers) -> None:  # type: ignore[no-untyped-def]
    assert answers([], "--seats", "human,greedy").code == 0


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--seats", "human"], "--seats must name 2 to 4 seats, not 1"),
        (["--seats", "human,nobody"], "no agent is called 'nobody'"),
        (["--seats", "human,search:ms=0"], "ms must be a number above 0"),
        (["--host", "no such host"], "the server cannot listen at no such host"),
        (["--table", "4,4"], "columns must be odd"),
    ],
)
def test_what_cannot_be_played_is_told_in_a_sentence(run: Run, words: list[str], told: str) -> None:
    pytest.importorskip("starlette")

    said = run("play", *words)

    assert said.code == 1
    assert told in said.err


@pytest.mark.parametrize(("words", "helped"), [([], False), (["--with-help"], True)])
def test_a_game_of_seats_is_made_with_help_where_that_is_asked(
    run: Run, monkeypatch: pytest.MonkeyPatch, words: list[str], helped: bool
) -> None:
    web = pytest.importorskip("oddville_env.web")
    made = []

    def serve(lobby: Any, host: str, port: int, ready: Callable[..., None]) -> None:
        monkeypatch.setattr(lobby, "make_now", lambda request: made.append(request) or session)
        ready("http://127.0.0.1:1/")

    session = SimpleNamespace(id="x", keys=SimpleNamespace(host="y"))
    monkeypatch.setattr(web, "serve", serve)

    said = run("play", "--seats", "human,human", *words)

    assert (said.code, [request["help"] for request in made]) == (0, [helped])


def test_a_file_without_records_is_not_viewed(run: Run, tmp_path: Path) -> None:
    pytest.importorskip("starlette")
    (tmp_path / "empty.jsonl").write_text("\n")

    said = run("view", "empty.jsonl")

    assert (said.code, "there is no record in it" in said.err) == (1, True)
    assert run("view", "none.jsonl").code == 1


def test_without_the_extra_it_is_said_how_to_get_it(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    for module in list(sys.modules):
        if module.startswith(("oddville_env.web", "starlette")):  # what was imported is found without its package
            monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "starlette", None)

    said = run("play")

    assert said.code == 1
    assert "oddville-env[web]" in said.err
