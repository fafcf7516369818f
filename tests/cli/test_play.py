"""`play --terminal`, `watch`, `film`, `solve` and `puzzles`: what is shown."""

import base64
import gzip
import io
import json
import re
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from rich.console import Console
from typer.testing import CliRunner

from oddville_env import Game, base_deck
from oddville_env.cli.app import make_app
from oddville_env.cli.commands import puzzles
from oddville_env.cli.output import Screen
from oddville_env.core.game.game_type import game_type
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oddville.text import WIDTH, draw_text
from oddville_env.oldtown.deduction.puzzle import Puzzle, printed_puzzles
from support.helpers import many_states, random_game
from support.program import Run, Said, fails, left, works


@pytest.fixture
def answers(monkeypatch: pytest.MonkeyPatch, run: Run) -> Run:
    """Play in the terminal and say these lines."""

    def said(lines: list[str], *words: object) -> Said:
        monkeypatch.setattr(sys, "stdin", io.StringIO("".join(f"{line}\n" for line in lines)))
        return run("play", "--terminal", *words)

    return said


def test_person_plays_by_numbers_and_words_listed_in_the_order_of_the_rules(answers: Run, tmp_path: Path) -> None:
    said = answers(["setup:wood", "?", "1", "1", "q"], "--seats", "human,human", "--seed", 4, "--out", "game.json")
    assert said.code == 0
    assert "the first worker: 1 setup:wood  2 setup:clay  3 setup:stone" in said.out
    kinds = ["coins with a worker card:", "a resource with a worker card:", "a building with a worker card:"]
    places = [said.out.rindex(kind) for kind in kinds]
    assert places == sorted(places)
    record = json.loads((tmp_path / "game.json").read_text())
    assert (record["moves"][:2], Game.from_record(record).players) == (["setup:wood", "setup:clay"], 2)


def test_undo_goes_to_the_last_own_decision_and_wrong_answers_are_explained(answers: Run, tmp_path: Path) -> None:
    said = answers(["u", "1", "1", "u", "l", "2", "q"], "--seats", "human,greedy", "--seed", 4, "--out", "game.json")
    assert "you have no move to undo" in said.out
    assert "was taken back" in said.out
    assert Game(2, 4, moves=json.loads((tmp_path / "game.json").read_text())["moves"]).moves
    said = answers(["h", "999", "nonsense", "build:1:0,1", "q"], "--seats", "human,human", "--seed", 4)
    assert "greedy would play setup:" in said.out
    assert "there are moves 1 to 4" in said.out
    assert "cannot read the move 'nonsense'" in said.out
    assert "build:1:0,1 is not legal now" in said.out


def test_game_in_the_terminal_is_played_to_its_end_or_to_the_end_of_input(answers: Run, tmp_path: Path) -> None:
    said = works(answers(["1"] * 400, "--seats", "human,random", "--seed", 2, "--max-rounds", 8, "--out", "game.json"))
    assert "wins, scores" in said.out
    assert Game.from_record(json.loads((tmp_path / "game.json").read_text())).is_over
    assert answers([], "--seats", "human,greedy").code == 0


@pytest.mark.parametrize(("words", "helped"), [([], False), (["--with-help"], True)])
def test_game_has_help_if_asked(run: Run, monkeypatch: pytest.MonkeyPatch, words: list[str], helped: bool) -> None:
    web, made = pytest.importorskip("oddville_env.web.server"), []

    def serve(lobby: Any, host: str, port: int, ready: Any) -> None:
        monkeypatch.setattr(lobby, "make_now", lambda request: made.append(request) or session)
        ready("http://127.0.0.1:1/")

    session = SimpleNamespace(id="x", keys=SimpleNamespace(host="y"))
    monkeypatch.setattr(web, "serve", serve)
    said = run("play", "--seats", "human,human", *words)
    assert (said.code, [request["help"] for request in made]) == (0, [helped])


SIZES = [(80, 24), (120, 50), (40, 12), (20, 8)]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize(("columns", "lines"), SIZES)
def test_position_fits_the_terminal_and_keeps_its_head(players: int, columns: int, lines: int) -> None:
    for game in many_states(6, players, seed=3):
        position = game.position()
        text = draw_text(position, game.box.cards, (columns, lines)).splitlines()
        assert max(map(len, text)) <= columns
        assert len(text) <= max(lines, players + 5), "\n".join(text)
        assert text[0].startswith("OddVille  round"[:columns])
        assert sum(line.startswith("@") for line in text) == players
        if position["city"] and (columns, lines) == (80, 24):  # the card that was placed last is in sight
            last = position["city"][-1]
            assert any(line.lstrip("0123456789 │").find(f"@{last['owner']}") for line in text)
            assert f"{last['card']:<3}" in "\n".join(text)
        assert draw_text(position, game.box.cards, (WIDTH, 200)) == draw_text(position, game.box.cards)


def test_screen_shows_one_position_at_a_time() -> None:
    game, screen = random_game(4, 4, moves=60), io.StringIO()
    console = Console(file=screen, force_terminal=True, width=80, height=24, color_system=None, legacy_windows=False)
    Screen(ODDVILLE, console).show(game.position(), game.box, "seat 2 (greedy): build:1:0,1")
    clear, _, shown = screen.getvalue().partition("OddVille")
    assert "\x1b[2J" in clear
    assert len(shown.splitlines()) < 24
    assert shown.splitlines()[-1] == "seat 2 (greedy): build:1:0,1"


@pytest.mark.parametrize("width", [40, 80])
def test_agents_wraps_no_class_path(run: Run, monkeypatch: pytest.MonkeyPatch, width: int) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    said = run("agents")
    for home in ("policies.baselines:RandomAgent", "oddville.greedy:GreedyAgent", "oddville.search.agent:SearchAgent"):
        assert f"  oddville_agents.{home}" in said.out.splitlines()


def test_film_of_a_game_is_a_gif_of_one_size(run: Run, tmp_path: Path) -> None:
    image = pytest.importorskip("PIL.Image")
    pytest.importorskip("resvg_py")
    pytest.importorskip("pygame")
    (tmp_path / "short.jsonl").write_text(json.dumps(random_game(3, 2, moves=3).record()))
    said = run("film", "short.jsonl", "--out", "deep/game.gif", "--delay", 0.2)
    assert (said.code, said.out) == (0, "4 pictures filmed to deep/game.gif\n")
    with image.open(tmp_path / "deep" / "game.gif") as film:
        assert (film.n_frames, film.info["duration"]) == (4, 200)
        film.seek(3)
        assert film.info["duration"] == 800


def test_film_is_a_movie_where_there_is_an_encoder(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for needed in ("imageio_ffmpeg", "resvg_py", "pygame"):
        pytest.importorskip(needed)
    (tmp_path / "short.jsonl").write_text(json.dumps(random_game(2, 2, moves=3).record()))
    assert run("film", "short.jsonl", "--out", "game.mp4").code == 0
    assert b"ftyp" in (tmp_path / "game.mp4").read_bytes()[:16]
    assert left(tmp_path) == {"short.jsonl", "game.mp4"}
    monkeypatch.setitem(sys.modules, "imageio_ffmpeg", None)
    fails(run("film", "short.jsonl", "--out", "game.mp4"), "pip install imageio-ffmpeg")


def test_page_steps_through_every_picture(run: Run, tmp_path: Path) -> None:
    game = random_game(2, 2, moves=5)
    (tmp_path / "short.jsonl").write_text(json.dumps(game.record()))
    assert run("film", "short.jsonl", "--out", "game.html").code == 0
    page = (tmp_path / "game.html").read_text()
    assert "http" not in re.sub(r'atob\("[^"]*"\)', "", page)
    packed = re.search(r'atob\("([^"]*)"\)', page)
    assert packed
    steps = json.loads(gzip.decompress(base64.b64decode(packed[1])))
    assert [step["word"] for step in steps] == ["the deal", *(f"{n}. {m.word}" for n, m in enumerate(game.moves, 1))]
    assert all(step["svg"].startswith("<svg") for step in steps)
    assert len({re.search(r' height="(\d+)" viewBox', step["svg"])[1] for step in steps}) == 1
    assert f">Round {game.position()['round']}<" in steps[-1]["svg"]


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
    places = {"": "", "--puzzle 7": "#puzzle=7&of=oldtown", "--level hard --seed 5": "#puzzle=hard-5&of=oldtown"}
    for words, place in places.items():
        result = runner.invoke(app, f"puzzles play {words}", catch_exceptions=False)
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
