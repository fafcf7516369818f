"""`oldtown solve` and `oldtown puzzles`."""

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from oddville_env.cli.app import make_app
from oddville_env.cli.commands import puzzles
from oddville_env.core.game.game_type import game_type
from oddville_env.oldtown.cards import base_deck
from oddville_env.oldtown.deduction.puzzle import Puzzle, printed_puzzles

app, runner = make_app(game_type("oldtown")), CliRunner()


def run(*words: object) -> str:
    result = runner.invoke(app, [*map(str, words)], catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return str(result.stdout)


def test_solve_shows_every_solution_and_why_there_is_no_other(tmp_path: Path) -> None:
    told = run("solve", 7, "--json", tmp_path / "7.json")
    assert "1 placement, 2 solutions" in told
    assert told.count("own: ") == 2
    assert "Every building has its lot: this is a solution" in told
    plain = json.loads((tmp_path / "7.json").read_text())
    assert tuple(plain["solutions"][0]["placement"]) == printed_puzzles()[6].solution
    assert len(plain["steps"]) > 20
    assert "leaves" not in run("solve", 1, "--no-proof")


def test_solve_reports_what_the_clues_leave_open(tmp_path: Path) -> None:
    keys = printed_puzzles()[0].town(base_deck())
    wide = Puzzle((), tuple((37 + number, key) for number, key in enumerate(keys)), (), keys[:1], 1)
    (tmp_path / "wide.json").write_text(json.dumps(wide.plain()))
    told = run("solve", tmp_path / "wide.json", "--json", tmp_path / "told.json")
    assert "at least 1000 placements, 1000 solutions" in told
    assert "and 990 other placements: --json writes all of them" in told
    plain = json.loads((tmp_path / "told.json").read_text())
    assert (plain["complete"], plain["steps"], len(plain["solutions"])) == (False, [], 1000)
    puzzle = next(each for each in printed_puzzles() if each.mine is None)._replace(c=())
    (tmp_path / "open.json").write_text(json.dumps(puzzle.plain()))
    assert "There is no C card: nothing says which buildings are own" in run("solve", tmp_path / "open.json")


def test_generated_puzzles_can_be_solved_and_printed(tmp_path: Path) -> None:
    made, bare = tmp_path / "made.jsonl", tmp_path / "bare.json"
    generate = ("puzzles", "generate", "--level", "easy", "--count", 3, "--seed", 1)
    run(*generate, "--out", made)
    lines = made.read_text().splitlines()
    assert (len(lines), run(*generate).splitlines()) == (3, lines)
    assert "1 placement, 1 solution" in run("solve", made, "--index", 2)
    run("puzzles", "print", made, "--out", tmp_path / "made.html")
    assert (tmp_path / "made.html").read_text().count("<svg") == 3
    run("puzzles", "print", "--no-solutions", "--out", tmp_path / "page.svg")
    assert len(list(tmp_path.glob("page-*.svg"))) == 4
    bare.write_text(json.dumps(printed_puzzles()[0]._replace(solution=None).plain()))
    run("puzzles", "print", bare, "--out", tmp_path / "bare.html")  # it is solved before it is printed
    assert (tmp_path / "bare.html").read_text().count("<title>Stable</title>") == 1


def test_play_opens_the_page_at_the_puzzle(monkeypatch: pytest.MonkeyPatch) -> None:
    web = pytest.importorskip("oddville_env.web.server", reason="the page needs the extra web")
    asked: list[Any] = []

    def serve(lobby: Any, host: str, port: int, ready: Any) -> None:
        asked.append((host, port))
        ready("http://127.0.0.1:8000/")

    monkeypatch.setattr(web, "serve", serve)
    for words, place in (
        ([], ""),
        (["--puzzle", "7"], "#puzzle=7&of=oldtown"),
        (["--level", "hard", "--seed", "5"], "#puzzle=hard-5&of=oldtown"),
    ):
        result = runner.invoke(app, ["puzzles", "play", *words], catch_exceptions=False)
        assert f"open http://127.0.0.1:8000/{place}\n" in result.stderr
        assert asked.pop() == ("127.0.0.1", 8000)


def test_interrupted_run_keeps_the_puzzles_that_are_made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = puzzles.generate("easy", 1)

    def two_then_interrupted(*asked: object) -> object:
        yield next(made)
        yield next(made)
        raise KeyboardInterrupt

    monkeypatch.setattr(puzzles, "generate", two_then_interrupted)
    result = runner.invoke(app, ["puzzles", "generate", "--count", "5", "--out", str(tmp_path / "some.jsonl")])
    assert "interrupted after 2 puzzles" in result.stderr
    assert len((tmp_path / "some.jsonl").read_text().splitlines()) == 2
