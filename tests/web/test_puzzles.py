"""Puzzles over the wire: shown without their solution, checked, hinted at; nothing is kept of them."""

from itertools import product
from typing import Any

from oddville_env.oldtown.deduction.puzzle import printed_puzzles
from support.page.live import Live


def ask(hall: Live, name: str, what: str, **fields: Any) -> Any:
    return hall.http.post(f"{hall.address}api/puzzles/{name}/{what}", json={"game": "oldtown", **fields})


def test_a_puzzle_is_shown_without_its_solution(hall: Live) -> None:
    told = hall.get("api/puzzles/3", game="oldtown").json()
    puzzle = printed_puzzles()[2]
    assert {clue["card"] for clue in told["table"]["clues"]} == {*puzzle.a, *puzzle.c, *(card for card, _ in puzzle.b)}
    assert told["table"]["mine"] == list(puzzle.mine or ())
    assert "solution" not in str(told)
    assert {f"house-{each['building']}" for each in told["table"]["town"]} <= told["drawings"].keys()
    assert told == hall.get("api/puzzles/3", game="oldtown").json()


def test_info_lists_the_puzzles(hall: Live) -> None:
    other, town = hall.get("api/info").json()["games"]
    assert [puzzle["name"] for puzzle in town["puzzles"]["printed"]] == [puzzle.name for puzzle in printed_puzzles()]
    assert town["puzzles"]["levels"] == ["easy", "medium", "hard"]
    assert other["puzzles"] is None
    assert (town["page"], other["page"]) == ("oldtown", "oddville")


def test_marks_are_checked_and_hints_follow_them(hall: Live) -> None:
    first = ask(hall, "3", "hint", marks={}).json()
    assert first["number"] == 0
    assert first["steps"][0]["text"] == "Card 1 leaves the Church on 9, 10, 13 or 14."
    assert first["left"] == [{"building": "church", "lots": [9, 10, 13, 14]}]
    second = ask(hall, "3", "hint", marks={"church": [9, 10, 13, 14]}, after=0).json()
    assert second["number"] == 1
    solution = printed_puzzles()[2].solution
    right = {key: [lot] for lot, key in enumerate(solution, 1)}
    assert ask(hall, "3", "check", marks=right).json() == {"wrong": [], "solved": True}
    assert ask(hall, "3", "check", marks={"church": [1]}).json() == {"wrong": ["church"], "solved": False}
    assert ask(hall, "3", "hint", marks={"church": [1]}).json()["number"] is None


def test_what_is_no_question_about_a_puzzle_is_refused(hall: Live) -> None:
    for what, (name, fields, told) in product(
        ("check", "hint"),
        (
            ("9", {"marks": {}}, "there is no puzzle"),
            ("9" * 5000, {"marks": {}}, ""),
            ("3", {}, "field marks is missing"),
            ("3", {"marks": {"castle": [1]}}, "no building of this puzzle"),
            ("3", {"marks": {"church": [0]}}, "minimum"),
            ("3", {"marks": {"church": "all"}}, "array"),
            ("3", {"marks": {}, "more": 1}, "unknown field"),
            ("3", {"marks": {f"b{number}": [1] for number in range(99)}}, "maxProperties"),
            ("3", {"marks": {}, "game": "oddville"}, "has no puzzles"),
            ("3", {"marks": {}, "game": "chess"}, "there is no game"),
        ),
    ):
        answer = ask(hall, name, what, **fields)
        assert answer.status_code == 400
        assert told in answer.json()["error"]["message"]


def test_a_foreign_page_cannot_ask_and_a_form_neither(hall: Live) -> None:
    address = f"{hall.address}api/puzzles/3/check"
    assert hall.http.post(address, json={}, headers={"origin": "http://evil.example"}).status_code == 403
    assert hall.http.post(address, content="{}").status_code == 400
