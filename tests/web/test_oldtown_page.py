"""Old Town's page in a real browser: a whole game and a puzzle by clicks, what a card would do, axe."""

import json
from collections.abc import Callable
from typing import Any

import pytest

from oddville_env import OldTown
from oddville_env.oldtown.deduction.puzzle import printed_puzzles
from support.page.live import Live
from support.page.stages import words_of
from web.test_browser import LIGHT, PHONE, faults_at_the_table, shot
from web.test_browser import entered as host

Tab = Callable[..., Any]
MOVES_LEFT = 22
"""Moves at the end of a game in which the second player makes every kind of move."""


@pytest.fixture
def live(halls: Callable[..., Live]) -> Live:
    return halls("oldtown")


def entered(live: Live, tab: Tab, *seats: str, seed: int, before: str = "", **options: Any) -> Any:
    return host(live, tab, *seats, game="oldtown", seed=seed, before=before, options=options)


def play(visitor: Any) -> str:
    """Play by clicks: a pair, by touching both cards, where there is one, else the best move; its word."""
    pairs = [move for move in visitor.moves if move.get("then")]
    move, moves = pairs[0] if pairs else visitor.best(), visitor.state["moves"]
    if not move.get("then"):
        visitor.play(move)
        return str(move["word"])
    visitor.spot(move["path"][0]).click()
    visitor.spot(move["then"][0]["spot"]).click()
    visitor.button("confirm").click()
    visitor.wait(lambda: visitor.state["moves"] >= moves + 2)
    return str(move["word"])


def until(visitor: Any, holds: Callable[[list[dict[str, Any]]], Any]) -> Any:
    """Play until something holds of the legal moves; what it found."""
    for _ in range(60):
        visitor.wait_for_turn()
        if found := holds(visitor.moves):
            visitor.page.wait_for_timeout(50)
            return found
        play(visitor)
    raise AssertionError("it did not come up")


def test_game_of_old_town_can_be_played_by_clicks(live: Live, tab: Tab) -> None:
    made = live.make("greedy", "human", game="oldtown", seed=3)
    session = live.session(made)
    session.pace = 0.0
    for word in words_of("oldtown", players=2)[:-MOVES_LEFT]:
        session.push(word)
    visitor = tab().enter(live.address, made, made["keys"]["host"])
    kinds = set()
    while True:
        visitor.wait_for_turn()
        if visitor.state["over"]:
            break
        kinds.add(play(visitor).split(":")[0])
    words = [entry["word"] for entry in session.entries]
    assert OldTown(2, 3, moves=words).is_over
    assert kinds >= {"take", "play", "show", "remove"}
    page = visitor.page.locator("main").inner_text()
    assert all(str(each) in page for each in visitor.state["outcome"]["scores"])
    shot(visitor, "oldtown-end")


def test_card_previews_its_effect_with_reasons(live: Live, tab: Tab) -> None:
    visitor = entered(live, tab, "human", "greedy", seed=5, before="play")
    move = until(visitor, lambda moves: next((move for move in moves if len(move.get("why", ())) > 1), None))
    visitor.spot(move["path"][0]).hover()
    why = visitor.page.locator(".why").inner_text()
    assert f"Card {move['parts']['card']}" in why
    assert f"{max(move['scores'])} point" in why
    change = visitor.page.locator(".change")
    assert change.locator(".goes").count() == len(move["goes"])
    assert change.locator(".comes").count() == len(move["comes"])
    assert change.locator(".stands").count() == len(move["stands"])
    assert visitor.state["moves"] == len(live.session(visitor.made).entries)
    shot(visitor, "oldtown-why")


def test_card_can_be_played_by_keyboard(live: Live, tab: Tab) -> None:
    visitor = entered(live, tab, "human", "greedy", seed=5, before="play")
    until(visitor, lambda moves: [move for move in moves if move["word"].startswith("play")])
    hand = [card["spot"] for card in visitor.state["table"]["seats"][0]["hand"]]
    move = next(move for move in visitor.moves if move["word"].startswith("play"))
    moves = visitor.state["moves"]
    visitor.page.keyboard.press(str(hand.index(move["path"][0]) + 1))
    if len(move["path"]) > 1 and not visitor.button("confirm").is_visible():
        visitor.page.locator(f'.action-bar [data-word="{move["word"]}"]').press("Enter")
    visitor.page.locator('.action-bar [data-key="confirm"]').press("Enter")
    visitor.wait(lambda: visitor.state["moves"] > moves)


def test_phone_shows_everything_and_plays(live: Live, tab: Tab) -> None:
    visitor = entered(live, tab, "human", "greedy", "greedy", seed=5, **PHONE)
    for _ in range(4):
        visitor.wait_for_turn()
        play(visitor)
    assert visitor.page.evaluate("document.documentElement.scrollWidth") <= PHONE["viewport"]["width"]  # type: ignore[index]
    shot(visitor, "oldtown-phone")


def test_visit_of_a_game_transfers_little(live: Live, tab: Tab) -> None:
    visitor = entered(live, tab, "human", "greedy", seed=5, fresh=True)
    visitor.page.wait_for_load_state("networkidle")
    sizes = "performance.getEntriesByType('resource').reduce((sum, entry) => sum + entry.transferSize, 0)"
    page = visitor.page.evaluate("performance.getEntriesByType('navigation')[0].transferSize")
    assert page + visitor.page.evaluate(sizes) + visitor.received < LIGHT


BY_HAND = 12  # lots before those that are filled by the mouse


def solve(visitor: Any, number: int) -> None:
    """Solve a printed puzzle by clicks: a building, its lot. Only the last ones wait for the mouse to get there."""
    solution = printed_puzzles()[number - 1].solution
    assert solution is not None
    for lot, building in enumerate(solution, 1):
        for place in (f'[data-key="building-{building}"]', f'[data-lot="{lot}"]'):
            touched = visitor.page.locator(place)
            touched.click() if lot > BY_HAND else touched.dispatch_event("click")


def opened(live: Live, tab: Tab, name: str, **options: Any) -> Any:
    visitor = tab(**options)
    visitor.page.goto(f"{live.address}#puzzle={name}&of=oldtown")
    visitor.page.locator(".puzzle").wait_for()
    return visitor


def test_puzzle_can_be_solved_by_clicks(live: Live, tab: Tab) -> None:
    visitor = opened(live, tab, "1")
    message = visitor.page.locator(".puzzle-message")
    visitor.page.locator('[data-key="hint"]').click()
    message.get_by_text("Card 2 leaves the Barber on 2, 6, 9 or 10.").wait_for()
    visitor.page.locator('[data-key="pencil-in"]').click()
    assert visitor.page.locator(".puzzle-lot.marked").count() == 4
    visitor.page.keyboard.press("u")
    assert visitor.page.locator(".puzzle-lot.marked").count() == 0
    visitor.page.locator('[data-key="clear"]').click()
    solve(visitor, 1)
    message.get_by_text("Solved!").wait_for()
    visitor.page.reload()
    visitor.page.locator(".puzzle").wait_for()
    assert "16 of 16 stand" in visitor.page.locator(".puzzle-title").inner_text()
    shot(visitor, "puzzle-solved")


def test_wrong_marks_are_reported_and_undone_by_keyboard(live: Live, tab: Tab) -> None:
    visitor = opened(live, tab, "1")
    visitor.page.locator('[data-key="building-bank"]').press("Enter")
    visitor.page.locator('[data-lot="1"]').press("Enter")
    visitor.page.keyboard.press("c")
    message = visitor.page.locator(".puzzle-message")
    message.get_by_text("This cannot be: the Bank.").wait_for()
    visitor.page.keyboard.press("u")
    visitor.page.keyboard.press("c")
    message.get_by_text("Everything is right so far.").wait_for()


def test_puzzle_can_be_opened_from_the_lobby(live: Live, tab: Tab) -> None:
    visitor = tab(locale="de-DE")
    visitor.page.goto(live.address)
    visitor.page.locator('[data-key="level-hard"]').click()
    visitor.page.locator(".puzzle-title").get_by_text("schwer").wait_for()
    assert visitor.page.locator("[data-key^=clue-]").count() > 10


def test_axe_finds_nothing_at_the_table(live: Live, tab: Tab) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python")
    visitor = entered(live, tab, "human", "greedy", seed=5, before="draw")
    play(visitor)
    until(visitor, lambda moves: any(move["word"].startswith("play") for move in moves))
    told = faults_at_the_table(visitor, axe.Axe())
    assert told == {}, json.dumps(told, indent=1)


@pytest.mark.parametrize("where", ["lobby", "replay", "puzzle"])
def test_axe_finds_nothing(live: Live, tab: Tab, where: str) -> None:
    axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs axe-playwright-python")
    if where == "lobby":
        visitor = tab().see_lobby(live.address)
    elif where == "puzzle":
        visitor = opened(live, tab, "3")
        for _ in range(3):
            visitor.page.locator('[data-key="hint"]').click()
            visitor.page.locator('[data-key="pencil-in"]').click()
    else:
        game = OldTown(3, seed=2)
        for _ in range(20):
            game.push(sorted(game.legal_moves.words())[-1])
        made = live.http.post(f"{live.address}api/games", json={"game": "oldtown", "upload": game.record()}).json()
        visitor = tab().enter(live.address, made, made["keys"]["watch"])
    told = visitor.axe_faults(axe.Axe())
    assert told == [], json.dumps(told, indent=1)


def test_guide_of_old_town_explains_new_situations(live: Live, tab: Tab) -> None:
    visitor = tab()
    guide = visitor.enter_guided(live.address, "Welcome to Old Town")
    live.session({"id": visitor.game}).pace = 0.0
    guide.get_by_text("Take two buildings of your own").wait_for()
    guide.get_by_text("Got it").click()
    until(visitor, lambda moves: any(move["word"].startswith("play") for move in moves))
    guide.get_by_text("Cards with a ring").wait_for()
    guide.get_by_text("No more hints").click()
    assert guide.count() == 0
