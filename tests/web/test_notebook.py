"""`game.show()`: the page in a notebook's frame, a picture elsewhere, and nothing in it that its seat may not see."""

import base64
import re
import subprocess
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import numpy as np
import pytest
from websockets.sync.client import connect

from oddville_agents.judge import Compared
from oddville_agents.play import Analysis
from oddville_env import Game, GameError, OldTown
from oddville_env.core.parts.played_game import ELSEWHERE
from oddville_env.core.svg.thoughts import Thought
from oddville_env.web import server
from support.page.hidden_cards import cards_in, known_to
from support.page.live import WAIT_S, Browser

IN_A_KERNEL = SimpleNamespace(get_ipython=lambda: SimpleNamespace(kernel=object()))


@pytest.fixture
def in_a_notebook(monkeypatch: pytest.MonkeyPatch) -> None:
    """This process is a notebook's kernel."""
    monkeypatch.setitem(sys.modules, "IPython", IN_A_KERNEL)
    for name in ELSEWHERE:
        monkeypatch.delenv(name, raising=False)


def old_town(moves: int = 6) -> OldTown:
    game = OldTown(players=3, seed=4)
    for _ in range(moves):
        game.push(game.legal_moves.words()[-1])
    return game


def entered(address: str) -> Any:
    """The page's socket of what a frame shows."""
    base, _, place = address.partition("#")
    ident, key = (part.split("=")[1] for part in place.split("&"))
    return connect(f"{base.replace('http', 'ws')}api/games/{ident}/play?key={key}", max_size=None)


def test_outside_a_notebook_a_game_is_shown_as_a_picture_of_what_its_seat_may_see() -> None:
    for game in (Game(seed=1), OldTown(seed=1)):
        shown = game.show()
        assert (shown.address, shown._repr_html_(), shown._repr_svg_()) == (None, None, game._repr_svg_())
        assert (set(shown._repr_mimebundle_()), repr(shown)) == ({"image/svg+xml", "text/plain"}, str(game))
    game = old_town()
    assert game.show(1)._repr_svg_() == game.svg(1) != game.svg()
    assert repr(game.show(1)) == game.text(1)


@pytest.mark.usefixtures("in_a_notebook")
def test_candidates_of_agents_stand_side_by_side_below_a_picture(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def first(observation, mask):\n    return mask.nonzero()[0][0]\n")
    game, mine = Game(2, seed=7, moves=["setup:wood", "setup:clay"]), f"{tmp_path / 'mine.py'}:first"
    shown = game.show(compare=["champion", "search:sims=40", mine])
    table, html = repr(shown).removeprefix(str(game)), str(shown._repr_html_())
    for column, agent in enumerate(("champion", "search:sims=40")):
        best = game.opinion(agent).candidates[0]
        (cells,) = (line.split()[1:] for line in table.splitlines() if line.startswith(f"{best.word} "))
        percent = f"{best.values[game.to_move or 0]:.0%}"
        assert re.findall(r"\S+%(?: \*)?|-", " ".join(cells))[column] == f"{percent} *"
        assert f">{percent} *</td>" in html
    assert re.search(rf"(?m)^{re.escape(game.view().word(int(game.mask.nonzero()[0][0])))} .* 100% \*$", table)
    assert base64.b64encode(game.svg().encode()).decode() in html
    assert (shown.address, shown._repr_svg_()) == (None, game.svg())
    assert "All choose" in repr(game.show(compare=["greedy", "greedy"]))


def test_column_of_chances_holds_nothing_else() -> None:
    known, unknown = Thought("coins:2", 3, 0.9, (0.3, 0.7)), Thought("coins:3", 0, 0.1, ())
    search, policy = Analysis("search", 1, 3, 0.1, (known, unknown)), Analysis("policy", 1, 0, 0.1, (unknown,))
    lines = Compared(1, (("search", search), ("policy", policy))).text.splitlines()[2:]
    assert [line.split() for line in lines] == [["coins:2", "70%", "*", "-"], ["coins:3", "-", "10%", "*"]]


@pytest.mark.parametrize(("view", "compare", "sentence"), [
    (None, "champion", "compare must be a list, not 'champion'"),
    (None, [], "compare must name at least one agent"),
    (None, ["nobody"], "no agent is called 'nobody'"),
    (1, ["greedy"], "compare tells what seat 0 thinks: view must be that seat or None, not 1"),
])  # fmt: skip
def test_candidates_that_cannot_be_shown_are_a_sentence(view: Any, compare: Any, sentence: str) -> None:
    game = old_town(0)
    assert game.to_move == 0
    assert "take:" in repr(game.show(0, compare=["greedy"]))
    with pytest.raises(GameError, match=re.escape(sentence)):
        game.show(view, compare=compare)


@pytest.mark.usefixtures("in_a_notebook")
def test_in_a_notebook_all_games_are_frames_of_one_server_that_needs_its_token() -> None:
    game = Game(players=2, seed=3, moves=["setup:wood"])
    shown = game.show()
    html, address = str(shown._repr_html_()), str(shown.address)
    assert html.startswith('<iframe src="http://127.0.0.1:')
    assert set(shown._repr_mimebundle_()) == {"text/html", "image/svg+xml", "text/plain"}
    page = httpx.get(address, timeout=WAIT_S)
    assert page.status_code == 200
    assert "frame-ancestors" not in page.headers["Content-Security-Policy"]
    with entered(address) as socket:
        assert Browser(socket).state["position"] == game.position()
    base, other = address.split("#")[0], str(Game(seed=2).show().address)
    assert other.startswith(f"{base}#")
    assert other != address
    assert httpx.get(base.rsplit("/", 2)[0] + "/", timeout=WAIT_S).status_code == 404
    assert httpx.get(base, headers={"Host": "example.org"}, timeout=WAIT_S).status_code == 400


@pytest.mark.usefixtures("in_a_notebook")
def test_the_page_of_a_seat_tells_nothing_that_it_may_not_see_nor_does_the_disk() -> None:
    game = old_town()
    for view in (0, np.int64(1), 2):
        address = str(game.show(view).address)
        with entered(address) as socket:
            browser = Browser(socket)
            for move in range(len(game.moves), -1, -1):
                state, then = browser.ask("go", "state", move=move), game.copy()
                then.take_back(move)
                assert state["position"] == then.position(view=view)
                assert bool(state["legal"]) == (then.to_move == view)
            assert not browser.state["may"]["record"]
            assert not browser.state["may"]["play_on"]
            assert browser.ask("chances", "error", agent="greedy")["why"] == "no_chances"
            assert browser.ask("compare", "error", agents=["greedy", "random"])["why"] == "no_chances"
            assert cards_in(browser.heard) <= known_to(game, view)
        folder = server.server_of(game.game_type, game.box.cards).lobby.folder
        assert folder.read(address.split("#game=")[1].split("&")[0]).view == view


@pytest.mark.usefixtures("in_a_notebook")
@pytest.mark.parametrize("why", ["begun in the middle", "not saved", "on another computer", "without the extra"])
def test_game_that_no_frame_can_show_is_a_picture(why: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    game = Game(seed=1)
    if why == "begun in the middle":
        game = Game.from_state(game.box, game.state)
    elif why == "not saved":
        (in_the_way := tmp_path / "file").touch()
        monkeypatch.setattr(server.server_of(game.game_type, game.box.cards).lobby.folder, "path", in_the_way)
    elif why == "on another computer":
        monkeypatch.setenv(ELSEWHERE[0], "http://hub")
    else:
        monkeypatch.setattr("oddville_env.web", sys.modules["oddville_env.web"])  # as it is again after the test
        for name in [name for name in sys.modules if name.startswith("oddville_env.web")]:
            monkeypatch.delitem(sys.modules, name)
        for name in ("starlette", "uvicorn"):
            monkeypatch.setitem(sys.modules, name, None)
    shown = game.show()
    assert shown.address is None
    assert shown._repr_svg_() == game._repr_svg_()


@pytest.mark.usefixtures("in_a_notebook")
def test_the_frame_shows_the_table_of_a_seat(tab: Any) -> None:
    frame = old_town().show(1)._repr_html_()
    page = tab(fresh=True, viewport={"width": 960, "height": 800}).page
    page.set_content(frame)
    inside = page.frame_locator("iframe")
    inside.locator('[data-spot^="hand:1:"]').first.wait_for()
    assert inside.locator('[data-spot^="hand:0:"]').count() == 0
    inside.locator("#tab-moves").click()
    inside.locator(".moves li").first.wait_for()


def test_the_server_of_a_notebook_begins_when_it_is_needed_and_ends_with_its_process_not_with_a_fork() -> None:
    code = """
import os
import sys
from types import SimpleNamespace
from oddville_env import Game
game = Game(seed=1)
game.show()
assert not {"IPython", "starlette", "uvicorn", "oddville_env.web"} & set(sys.modules)
sys.modules["IPython"] = SimpleNamespace(get_ipython=lambda: SimpleNamespace(kernel=1))
address = game.show().address
folder = sys.modules["oddville_env.web.server"].server_of(game.game_type, game.box.cards).lobby.folder.path
child = os.fork() if hasattr(os, "fork") else None
if child != 0:
    left = child and os.waitpid(child, 0)[1]
    print(address, folder, left or 0, len(list(folder.glob("*.newest"))))
"""
    command = [sys.executable, "-W", "ignore", "-c", code]
    done = subprocess.run(command, capture_output=True, text=True, timeout=WAIT_S, check=True)
    address, folder, *left = done.stdout.split()
    assert (left, done.stderr) == (["0", "1"], "")
    assert not Path(folder).exists()
    with pytest.raises(httpx.ConnectError):
        httpx.get(address, timeout=WAIT_S)
