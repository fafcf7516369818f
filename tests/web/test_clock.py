"""The clock of a game among people, as the server has it: with a time that tests tell, and nobody waits for."""

import contextlib
from typing import Any

import pytest

from oddville_env.web.refusal import RefusalError
from oddville_env.web.sessions.access import Grant
from oddville_env.web.sessions.clock import Clock
from support.page.live import Browser, Live

TERMS = {"total": 600, "increment": 5}
SIMPLE = {"total": 600, "increment": 0}


class Time:
    """A time that goes on when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    told = Time()
    monkeypatch.setattr("oddville_env.web.sessions.clock.monotonic", told)
    monkeypatch.setattr(Clock.__init__, "__defaults__", (told,))
    return told


def play_first_turns(live: Live, made: dict[str, Any]) -> int:
    """Play until the time runs of who is to move."""
    session = live.session(made)
    live.play_until(made, lambda: session.clock.runs is not None)
    return int(session.clock.runs)


def ring(live: Live, made: dict[str, Any]) -> None:
    """What the server's timer does when it has waited for long enough."""
    with contextlib.suppress(RefusalError):
        live.change(made, "seats", live.lobby.rooms[made["id"]]._end_time)


def play_until_runs(live: Live, made: dict[str, Any], seat: int) -> None:
    """Play as the host in seat 0 and the guest in seat 1 until this seat's time runs."""
    session, entries = live.session(made), [Grant("host"), Grant("seat", 1)]

    def play() -> None:
        session.play(entries[session.game.to_move], session.game.legal_moves.words()[0], session.moves)

    while session.clock.runs != seat:
        live.change(made, "move", play)


def clock_of(browser: Browser) -> dict[str, Any]:
    """The clock as it is told now."""
    browser.say("go", move=None)
    browser.until("state", reason="go")
    return dict(browser.state["clock"])


def test_a_simple_clock_counts_down_and_fischer_s_gains_after_every_turn() -> None:
    for increment, after in ((0, 590.0), (5, 595.0)):
        time = Time()
        clock = Clock(2, 600, increment, time)
        clock.run(0)
        time.now += 4
        clock.moved(0, 0)  # the turn goes on
        clock.run(0)
        time.now += 6
        clock.moved(0, 1)
        clock.run(1)
        time.now += 7
        assert clock.state([0, 1])["left"] == [after, 593.0]
        clock.run(None)
        time.now += 1000
        assert clock.state([0, 1])["left"] == [after, 593.0]


def test_everybody_sees_all_clocks_and_a_first_turn_costs_no_time(live: Live, time: Time) -> None:
    made = live.make("human", "human", "greedy", seed=2, clock=TERMS)
    keys, session = made["keys"], live.session(made)
    session.paused = True
    assert live.get(f"api/games/{made['id']}", key=keys["seats"][1]).json()["clock"] == TERMS
    with live.enter(made, 0, 1, "watch") as (one, two, watcher):
        time.now += 300
        assert clock_of(watcher)["left"] == [600.0, 600.0, None]
        turn = play_first_turns(live, made)
        time.now += 20
        told = [clock_of(browser) for browser in (one, two, watcher)]
        assert told[0] == told[1] == told[2]
        assert told[0]["runs"] == turn
        assert told[0]["left"] == [580.0 if seat == turn else 600.0 for seat in range(2)] + [None]
        live.play_until(made, lambda: session.game.to_move != turn)
        assert clock_of(watcher)["left"][turn] == 585.0


def test_a_first_turn_of_several_moves_costs_no_time(live: Live) -> None:
    made = live.make("human", "human", game="oldtown", seed=1, clock=TERMS)
    session = live.session(made)
    with live.browser(made["id"], made["keys"]["host"]):
        play_first_turns(live, made)
        seats = [entry["seat"] for entry in session.entries]
        assert seats[0] == seats[1] == session.clock.runs
        assert seats[-1] != seats[0]


def test_time_stands_while_nobody_who_plays_is_there_and_while_the_server_is_down(live: Live, time: Time) -> None:
    made = live.make("human", "human", seed=2, clock=SIMPLE)
    keys = made["keys"]["seats"]
    with live.browser(made["id"], keys[0]), live.browser(made["id"], keys[1]):
        turn = play_first_turns(live, made)
        time.now += 30
    with live.browser(made["id"], made["keys"]["watch"]) as watcher:
        while clock_of(watcher)["runs"] is not None:
            pass
        time.now += 1000
        assert clock_of(watcher)["left"][turn] == 570.0
    live.stop()
    time.now += 5000
    again = live.again()
    with again.browser(made["id"], keys[1 - turn]) as waiting:
        assert waiting.state["clock"]["left"][turn] == 570.0
        time.now += 10  # the time of who is away runs while the other one waits
        assert clock_of(waiting)["left"][turn] == 560.0
    again.stop()


def test_what_is_taken_back_gives_everybody_the_time_that_they_had(live: Live, time: Time) -> None:
    made = live.make("human", "human", seed=2, clock=TERMS)
    session = live.session(made)
    with live.enter(made, 0, 1) as (_, two):
        turn = play_first_turns(live, made)
        before, moves = clock_of(two)["left"], session.moves
        time.now += 40
        word = next(word for word in session.game.legal_moves.words() if word.startswith("coins"))
        live.change(made, "move", lambda: session.push(word))
        time.now += 3
        assert clock_of(two)["left"] != before
        live.change(made, "undo", lambda: session.undo(Grant("seat", turn)))
        live.change(made, "undo", lambda: session.agree(Grant("seat", 1 - turn), True))
        assert session.moves == moves
        assert clock_of(two)["left"] == before


def test_an_agent_plays_on_to_the_end_for_who_has_no_time_left(live: Live, time: Time) -> None:
    made = live.make("human", "human", seed=2, clock=SIMPLE, settings={"max_rounds": 2})
    session = live.session(made)
    with live.enter(made, 0, 1, "host") as (one, two, host):
        session.paused = True
        turn = play_first_turns(live, made)
        late = (one, two)[turn]
        time.now += 599
        ring(live, made)
        assert clock_of(late)["ended"] == []  # a timer that comes too early ends nothing
        time.now += 2
        late.say("move", word=session.game.legal_moves.words()[0], at=session.moves)
        assert late.until("error")["why"] == "time_over"
        ring(live, made)
        told = clock_of(host)
        assert (told["ended"], told["left"][turn], told["runs"]) == ([turn], 0, None)
        assert host.state["seats"][turn]["agent"] == told["agent"] == "greedy"
        assert late.ask("seat", "error", seat=turn, agent=None)["why"] == "time_over"
        assert host.ask("seat", "error", seat=turn, agent=None)["why"] == "time_over"
        live.play_until(made, lambda: bool(session.game.is_over))
        (one, two)[1 - turn].say("rematch")
        host.until("state", over=True)
        while host.state["rematch"] is None:
            host.hear()
        assert session.wins(turn) == 0  # whoever of both has won: the agent wins nothing for who was late
        begun = live.lobby.rooms[host.state["rematch"]["id"]].session
        assert begun.people == [0, 1]
        assert begun.clock is not None
        assert (begun.clock.terms(), begun.clock.left) == (SIMPLE, [600, 600])


def test_who_has_no_time_left_seats_no_other_agent_unless_theirs_fails(live: Live, time: Time) -> None:
    made = live.make("human", "human", seed=2, clock=SIMPLE)
    session = live.session(made)
    session.paused = True
    with live.enter(made, "host", 1) as (host, guest):
        play_until_runs(live, made, 1)
        time.now += 600
        ring(live, made)
        for browser in (host, guest):
            assert browser.ask("seat", "error", seat=1, agent="search:sims=64")["why"] == "time_over"
        assert session.seats[1].agent == "greedy"
        live.change(made, "seats", lambda: session.fail(1, "it has failed"))
        assert guest.ask("seat", "error", seat=1, agent=None)["why"] == "time_over"
        guest.say("seat", seat=1, agent="random")
        clock_of(guest)
        assert session.seats[1].agent == "random"


def test_people_who_were_all_late_chat_by_their_names_and_play_once_more(live: Live, time: Time) -> None:
    made = live.make("human", "human", names=["Ann", "Bob"], seed=2, clock=SIMPLE, settings={"max_rounds": 3})
    session = live.session(made)
    session.paused = True
    with live.enter(made, "host", 1, "watch") as (host, guest, watcher):
        for seat in (1, 0):
            play_until_runs(live, made, seat)
            time.now += 600
            ring(live, made)
            live.play_until(made, lambda: session.game.to_move == 0)
        assert clock_of(watcher)["ended"] == [0, 1]
        for seat, browser in enumerate((host, guest)):
            browser.say("chat", text="Too late")
            assert watcher.until("chat")["lines"][0]["seat"] == seat
        assert watcher.ask("rematch", "error")["why"] == "no_rematch"
        live.play_until(made, lambda: bool(session.game.is_over))
        for browser in (host, guest):
            assert browser.until("state", over=True)["may"]["rematch"]
        assert not watcher.until("state", over=True)["may"]["rematch"]
        guest.say("rematch")
        while guest.state["rematch"] is None:
            guest.hear()


@pytest.mark.parametrize("lent", [0, 1], ids=["host", "guest"])
def test_who_lends_their_seat_to_an_agent_does_not_stop_their_time(live: Live, time: Time, lent: int) -> None:
    made = live.make("human", "human", seed=2, clock=SIMPLE)
    session, room = live.session(made), live.lobby.rooms[made["id"]]
    session.paused = True
    with live.enter(made, "host", 1) as (host, guest):
        play_until_runs(live, made, lent)
        lender, other = (host, guest) if lent == 0 else (guest, host)
        lender.say("seat", seat=lent, agent="search:ms=50")
        time.now += 20
        assert clock_of(lender)["left"][lent] == clock_of(other)["left"][lent] == 580.0
        lender.say("seat", seat=lent, agent=None)
        time.now += 10
        assert clock_of(lender)["left"][lent] == 570.0
        assert lent in Clock.restored(session.clock.plain(), 2, session.moves).persons
        lender.say("seat", seat=lent, agent="search:ms=50")
        assert clock_of(lender)["runs"] == lent
        assert room._agent(lent).spec == "search:ms=50"
        time.now += 600
        ring(live, made)
        assert clock_of(other)["ended"] == [lent]
        assert room._agent(lent).spec == session.clock.agent == "greedy"  # who was lent the seat plays no more


def test_the_server_notices_itself_when_a_time_is_over(live: Live, time: Time) -> None:
    made = live.make("human", "human", seed=2, clock=SIMPLE)
    with live.browser(made["id"], made["keys"]["host"]) as host:
        turn = play_first_turns(live, made)
        live.session(made).clock.left[turn] = 0.0
        live.change(made, "seats", lambda: None)
        while not host.state["clock"]["ended"]:
            host.hear()
        assert host.state["clock"]["ended"] == [turn]
