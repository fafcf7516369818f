"""The clock of a game among people, as the server has it: with a time that tests tell, and nobody waits for."""

import contextlib
from itertools import product
from typing import Any

import pytest

from oddville_env.web.refusal import RefusalError
from oddville_env.web.sessions.access import Grant
from oddville_env.web.sessions.clock import Clock
from support.page.live import Browser, Live

TERMS = {"total": 600, "increment": 5}
SIMPLE = {"total": 600, "increment": 0}


class Time:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture(autouse=True)
def time(monkeypatch: pytest.MonkeyPatch) -> Time:
    told = Time()
    monkeypatch.setattr("oddville_env.web.sessions.clock.monotonic", told)
    monkeypatch.setattr(Clock.__init__, "__defaults__", (told,))
    return told


def begun(live: Live, *more: str, clock: dict[str, int] | None = None, **settings: Any) -> tuple[dict[str, Any], Any]:
    """A game of two people by the clock, in which agents wait, and what the server holds of it."""
    made = live.make("human", "human", *more, seed=2, clock=clock or SIMPLE, **settings)
    live.session(made).paused = True
    return made, live.session(made)


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


def test_everybody_sees_all_clocks_and_a_first_turn_costs_no_time(hall: Live, time: Time) -> None:
    made, session = begun(hall, "greedy", clock=TERMS)
    assert hall.get(f"api/games/{made['id']}", key=made["keys"]["seats"][1]).json()["clock"] == TERMS
    with hall.enter(made, 0, 1, "watch") as browsers:
        time.now += 300
        assert clock_of(browsers[2])["left"] == [600.0, 600.0, None]
        turn = play_first_turns(hall, made)
        time.now += 20
        for told in map(clock_of, browsers):
            assert told["runs"] == turn
            assert told["left"] == [580.0 if seat == turn else 600.0 for seat in range(2)] + [None]
        hall.play_until(made, lambda: session.game.to_move != turn)
        assert clock_of(browsers[2])["left"][turn] == 585.0


def test_time_stands_while_nobody_who_plays_is_there_and_while_the_server_is_down(live: Live, time: Time) -> None:
    made, _ = begun(live)
    with live.enter(made, 0, 1):
        turn = play_first_turns(live, made)
        time.now += 30
    with live.enter(made, "watch") as (watcher,):
        while clock_of(watcher)["runs"] is not None:
            pass
        time.now += 1000
        assert clock_of(watcher)["left"][turn] == 570.0
    live.again()
    time.now += 5000
    with live.enter(made, 1 - turn) as (waiting,):
        assert waiting.state["clock"]["left"][turn] == 570.0
        time.now += 10  # the time of who is away runs while the other one waits
        assert clock_of(waiting)["left"][turn] == 560.0


def test_what_is_taken_back_gives_everybody_the_time_that_they_had(hall: Live, time: Time) -> None:
    made, session = begun(hall, clock=TERMS)
    with hall.enter(made, 0, 1) as (_, two):
        turn = play_first_turns(hall, made)
        before, moves = clock_of(two)["left"], session.moves
        time.now += 40
        word = next(word for word in session.game.legal_moves.words() if word.startswith("coins"))
        hall.change(made, "move", lambda: session.push(word))
        time.now += 3
        assert clock_of(two)["left"] != before
        hall.change(made, "undo", lambda: session.undo(Grant("seat", turn)))
        hall.change(made, "undo", lambda: session.agree(Grant("seat", 1 - turn), True))
        assert (session.moves, clock_of(two)["left"]) == (moves, before)


def test_an_agent_plays_on_to_the_end_for_who_has_no_time_left(hall: Live, time: Time) -> None:
    made, session = begun(hall, settings={"max_rounds": 3})
    with hall.enter(made, "host", 1) as (host, guest):
        play_until_runs(hall, made, 1)
        time.now += 599
        ring(hall, made)
        assert clock_of(guest)["ended"] == []  # a timer that comes too early ends nothing
        time.now += 2
        word = session.game.legal_moves.words()[0]
        assert guest.ask("move", "error", word=word, at=session.moves)["why"] == "time_over"
        ring(hall, made)
        told = clock_of(host)
        assert (told["ended"], told["left"][1], told["runs"]) == ([1], 0, None)
        assert host.state["seats"][1]["agent"] == told["agent"] == "greedy"
        for browser, agent in product((host, guest), (None, "search:sims=64")):
            assert browser.ask("seat", "error", seat=1, agent=agent)["why"] == "time_over"
        hall.change(made, "seats", lambda: session.fail(1, "it has failed"))
        assert guest.ask("seat", "error", seat=1, agent=None)["why"] == "time_over"
        guest.say("seat", seat=1, agent="random")
        clock_of(guest)
        assert session.seats[1].agent == "random"
        session.clock.end(0)
        hall.play_until(made, lambda: bool(session.game.is_over))
        assert [session.wins(seat) for seat in (0, 1)] == [0, 0]  # an agent wins nothing for who was late
        guest.say("rematch")
        guest.wait(lambda state: state["rematch"])
    anew = hall.lobby.rooms[guest.state["rematch"]["id"]].session
    assert anew.people == [0, 1]
    assert (anew.clock.terms(), anew.clock.left) == (SIMPLE, [600, 600])


def test_who_lends_their_seat_to_an_agent_does_not_stop_their_time(hall: Live, time: Time) -> None:
    made, session = begun(hall)
    room = hall.lobby.rooms[made["id"]]
    with hall.enter(made, "host", 1) as (other, lender):
        play_until_runs(hall, made, 1)
        for agent, seconds, left in (("search:ms=50", 20, 580.0), (None, 10, 570.0)):
            lender.say("seat", seat=1, agent=agent)
            time.now += seconds
            assert clock_of(lender)["left"][1] == clock_of(other)["left"][1] == left
        assert 1 in Clock.restored(session.clock.plain(), 2, session.moves).persons
        lender.say("seat", seat=1, agent="search:ms=50")
        assert (clock_of(lender)["runs"], room._agent(1).spec) == (1, "search:ms=50")
        time.now += 600
        ring(hall, made)
        assert clock_of(other)["ended"] == [1]
        assert room._agent(1).spec == session.clock.agent == "greedy"  # who was lent the seat plays no more


def test_the_server_notices_itself_when_a_time_is_over(hall: Live, time: Time) -> None:
    made, session = begun(hall)
    with hall.enter(made, "host") as (host,):
        turn = play_first_turns(hall, made)
        session.clock.left[turn] = 0.0
        hall.change(made, "seats", lambda: None)
        host.wait(lambda state: state["clock"]["ended"] == [turn])
