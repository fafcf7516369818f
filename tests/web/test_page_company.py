"""What people at one table settle among themselves, in a real browser."""

from collections.abc import Callable
from typing import Any

import pytest

from support.page.live import Live
from web.test_browser import shot

Tab = Callable[..., Any]


@pytest.fixture
def live(halls: Callable[..., Live]) -> Live:
    return halls("oldtown", "oddville")


def test_the_screen_is_passed_on_between_two_hands(live: Live, tab: Tab) -> None:
    made = live.make("human", "human", game="oldtown", seed=3, names=["Ann", "Bob"])
    visitor = tab().enter(live.address, made, made["keys"]["host"])
    names, seen = ["Ann", "Bob"], set()
    for _ in range(3):  # the first one sits down once more
        turn = visitor.state["to_move"]
        assert visitor.page.locator(".clue:visible").count() == 0
        visitor.page.get_by_text(f"Pass the screen to {names[turn]}.").wait_for()
        shot(visitor, "covered")
        visitor.page.get_by_text(f"I am {names[turn]}: show my hand").click()
        visitor.wait(lambda turn=turn: visitor.state["view"] == turn)
        visitor.page.locator(".clue").first.wait_for()
        seen.add(turn)
        while visitor.state["to_move"] == turn:
            visitor.play(visitor.best())
    assert seen == {0, 1}


def test_a_choice_that_has_begun_stays_when_others_come_and_go(live: Live, tab: Tab) -> None:
    made = live.make("human", "human", game="oddville", seed=2)
    first = live.session(made).game.to_move
    visitor = tab().enter(live.address, made, made["keys"]["seats"][first])
    visitor.spot(visitor.best()["path"][0]).click()
    chosen = visitor.page.locator(".chosen")
    chosen.first.wait_for()
    told = len(visitor.states)
    with live.browser(made["id"], made["keys"]["seats"][1 - first]):
        visitor.wait(lambda: len(visitor.states) > told)
    visitor.wait(lambda: len(visitor.states) > told + 1)
    visitor.wait_for_turn()
    assert chosen.count()


@pytest.mark.parametrize("answer", ["agree", "disagree"])
def test_who_wants_to_take_back_asks_the_others(live: Live, tab: Tab, answer: str) -> None:
    made = live.make("human", "human", game="oddville", seed=2, names=["Ann", "Bob"])
    keys = zip(({}, {"locale": "de-DE"}), made["keys"]["seats"], strict=True)
    tabs = [tab(**options).enter(live.address, made, key) for options, key in keys]
    asker = next(each for each in tabs if each.state["may"]["move"])
    other = tabs[1 - tabs.index(asker)]
    asker.play(asker.best())
    asker.button("undo").click()
    asker.page.locator(".company:visible").wait_for()
    other.page.locator(f'[data-key="{answer}"]').click()
    shot(asker, "asked")
    asker.wait(lambda: asker.state["asks"] is None)
    if answer == "agree":
        asker.wait(lambda: asker.state["moves"] == 0)
    else:
        text = "Nothing was taken back." if asker is tabs[0] else "Es wurde nichts zurückgenommen."
        asker.page.get_by_text(text).wait_for()
        assert asker.state["moves"] == 1
    assert asker.page.locator(".company:visible").count() == 0
