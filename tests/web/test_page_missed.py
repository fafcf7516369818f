"""Missed moves in a real browser, and whole games by screen reader."""

import re
from typing import Any

from oddville_env.core.game.game_type import game_type
from oddville_env.oldtown.deduction.puzzle import printed_puzzles
from oddville_env.web.sessions.company import UndoRequest
from support.page.live import Live, Tab
from web.test_browser import PHONE, entered

AWAY = """document.away = false; Object.defineProperty(document, "hidden", { get: () => document.away });
window.look = (away) => { document.away = away; document.dispatchEvent(new Event("visibilitychange")); };"""
HELD = """window.comes = null; const send = WebSocket.prototype.send; WebSocket.prototype.send = function (said) {
    if (said.includes('"go"') && !comes) comes = () => send.call(this, said);
    else send.call(this, said); }; 0"""
"""The first moment that is asked for comes when the test says so."""
HASTE = """window.hasty = false; window.waits = [];
const every = window.setInterval, animate = Element.prototype.animate;
window.setInterval = (work, wait) => {
    let ticks = 0; waits.push(wait); return every(() => hasty || ++ticks % 20 === 0 ? work() : 0, wait / 20); };
Element.prototype.animate = function (...how) {
    const shown = animate.apply(this, how); if (hasty) shown.finish(); return shown; };"""
"""From `hasty = true` on, the rest of a replay runs fast."""
MOVES = 3
FAST_MS = 700  # for a move
MOVING = {"reduced_motion": "no-preference"}
LOW = {**PHONE, "viewport": {"width": 844, "height": 390}}


def left_alone(hall: Live, tab: Tab, made: dict[str, Any] | None = None, **options: Any) -> Any:
    """A user with a hidden tab, while some moves are played."""
    made = made or hall.make("human", "human", seed=2)
    visitor = tab(init=AWAY + HASTE, **options).enter(hall.address, made, made["keys"]["seats"][0])
    visitor.made = made
    visitor.page.evaluate("look(true)")
    play_on(hall, visitor)
    return visitor


def play_on(hall: Live, visitor: Any, moves: int = MOVES) -> None:
    end = visitor.state["moves"] + moves
    hall.play_until(visitor.made, lambda: hall.session(visitor.made).moves == end)
    visitor.wait(lambda: visitor.state["moves"] == end)
    visitor.page.locator('.table[aria-busy="false"]').wait_for()


def prefer(visitor: Any, speed: str) -> None:
    """Come back with this speed for missed moves."""
    visitor.page.evaluate(f"localStorage.setItem('oddville.preferences', JSON.stringify({{replay: '{speed}'}}))")
    visitor.page.reload()


def shown(visitor: Any) -> list[int]:
    return [state["shown"] for state in visitor.states if state["reason"] == "go"]


def assert_nothing_is_missed(visitor: Any) -> None:
    visitor.page.locator('.table[aria-busy="false"]').wait_for()
    assert visitor.page.locator(".missed:visible").count() == 0


def test_missed_moves_are_replayed_once_in_order_at_the_chosen_speed_in_sight(hall: Live, tab: Tab) -> None:
    visitor = left_alone(hall, tab, **MOVING, **LOW)
    prefer(visitor, "fast")
    visitor.page.evaluate("scrollTo(0, 300)")
    bar, speed = visitor.page.locator(".missed:visible"), visitor.page.locator("#speed")
    bar.get_by_text("Since your last visit: 3 moves.").wait_for()
    assert 0 <= bar.bounding_box()["y"] < 300
    assert (visitor.page.evaluate("waits.at(-1)"), speed.input_value()) == (FAST_MS, "2")
    visitor.page.evaluate("hasty = true")
    visitor.wait(lambda: visitor.state["newest"] and visitor.state["reason"] == "go")
    assert shown(visitor) == list(range(MOVES + 1))
    bar.wait_for(state="detached")
    assert speed.input_value() == "1"
    visitor.page.reload()
    visitor.wait(lambda: visitor.state["reason"] == "enter")
    assert_nothing_is_missed(visitor)


def test_moves_during_a_hidden_tab_are_replayed_and_can_be_skipped(hall: Live, tab: Tab) -> None:
    visitor = left_alone(hall, tab, **MOVING)
    skip = visitor.page.locator(".missed [data-key=skip]")
    worker = visitor.page.locator(".own .worker").first
    ways = (skip.click, lambda: visitor.page.keyboard.press("Escape"), lambda: worker.click(force=True))
    for number, way in enumerate(ways):
        if number:
            visitor.page.evaluate("look(true)")
            play_on(hall, visitor)
        visitor.page.evaluate("look(false)")
        skip.wait_for()
        visitor.wait(lambda: not visitor.state["newest"])
        way()
        visitor.wait(lambda: visitor.state["newest"])
        visitor.page.locator(".missed").wait_for(state="hidden")


def test_missed_moves_are_a_list_with_reduced_motion_that_a_touch_or_its_button_closes(hall: Live, tab: Tab) -> None:
    visitor = left_alone(hall, tab, **PHONE, color_scheme="dark")
    session = hall.session(visitor.made)
    for way in ("button", "touch"):
        visitor.page.evaluate("look(true)")
        play_on(hall, visitor)
        hall.play_until(visitor.made, lambda: session.game.to_move == 0)
        visitor.wait(lambda: visitor.state["moves"] == session.moves)
        visitor.page.evaluate("look(false)")
        visitor.page.locator(".missed-moves li").nth(MOVES - 1).wait_for()
        visitor.page.locator('[role="log"]').get_by_text("Since your last visit").last.wait_for()
        if way == "button":
            visitor.page.locator("[data-key=got-missed]").press("Enter")
        else:
            visitor.spot(visitor.moves[-1]["path"][0]).click()
        visitor.page.locator(".missed").wait_for(state="hidden")
        if way == "button":
            assert visitor.page.evaluate("document.activeElement.closest('.table') !== null")
        else:  # it counts as a touch of the table too
            assert visitor.button("back").is_visible() or visitor.button("confirm").is_visible()
    assert shown(visitor) == []


def test_nothing_is_replayed_if_switched_off_or_seen(hall: Live, tab: Tab) -> None:
    visitor = left_alone(hall, tab, **MOVING)
    seen = """localStorage.setItem("oddville.seen", JSON.stringify(Object.fromEntries(
        Object.keys(JSON.parse(localStorage.getItem("oddville.seen"))).map(key => [key, 3]))))"""
    visitor.page.evaluate(seen)  # in another tab
    visitor.page.evaluate("look(false)")
    assert_nothing_is_missed(visitor)
    visitor.page.evaluate("look(true)")
    play_on(hall, visitor)
    prefer(visitor, "off")
    assert_nothing_is_missed(visitor)
    assert shown(visitor) == []


def test_early_move_does_not_end_the_replay(hall: Live, tab: Tab) -> None:
    visitor = left_alone(hall, tab, **MOVING)
    visitor.page.evaluate(HELD)
    visitor.page.evaluate("look(false)")
    play_on(hall, visitor, 1)
    visitor.page.evaluate("comes()")
    visitor.page.locator(".missed [data-key=skip]").wait_for()
    visitor.page.evaluate("hasty = true")
    visitor.page.locator(".missed").wait_for(state="hidden")
    assert visitor.state["newest"]
    assert shown(visitor) == list(range(MOVES + 2))


def test_replay_ends_when_its_moves_are_undone(hall: Live, tab: Tab) -> None:
    visitor = left_alone(hall, tab, **MOVING)
    visitor.page.evaluate("look(false)")
    visitor.page.locator(".missed [data-key=skip]").wait_for()
    session = hall.session(visitor.made)
    session.asked = UndoRequest([0], 0, set())
    hall.change(visitor.made, "undo", session._undo_if_agreed)
    visitor.page.locator(".missed").wait_for(state="hidden")
    visitor.wait(lambda: visitor.state["newest"])
    hall.play_until(visitor.made, lambda: session.moves == 2)
    visitor.wait(lambda: visitor.state["moves"] == 2)
    assert visitor.state["newest"]


def test_missed_moves_are_a_list_while_the_own_clock_runs(hall: Live, tab: Tab) -> None:
    made = hall.make("human", "human", seed=2, clock={"total": 600, "increment": 0})
    session = hall.session(made)
    with hall.enter(made, 1):
        visitor = left_alone(hall, tab, made, **MOVING)
        hall.play_until(made, lambda: session.clock.runs == 0)
        visitor.wait(lambda: visitor.state["moves"] == session.moves)
        visitor.page.evaluate("look(false)")
        visitor.page.locator(".missed-moves li").first.wait_for()
    assert shown(visitor) == []
    visitor.page.keyboard.press("[")
    visitor.page.get_by_text("It is your turn now.").wait_for()
    assert "your turn" in visitor.page.title()


def test_new_moves_are_announced_once_while_looking_back(hall: Live, tab: Tab) -> None:
    visitor = left_alone(hall, tab)
    visitor.page.evaluate("look(false)")
    visitor.page.keyboard.press("Escape")
    moment = visitor.page.locator("#moment")
    visitor.page.keyboard.press("[")
    visitor.wait(lambda: moment.input_value() == str(MOVES - 1))
    play_on(hall, visitor)
    visitor.wait(lambda: moment.get_attribute("max") == str(2 * MOVES))
    heard = visitor.page.locator('[role="log"] p').all_inner_texts()[-MOVES:]
    assert len(set(heard)) > MOVES // 2  # not the move that is looked at, again and again
    for number in range(MOVES, 2 * MOVES + 1):
        visitor.page.keyboard.press("]")
        visitor.wait(lambda number=number: moment.input_value() == str(number))
    assert_nothing_is_missed(visitor)


NO_KEYS = 12  # lots that are filled before the keyboard is used
MOVES_LEFT = 14
NO_MOVE = re.compile("^(Hint|Take back|Back)$")
MINE = re.compile(", your seat$")
TABLE = ("Buildings for sale", MINE, "Resources", "Buildings", "The town", "The city")
"""Where moves are made: regions and groups by their names."""


class Listener:
    """A user of a screen reader."""

    def __init__(self, visitor: Any) -> None:
        self.page, self.wait = visitor.page, visitor.wait
        self.bar = self.page.get_by_role("region", name="Your move")

    def heard(self) -> list[str]:
        lines: list[str] = self.page.get_by_role("log").first.get_by_role("paragraph").all_inner_texts()
        return lines

    def can_act(self) -> bool:
        return bool(self.heard()) and "Waiting for" not in self.heard()[-1]

    def places(self) -> Any:
        for name in TABLE:
            yield self.page.get_by_role("region", name=name, exact=isinstance(name, str))
            yield self.page.get_by_role("group", name=name, exact=isinstance(name, str))

    def next_button(self) -> Any:
        """What a listener presses: to confirm, else what is said in words, else the next thing that can be chosen."""
        confirm = self.bar.get_by_role("button", name="Confirm")
        if confirm.count():
            return confirm
        spoken = [one for one in self.bar.get_by_role("button").all() if not NO_MOVE.match(one.inner_text())]
        named = [one for one in spoken if one.inner_text()]
        if named:
            return named[0]
        for place in self.places():
            open_ones = place.get_by_role("button", disabled=False, pressed=False)
            if open_ones.count():
                return open_ones.first
        raise AssertionError(self.heard())

    def press(self) -> None:
        before = self.heard()
        self.next_button().press("Enter")
        self.wait(lambda: self.heard() != before)

    def play_to_the_end(self) -> None:
        self.wait(self.can_act)
        while not any("wins" in line for line in self.heard()):
            self.press()
            self.wait(self.can_act)


def test_oddville_can_be_played_by_screen_reader(hall: Live, tab: Tab) -> None:
    visitor = entered(hall, tab, "human", "random", game="oddville", seed=5, settings={"max_rounds": 3})
    listener, session = Listener(visitor), hall.session(visitor.made)
    listener.play_to_the_end()
    assert session.game.is_over
    assert {entry["word"].split(":")[0] for entry in session.entries if entry["seat"] == 0} >= {"setup", "buy"}
    told = " ".join(listener.heard())
    for name, points in zip(("Blue", "Purple"), session.game.scores, strict=True):
        assert f"{name}: {points} point" in told
    assert any(re.match("Purple (?!wins)", line) for line in listener.heard()), "what the other one did"
    mine = listener.page.get_by_role("region", name="Blue, your seat")
    assert mine.get_by_role("img", name=re.compile(rf"^Blue: {session.game.scores[0]} point")).count() == 1


def test_old_town_can_be_played_by_screen_reader(hall: Live, tab: Tab) -> None:
    visitor = entered(hall, tab, "human", *["greedy"] * 3, game="oldtown", seed=3, left=MOVES_LEFT)
    listener, session = Listener(visitor), hall.session(visitor.made)
    listener.play_to_the_end()
    assert session.game.is_over
    assert f"Blue: {session.game.scores[0]} point" in " ".join(listener.heard())


def press(button: Any, lot: int) -> None:
    """The last buttons by the keyboard, the many before them as quickly as the page hears them."""
    button.press("Enter") if lot > NO_KEYS else button.dispatch_event("click")


def test_puzzle_can_be_solved_by_screen_reader(hall: Live, tab: Tab) -> None:
    puzzle, page = printed_puzzles()[0], tab().page
    page.goto(f"{hall.address}#puzzle=1&of=oldtown")
    page.get_by_role("region", name="Clues").get_by_role("button").first.press("Enter")
    page.get_by_role("status").get_by_text("stood on lot").wait_for()
    names = game_type("oldtown").game(2, 0).position()["buildings"]
    assert set(puzzle.solution or ()) <= set(names)
    for lot, building in enumerate(puzzle.solution or (), 1):
        called = building.replace("_", " ").replace("printers", "printer's")
        choose = page.get_by_role("region", name="Buildings").get_by_role("button", name=re.compile(called, re.I))
        press(choose, lot)
        page.get_by_role("status").get_by_text(re.compile(f"Where may the {called}", re.I)).wait_for()
        town = page.get_by_role("group", name="The town with your pencil marks")
        press(town.get_by_role("button", name=re.compile(rf"^Lot {lot}:")), lot)
    page.get_by_role("status").get_by_text("Solved!").wait_for()
    page.reload()
    page.get_by_text("16 of 16 stand").wait_for()
