"""What the page offers those who make agents: a table of games, two agents on one position, what can be taken along."""

import csv
import json
from pathlib import Path
from typing import Any

import pytest

from oddville_agents.judge import choices
from oddville_agents.play import analyse
from oddville_env import Game, OldTown
from oddville_env.core.game.game_type import game_type
from oddville_env.web.info import info
from oddville_env.web.messages.analysis import MOST_DIFFERING
from oddville_env.web.messages.protocol import BRANCHES
from oddville_env.web.sessions.lobby import Lobby
from support.helpers import random_game
from support.page.live import Live, Tab
from web.test_every_window import problems

ROWS, COUNT = "tbody tr", '.filters [role="status"]'
SEATED = (["greedy", "search:ms=200"], ["champion", "greedy"])


@pytest.fixture(scope="module")
def shelf(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """A server with a file of records: six games, a line that is none, and one of the other game."""
    records = [random_game(2, seed).record() | {"agents": SEATED[seed % 2]} for seed in range(6)]
    foreign, folder = random_game(2, 1, make=OldTown).record(), tmp_path_factory.mktemp("shelf")
    lines = [*map(json.dumps, records), '{"moves": 3, "scores": [1], "agents": "x"}', json.dumps(foreign)]
    (folder / "games.jsonl").write_text("\n".join(lines))
    live = Live(folder / "saved", records=folder / "games.jsonl", offered=("champion", "search:sims=400")).start()
    yield live, records
    live.stop()


def lines(page: Any) -> list[str]:
    page.locator("thead .heading").first.wait_for()
    return list(page.locator(f"{ROWS} .line").all_inner_texts())


def margin(record: dict[str, Any]) -> int:
    return abs(record["scores"][0] - record["scores"][1])


def winner(record: dict[str, Any]) -> str:
    return str(record["agents"][record["ranks"].index(1)])


@pytest.mark.parametrize(("text", "keeps"), [
    ("", lambda record: True),
    ("loser=greedy", lambda record: record["agents"][record["ranks"].index(2)] == "greedy"),
    ("winner!=search margin>=4 line<=6", lambda record: "search" not in winner(record) and margin(record) >= 4),
    ("winner=1 MOVES<200", lambda record: record["ranks"][1] == 1),
    ("champ", lambda record: "champion" in record["agents"]),
    ("margin<x", "“margin<x” cannot be read: expected a whole number after margin<"),
    ("loser<greedy", "“loser<greedy” cannot be read: expected = or != after loser."),
    ("depth=3", "“depth=3” cannot be read: expected one of agent, winner, loser, margin, moves, players, line"),
])  # fmt: skip
def test_filter_keeps_the_games_it_names_or_says_what_it_expected(shelf: Any, tab: Tab, text: str, keeps: Any) -> None:
    live, records = shelf
    page = tab().page
    page.goto(f"{live.address}#records=")
    page.locator("#filter").fill(text)
    if isinstance(keeps, str):
        assert page.locator("p.wrong").inner_text().startswith(keeps)
        return
    wanted = [str(number) for number, record in enumerate(records, 1) if keeps(record)] + ["7", "8"] * (not text)
    assert lines(page) == wanted
    assert page.locator(COUNT).inner_text().startswith(f"{len(wanted)} of 8")


def test_address_keeps_the_table_and_the_way_through_its_games(shelf: Any, tab: Tab) -> None:
    (live, records), visitor = shelf, tab()
    page = visitor.page
    page.goto(f"{live.address}#records=&filter=agent%3Dgreedy")
    for _ in range(2):
        page.locator('[data-key="by-margin"]').click()
    page.reload()
    order, rows = sorted(range(6), key=lambda number: -margin(records[number])), lines(page)
    assert [margin(records[int(line) - 1]) for line in rows] == [margin(records[number]) for number in order]
    assert page.locator('[aria-sort="descending"]').inner_text().startswith("Margin")
    for key in ("j", "j", "Enter"):
        page.keyboard.press(key)
    seen = [int(rows[place]) - 1 for place in (1, 2, 1)]
    for record, key in zip(seen, ("j", "k", "Shift"), strict=True):
        page.locator(".among .which").wait_for()
        visitor.wait(lambda record=record: visitor.states and visitor.state["moves"] == len(records[record]["moves"]))
        assert f"record={record}&filter=agent%3Dgreedy&order=-margin" in page.url
        page.keyboard.press(key)
    page.locator('.table[aria-busy="false"]').wait_for()
    assert problems(visitor, (360, 640), (1366, 768)) == []
    page.locator(".among a").click()
    assert lines(page) == rows


def test_table_tells_the_turning_move_of_a_game_and_why_a_line_is_none(shelf: Any, tab: Tab) -> None:
    (live, records), visitor = shelf, tab(fresh=True)
    page = visitor.page
    page.goto(f"{live.address}#records=")
    page.locator('[data-led="7"].wrong').wait_for()
    assert "expected 'oddville-record', not 'oldtown-record'" in page.locator('[data-led="7"]').inner_text()
    assert (page.locator(".drawn img").count(), page.locator('[data-drawn="7"] img').count()) == (6, 0)
    drawn = page.locator('[data-drawn="1"] img').get_attribute("src")
    assert page.request.get(str(drawn)).text() == Game.from_record(records[1]).svg()
    asked = "api/records/table.svg?game=oddville&record="
    assert [live.http.get(f"{live.address}{asked}{record}").status_code for record in (6, 7, 8, "x")] == [400] * 4
    game, record = random_game(2, 0), records[0]
    led = int(page.locator('[data-led="0"]').inner_text())
    winner, loser = record["ranks"].index(1), record["ranks"].index(2)
    game.take_back(led - 1)
    assert game.scores[winner] <= game.scores[loser]
    assert (problems(visitor, (320, 640), (1366, 768)), visitor.axe_faults()) == ([], [])
    rows = list(csv.DictReader(visitor.saved("save-table").decode().splitlines()))
    assert ([row["agents"] for row in rows[:2]], len(rows)) == ([" ".join(seated) for seated in SEATED], 8)


def test_finished_games_of_this_browser_stand_in_a_table_too(shelf: Any, tab: Tab) -> None:
    (live, _), visitor = shelf, tab(fresh=True)
    page = visitor.page
    games = [live.make(*seats, settings={"max_rounds": 3}) for seats in (("random", "greedy"), ("greedy", "random"))]
    for made in games:
        with live.enter(made, "host") as (browser,):
            browser.play_out()
            scores = [each["points"] for each in browser.state["score"]]
        visitor.enter(live.address, made, made["keys"]["host"])
    page.goto(live.address)
    page.locator('[data-key="finished"]').click()
    assert lines(page) == ["1", "2"]
    row = page.locator(ROWS).first
    assert row.locator(".player").all_inner_texts() == [f"greedy\n{scores[0]}", f"random\n{scores[1]}"]
    row.locator(".drawn img").wait_for()
    page.locator("#filter").fill("margin>=0 players=2")
    page.locator('[data-key="by-line"]').click()
    page.locator('[data-key="by-line"]').click()
    page.reload()
    assert lines(page) == ["2", "1"]
    assert problems(visitor, (360, 640), (1366, 768)) == []
    page.locator(f"{ROWS} .line a").first.click()
    visitor.wait(lambda: games[0]["id"] in page.url)


def test_two_agents_stand_side_by_side_and_a_curve_is_saved(shelf: Any, tab: Tab) -> None:
    (live, records), visitor = shelf, tab()
    page, at = visitor.page, next(n for n, word in enumerate(records[0]["moves"]) if word.startswith("build"))
    page.goto(f"{live.address}#record=0&move={at}")
    page.locator("#tab-analysis").click()
    page.locator("#analyst").select_option("search:sims=64")
    page.locator("#second").select_option("greedy")
    page.locator('[data-key="analyse"]').click()
    page.locator(".agreed").wait_for()
    assert page.locator(".candidate .badge").count() > 0
    assert page.locator(".warmth rect").count() > 0
    game = Game.from_record(records[0])
    game.take_back(at)
    found = [{one.word: one.share for one in analyse(game, spec).candidates} for spec in ("search:sims=64", "greedy")]
    for line in page.locator(".candidate").all():
        word = (line.get_attribute("data-key") or "").removeprefix("candidate-")
        shares = [f"{int(100 * round(side[word], 4) + 0.5)} %" if word in side else "\N{EN DASH}" for side in found]
        assert line.locator(".candidate-share").all_inner_texts() == shares
    agreed = "Both choose the same move." if len({next(iter(side)) for side in found}) == 1 else "They choose different"
    assert page.locator(".agreed").inner_text().startswith(agreed)
    page.locator('[data-key="chances"]').click()
    page.locator(".turn-move").first.wait_for()
    table, picture = (visitor.saved(f"oddville-chances-{kind}").decode() for kind in ("csv", "svg"))
    rows = list(csv.reader(table.splitlines()))
    assert (rows[0], len(rows)) == (["move", "Blue", "Purple"], len(records[0]["moves"]) + 2)
    assert all(sum(map(float, row[1:])) == pytest.approx(1, abs=0.001) for row in rows[1:] if row[1])
    assert picture.startswith('<svg xmlns="http://www.w3.org/2000/svg"')
    assert 'stroke-dasharray="6px, 3px"' in picture


def test_two_agents_are_compared_over_a_game_and_their_differences_are_listed(shelf: Any, tab: Tab) -> None:
    (live, records), visitor = shelf, tab(fresh=True)
    page = visitor.page
    page.goto(f"{live.address}#record=0")
    page.locator("#tab-analysis").click()
    page.locator("#analyst").select_option("champion")
    compare = page.locator('[data-key="compare"]')
    assert not compare.is_visible()
    page.locator("#second").select_option("greedy")
    compare.click()
    page.locator(".agreement .turn-move").first.wait_for()
    page.locator(".agreement .thinking").wait_for(state="detached")
    found = list(choices(Game.from_record(records[0]), "champion", "greedy"))
    differing = sorted((each for each in found if each.one != each.other), key=lambda one: one.difference, reverse=True)
    same = len(found) - len(differing)
    told = f"Both choose the same move at {same} of {len(found)} decisions ({int(100 * same / len(found) + 0.5)} %)."
    assert page.locator(".agreement .agreed").inner_text() == told
    assert page.locator(".agreement i").all_inner_texts() == [str(one.move) for one in differing[:MOST_DIFFERING]]
    assert (problems(visitor, (360, 640), (1366, 768)), visitor.axe_faults()) == ([], [])
    page.locator(".agreement .turn-move").first.click()
    visitor.wait(lambda: visitor.state["shown"] == differing[0].move - 1)
    page.locator("#second").select_option("")
    assert not page.locator(".agreement").is_visible()
    page.locator("#second").select_option("greedy")
    page.locator('[data-key="analyse"]').click()
    page.locator('[data-key="against-champion"]').wait_for()
    page.locator('[data-key="against-greedy"]').click()
    own = differing[0].seat
    visitor.wait(lambda: visitor.state["seats"] and visitor.state["seats"][1 - own]["agent"] == "greedy")
    assert (visitor.state["seats"][own]["kind"], visitor.state["moves"]) == ("human", differing[0].move - 1)


def test_tree_is_walked_step_by_step_its_line_stands_on_the_table_and_is_searched_on(shelf: Any, tab: Tab) -> None:
    (live, records), visitor = shelf, tab(fresh=True, viewport={"width": 360, "height": 740})
    page = visitor.page
    page.goto(f"{live.address}#record=0&move=60")
    page.locator("#tab-analysis").click()
    page.locator("#analyst").select_option("search:sims=400")
    page.locator('[data-key="analyse"]').click()
    page.locator(".branch").first.wait_for()
    game = Game.from_record(records[0])
    game.take_back(60)
    tree = analyse(game, "search:sims=400", branches=BRANCHES).tree
    words = game.game_type.words(game.box.layout)
    root, line = [one for one in tree if one.parent is None], []
    assert page.locator(".branch").count() == len(root)
    page.locator(".branch").first.focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowUp")
    for depth in range(3):
        behind = [place for place, one in enumerate(tree) if one.parent == (line[-1] if line else None)]
        assert page.locator(f'.branch:has(i:text-is("{depth + 1}"))').count() == len(behind)
        line.append(behind[0])
        key = f"tree-{' '.join(words[tree[place].action] for place in line)}"
        row = page.locator(f'tr:has([data-key="{key}"])')
        assert row.locator("td").all_inner_texts() == cells(tree[behind[0]])
        page.locator(f'[data-key="{key}"]').focus()
        page.keyboard.press("Enter")
        assert row.get_attribute("aria-current") == "true"
    page.locator(".step").first.wait_for(state="attached")
    numbered = page.locator(".step b, .step text").all_text_contents()
    assert "1" in numbered
    assert set(numbered) <= {"1", "2", "3"}
    assert (problems(visitor, (360, 740), (1366, 768)), visitor.axe_faults()) == ([], [])
    page.locator('[data-key="search-on"]').click()
    visitor.wait(lambda: visitor.state["moves"] == 63 and visitor.state["may"]["move"])
    assert [entry["word"] for entry in visitor.state["list"]["entries"]][60:] == [words[tree[at].action] for at in line]
    page.locator(".branch").first.wait_for()
    assert page.locator("#tab-analysis").get_attribute("aria-selected") == "true"


def cells(branch: Any) -> list[str]:
    shares = [round(part, 4) for part in (branch.values[branch.seat], branch.prior)]
    return [f"{branch.visits:,}", *(f"{int(100 * share + 0.5)} %" for share in shares)]


def test_copied_python_rebuilds_the_position(shelf: Any, tab: Tab) -> None:
    live, records = shelf
    page = tab().page
    page.goto(f"{live.address}#record=1&move=30")
    page.locator('.table[aria-busy="false"]').wait_for()
    page.get_by_role("button", name="Players and links").click()
    page.locator('[data-key="python"]').click()
    made: dict[str, Any] = {}
    exec(page.locator("textarea.python").input_value(), made)
    game = Game.from_record(records[1])
    game.take_back(30)
    assert made["game"].position() == game.position()


def test_each_game_of_a_server_has_its_agents(tmp_path: Path) -> None:
    games = [game_type(name) for name in ("oddville", "oldtown")]
    offered = ("greedy", "heuristic", "./mine.py:Bot")
    found = info(Lobby(games, tmp_path, offered))["agents"]
    specs = {game.name: tuple(agent["spec"] for agent in found if agent["game"] == game.name) for game in games}
    assert specs == {"oddville": ("greedy", "./mine.py:Bot"), "oldtown": offered}
