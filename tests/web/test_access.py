"""The table of access: for each row, what a key of a role sees and plays of a seat."""

import pytest

from oddville_env.core.game.game_type import game_type
from oddville_env.web.sessions.access import HOST, OWN, TABLE, Grant, Keys, position_for
from oddville_env.web.sessions.company import Seat
from oddville_env.web.sessions.session import Session

ROWS = """
            open        alone       single      claimed     shared
host  none  sees+plays  sees+plays  plays       sees+plays  plays
host  host  sees+plays  sees+plays  sees+plays  sees+plays  plays
host  own   sees        -           -           -           -
own   none  sees+plays  sees+plays  sees+plays  sees+plays  sees+plays
own   host  sees+plays  -           -           -           -
own   own   sees+plays  sees+plays  sees+plays  sees+plays  sees+plays
other none  sees        -           -           -           -
other host  sees        -           -           -           -
other own   sees        -           -           -           -
"""
TURNS, *LINES = [line.split() for line in ROWS.strip().splitlines()]
CASES = [
    (role, {"none": None, "host": HOST, "own": OWN}[place], turn, words)
    for role, place, *cells in LINES
    for turn, words in zip(TURNS, cells, strict=True)
]


def session_with(place: str | None, turn: str) -> tuple[Session, int]:
    """A game whose seat to move is played at a place, in company that makes this turn; and that seat."""
    kind = game_type("oddville" if turn == "open" else "oldtown")
    game = kind.game(3, 1)
    others = {"alone": Seat("random"), "single": Seat(place=OWN)}.get(turn, Seat(place=HOST))
    seats, seat = [others, Seat("random"), Seat("random")], game.to_move
    seats.insert(seat, Seat(place=place))
    return Session("x" * 22, kind, game, seats[:3], Keys.fresh(3), {}), seat


@pytest.mark.parametrize(("role", "place", "turn", "words"), CASES)
def test_key_sees_and_plays_a_seat_as_its_row_says(role: str, place: str | None, turn: str, words: str) -> None:
    session, seat = session_with(place, turn)
    grant = {"host": Grant("host"), "own": Grant("seat", seat), "other": Grant("watch")}[role]
    uncovered = seat if turn == "claimed" else None
    viewer = session.viewer_of(grant, uncovered)
    hand = position_for(session.game, viewer, session.private)["seats"][seat]["hand"]
    assert isinstance(hand, list) is ("sees" in words)
    assert (seat in session.seats_of(grant)) is ("plays" in words)
    assert (session.covered(grant, uncovered) == seat) is (words == "plays")
    assert TABLE[role, place, turn] == ("sees" in words, "plays" in words)


def test_table_has_no_other_rows() -> None:
    assert {case[:3] for case in CASES} == TABLE.keys()


def test_claim_ends_when_another_person_of_the_screen_is_to_move() -> None:
    session, seat = session_with(HOST, "claimed")
    other = next(number for number in session.people if number != seat)
    assert session.seat_shown(Grant("host"), other) is None
    assert session.covered(Grant("host"), other) == seat
    assert session.seat_shown(Grant("host"), seat) == seat
