"""Whole games by screen reader: only roles, names and announcements are used."""

import re
import time
from collections.abc import Callable, Iterator
from typing import Any

from oddville_env.core.game.game_type import game_type
from oddville_env.oldtown.deduction.puzzle import printed_puzzles
from support.page.live import WAIT_S, Live, Tab
from support.page.stages import words_of

NO_KEYS = 12  # lots that are filled before the keyboard is used
MOVES_LEFT = 14
NO_MOVE = re.compile("^(Hint|Take back|Back)$")
MINE = re.compile(", your seat$")
TABLE = ("Buildings for sale", MINE, "Resources", "Buildings", "The town", "The city")
"""Where moves are made: regions and groups by their names."""


class Listener:
    """A user of a screen reader."""

    def __init__(self, page: Any) -> None:
        self.page = page
        self.bar = page.get_by_role("region", name="Your move")

    def heard(self) -> list[str]:
        """What was announced, the last one last."""
        lines: list[str] = self.page.get_by_role("log").first.get_by_role("paragraph").all_inner_texts()
        return lines

    def wait(self, holds: Callable[[], Any]) -> None:
        until = time.monotonic() + WAIT_S
        while not holds():
            assert time.monotonic() < until, self.heard()
            self.page.wait_for_timeout(20)

    def can_act(self) -> bool:
        """It is one's turn, or the game is over."""
        return bool(self.heard()) and "Waiting for" not in self.heard()[-1]

    def places(self) -> Iterator[Any]:
        """The parts of the table."""
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
        """Press it by the keyboard; something is heard then."""
        before = self.heard()
        self.next_button().press("Enter")
        self.wait(lambda: self.heard() != before)

    def play_to_the_end(self) -> None:
        """Press until the winner is announced."""
        self.wait(self.can_act)
        while not any("wins" in line for line in self.heard()):
            self.press()
            self.wait(self.can_act)


def test_oddville_can_be_played_by_screen_reader(hall: Live, tab: Tab) -> None:
    made = hall.make("human", "random", seed=5, settings={"max_rounds": 3})
    session = hall.session(made)
    session.pace = 0.0
    listener = Listener(tab().enter(hall.address, made, made["keys"]["host"]).page)
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
    made = hall.make("human", "greedy", "greedy", "greedy", game="oldtown", seed=3)
    session = hall.session(made)
    for word in words_of("oldtown")[:-MOVES_LEFT]:
        session.push(word)
    session.pace = 0.0
    listener = Listener(tab().enter(hall.address, made, made["keys"]["host"]).page)
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
