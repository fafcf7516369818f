"""Lessons: a prepared game of each kind is played to its end by following the marks."""

import json
import time
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from oddville_env.core.game.game_type import game_type
from support.page.live import WAIT_S, Live, Tab
from web.test_browser import PHONE
from web.test_every_window import problems

STATIC = Path(__file__).parents[2] / "oddville_env" / "web" / "static"
GAMES = ("oddville", "oldtown")
SMALLEST = ((320, 568), (568, 320), (1180, 560))
"""Windows in which there is least room for a lesson: that stand, that lie, that are wide and low."""


@cache
def lesson_of(game: str) -> Any:
    return json.loads((STATIC / "lessons" / f"{game}.json").read_text())


def words_of(lesson: dict[str, Any]) -> list[str]:
    parts = [lesson["before"], *(f"{step['word']} {step['then']}" for step in lesson["steps"])]
    return " ".join(parts).split()


def kind_of(game: str, word: str) -> str:
    """The kind of a move; cards of Old Town are played alone or with an own building, and drawn from two stacks."""
    kind, *more = word.split(":")
    return f"{kind}:{len(more)}" if kind == "play" else word if kind == "draw" else kind


@pytest.mark.parametrize("game", GAMES)
def test_lesson_is_a_whole_game_with_each_kind_of_move_won_by_the_learner(game: str) -> None:
    lesson, kind = lesson_of(game), game_type(game)
    told = {step["word"] for step in lesson["steps"]}
    played, by_visitor = kind.game(1 + len(lesson["partners"]), lesson["seed"]), []
    for word in words_of(lesson):
        by_visitor += [word] * (played.to_move == 0)
        played.push(word)
    assert played.is_over
    assert played.outcome.ranks[0] == 1
    assert told <= set(by_visitor)
    words = kind.words(kind.box(kind.settings(2)).layout)
    assert {kind_of(game, word) for word in told} == {kind_of(game, word) for word in words}


def gone_on(live: Live, tab: Tab, game: str, steps: int, **options: Any) -> Any:
    """A user who resumes a lesson after so many steps."""
    lesson = lesson_of(game)
    names = [None, *lesson["partners"]]
    made = live.make(*["human"] * len(names), game=game, seed=lesson["seed"], names=names)
    for word in words_of({**lesson, "steps": lesson["steps"][:steps]}):
        live.session(made).push(word)
    mine, *others = made["keys"]["seats"]
    visitor = tab(**options)
    visitor.page.goto(f"{live.address}#game={made['id']}&key={mine}&lesson={','.join(others)}")
    return visitor


GOES_ON = """end => document.querySelector(".taught") || document.querySelector(".coach")?.innerText.includes(end)"""
CLICK = """() => {
    const one = document.querySelector(".taught");
    const button = one?.querySelector(":scope > .cover") ?? one;
    button?.dispatchEvent(new MouseEvent("click", { bubbles: true }));
}"""


def by_keyboard(visitor: Any) -> None:
    visitor.page.evaluate("document.querySelector('[data-key=\"lesson-show\"]')?.focus()")
    for _ in range(2):
        visitor.page.keyboard.press("Enter")


def follow(visitor: Any, end: str, touch: Any = lambda visitor: visitor.page.evaluate(CLICK)) -> None:
    """Touch what is marked until the lesson tells this."""
    told, told_at = "", time.monotonic()
    while end not in (words := visitor.page.locator(".coach").inner_text()):
        if words != told:
            told, told_at = words, time.monotonic()
        assert time.monotonic() - told_at < WAIT_S, words
        touch(visitor)
        visitor.page.wait_for_function(GOES_ON, arg=end, polling=20)


def kinds_played(live: Live, visitor: Any) -> set[str]:
    """The kinds of moves that were played in the game at which the visitor is, since the first state that they saw."""
    played = live.session({"id": visitor.game}).entries[visitor.states[0]["moves"] :]
    return {entry["word"].split(":")[0] for entry in played}


def test_lesson_of_oddville_is_played_by_touch(hall: Live, tab: Tab) -> None:
    visitor = gone_on(hall, tab, "oddville", steps=4)
    follow(visitor, "Step 12")
    assert kinds_played(hall, visitor) >= {"recover", "build", "swap"}
    assert problems(visitor, *SMALLEST) == visitor.axe_faults() == []


@pytest.mark.parametrize("game", GAMES)
def test_lesson_can_be_resumed_and_offers_a_real_game(hall: Live, tab: Tab, game: str) -> None:
    visitor = gone_on(hall, tab, game, len(lesson_of(game)["steps"]) - 1)
    follow(visitor, "Now play a real game")
    assert visitor.state["over"]
    assert visitor.state["outcome"]["winners"] == [0]
    visitor.page.get_by_role("button", name="Now play a real game").click()
    visitor.page.get_by_text("Welcome to O").wait_for()
    visitor.see_lobby(hall.address, game).page.get_by_role("heading", name="Your first game").wait_for()


def test_lesson_of_old_town_is_played_by_keyboard(hall: Live, tab: Tab) -> None:
    visitor = gone_on(hall, tab, "oldtown", 2, **PHONE)
    follow(visitor, "Step 10", by_keyboard)
    assert kinds_played(hall, visitor) >= {"show", "remove", "draw"}


def test_lesson_answers_other_moves_without_playing_them(hall: Live, tab: Tab) -> None:
    visitor = tab().see_lobby(hall.address, "oddville")
    visitor.page.get_by_role("button", name="Learn by playing").click()
    told = visitor.page.get_by_role("region", name="Learning by playing")
    confirm = visitor.page.get_by_role("button", name="Confirm")
    told.get_by_text("Now: First worker on stone.").wait_for()
    visitor.spot("resource:crystal").click()
    told.get_by_text("another time").wait_for()
    confirm.click()
    visitor.page.locator(".taught").click()
    assert visitor.state["moves"] == 1
    visitor.page.reload()
    visitor.states.clear()
    told.get_by_text("Step 1 of 25").wait_for()
    visitor.spot("resource:stone").click()
    confirm.click()
    told.get_by_text("Step 2 of 25").wait_for()
    visitor.page.get_by_role("button", name="Undo").click()
    told.get_by_text("Step 1 of 25").wait_for()
    visitor.spot("resource:stone").click()
    confirm.dblclick()
    told.get_by_text("Step 2 of 25").wait_for()
    assert visitor.page.get_by_role("alert").get_by_text("meanwhile").count() == 0
    told.get_by_role("button", name="Leave the lesson").click()
    visitor.page.get_by_role("link", name="Ada, Ben").wait_for()


def test_lesson_is_not_offered_again(hall: Live, tab: Tab) -> None:
    visitor = tab()
    visitor.page.goto(hall.address)
    visitor.page.get_by_role("button", name="I know it").click()
    for _ in range(2):
        visitor.page.get_by_role("heading", name="Your first game").wait_for()
        assert visitor.page.get_by_role("heading", name="New here?").count() == 0
        visitor.page.reload()


def test_lesson_of_puzzles_is_played_by_touch(hall: Live, tab: Tab) -> None:
    visitor = tab().see_lobby(hall.address, "oldtown")
    visitor.page.get_by_role("button", name="Learn the puzzles").click()
    told = visitor.page.get_by_role("region", name="Learning by playing")
    told.wait_for()
    visitor.page.get_by_role("button", name="Check").click()
    told.get_by_text("That is for later").wait_for()
    follow(visitor, "Step 5")
    visitor.page.evaluate("window.asks = window.fetch; window.fetch = () => Promise.reject(new Error('no way')); 0")
    visitor.page.evaluate(CLICK)  # a hint that fails is no step
    visitor.page.get_by_role("alert").get_by_text("no way").wait_for()
    told.get_by_text("Step 5").wait_for()
    visitor.page.evaluate("window.fetch = window.asks; 0")
    follow(visitor, "Solve it")
    visitor.page.get_by_role("button", name="Solve it").click()
    visitor.page.get_by_role("region", name="Clues").wait_for()
    told.wait_for(state="detached")
