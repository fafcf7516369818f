"""Rules of both games as tables: a test for each row of a given position, words to play, and what holds then.

    test_landowner = follows({
        "C2: a resource costs one coin less": (
            given({"coins": 2, "characters": ["landowner"]}, {"stock": {"wood": 2}}),
            "take:1:wood",
            then({"coins": 1}, to_move=1),
        ),
    })

A name begins with the ids of its rules, "C11, T6: ..."; a list in place of a row has variants of it.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any

import pytest

from support.scenario import coins, deck, legal, play, scenario

Case = tuple[Any, ...]


def given(*seats: Mapping[str, Any], **told: Any) -> dict[str, Any]:
    """The arguments of `scenario`: the first seats in order, and by name what else is told."""
    return {"players": max(2, len(seats)), "seats": dict(enumerate(seats)), **told}


def then(*seats: Mapping[str, Any], **what: Any) -> dict[str, Any]:
    """What holds of the first seats, and of the position by name.

    Of mappings only the named parts are compared. Besides the fields of the position there are: `wood`, `clay`, `stone`
    and `crystal`, the slots on the board; `legal`, all legal words, and e.g. `legal_take`, those of a kind; `can` and
    `cannot`, words and kinds; `reshuffles`; `outcome`. A deck that is a list tells its top cards, coins a seat's cards.
    """
    return {**({"seats": dict(enumerate(seats))} if seats else {}), **what}


def rows(cases: Mapping[str, Case | list[Case]]) -> list[Any]:
    """The arguments of a test by the names of its cases, marked with the rules that a name begins with."""
    return [
        pytest.param(*case, id=sentence, marks=[pytest.mark.rule(rule) for rule in rules.split(", ") if rule])
        for name, variants in cases.items()
        for rules, _, sentence in [name.rpartition(": ")]
        for case in (variants if isinstance(variants, list) else [variants])
    ]


def follows(cases: Mapping[str, Case | list[Case]], scenario: Callable[..., Any] = scenario) -> Callable[..., None]:
    """A test that plays every case in the position that `scenario` sets up."""

    @pytest.mark.parametrize("case", [pytest.param(row.values, id=row.id, marks=row.marks) for row in rows(cases)])
    def test(case: Case) -> None:
        position, *steps = case
        follow(scenario(**position), *steps)

    return test


NEXT_TURN = then(to_move=1, phase="main")
READY, BUILD = {"held": [7], "stock": {"wood": 1}}, "build:1:0,1"
"""A seat that can build one card below the square, and its move."""


def follow(game: Any, *steps: str | dict[str, Any]) -> Any:
    """The game itself after these words; `then(...)` among them is compared with it."""
    played = ""
    for step in steps:
        if isinstance(step, str):
            played = step
            play(game, *step.split())
        else:
            found = {name: _found(game, name, expected) for name, expected in step.items()}
            assert found == step, f"after '{played}': {found} instead of {step}"
    return game


def _found(game: Any, name: str, expected: Any) -> Any:
    position, kind = game.position(), name.removeprefix("legal_")
    if name == "seats":
        return {number: dict(_seat(game, number, parts)) for number, parts in expected.items()}
    if name == "legal":
        return " ".join(legal(game)) if isinstance(expected, str) else legal(game)
    if kind != name:
        return " ".join(legal(game, kind)) if isinstance(expected, str) else legal(game, kind)
    if name in ("can", "cannot"):
        known = {*legal(game), *(word.split(":")[0].split("@")[0] for word in legal(game))}
        return " ".join(word for word in expected.split() if (word in known) is (name == "can"))
    if name == "deck" and isinstance(expected, list):
        return deck(game)[: len(expected)]
    if name == "outcome":
        return game.outcome and {part: getattr(game.outcome, part) for part in expected}
    if name == "reshuffles":
        return game.record()["reshuffles"]
    return _named({**position, **position.get("board", {})}[name], expected)


def _seat(game: Any, number: int, parts: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, expected in parts.items():
        cards = name == "coins" and isinstance(expected, list)
        yield name, coins(game, number) if cards else game.position()["seats"][number][name]


def _named(found: Any, expected: Any) -> Any:
    """The parts of what was found that are expected."""
    return {name: _named(found[name], part) for name, part in expected.items()} if isinstance(expected, dict) else found
