"""Chapter N: bonuses."""

from typing import Any

from support.cases import NEXT_TURN, follows, given, then

ONE, TWO = "build:1:1,0", "build:1:1,1"
ANY = "any:clay any:crystal any:stone any:wood"
MOVES = " ".join(f"move:wood@{slot}>{name}" for slot in (2, 3) for name in ("clay", "crystal", "stone"))


def built(*bonuses: str, **seat: Any) -> dict[str, Any]:
    """Seat 0 can build a card with the first bonus: beside the square, or beside cards with the other bonuses."""
    return given(
        {"held": [7], "stock": {"wood": 1}, **seat},
        {"stock": {"clay": [1], "stone": [1, 2]}},
        cards={7 + n: {"bonus": bonus} for n, bonus in enumerate(bonuses)},
        city=[(8, 1, 0, 1), (9, 0, 1, 1)][: len(bonuses) - 1],
    )


test_bonuses = follows({
    "N1: a coin is taken at once before the others": (
        built("coin", "any"), TWO, then({"coins": 1}, phase="bonus", pending=["any"]),
    ),
    "N1: every coin bonus is one coin from the decks top": (
        given({"held": [7], "stock": {"wood": 1}}, city=[(8, 1, 0, 1)], deck_top=[50, 51, 52]),
        "build:1:0,1", then({"coins": [50, 51]}),
    ),
    "N1: a coin bonus above five coins is lost": (
        built("coin", "coin", coins=4), TWO, then({"coins": 5}, **NEXT_TURN),
    ),
    "N2: a resource bonus puts a worker on the cheapest slot free": [
        (
            built(name), ONE, then({"coins": 1}, legal=f"bonus:{name} done"),
            f"bonus:{name}", then({"coins": 1, "supply": 7}, **{name: slots}),
        )
        for name, slots in {
            "wood": [[0], [], []], "clay": [[1], [0], []], "stone": [[1], [1], [0]], "crystal": [[0], [], []],
        }.items()
    ],
    "N2: a resource bonus needs a worker in supply": (
        built("stone", stock={"wood": 9}), ONE, then(cannot="bonus"), "return:wood@3", then(legal_bonus="bonus:stone"),
    ),
    "N3: any is a resource of choice": (
        built("any"), ONE, then(legal=f"{ANY} done"), "any:clay", then(clay=[[1], [0], []]),
    ),
    "N3: any needs a worker in supply": (built("any", stock={"wood": 9}), ONE, then(cannot="any")),
    "N4: double is for a resource where the seat already has a worker": (
        built("double", stock={"wood": 1, "stone": [3], "crystal": 1}),
        ONE, then(legal="done double:crystal double:stone"),
        "double:crystal", then(crystal=[[0], [0], []]),
    ),
    "N4: the worker that paid for the building does not count for double": (
        built("double", "wood"), TWO, then(cannot="double"), "bonus:wood", then(legal_double="double:wood"),
    ),
    "N4: double needs a worker in supply": (built("double", stock={"wood": 9}), ONE, then(cannot="double")),
    "N5: transform moves a worker from a slot of choice to another resource": (
        built("transform", stock={"wood": [1, 2, 3, 3]}),
        ONE, then(legal=f"done {MOVES}"),
        "move:wood@3>clay", then({"supply": 9 - 3 - 1}, wood=[[], [0], [0]], clay=[[1], [0], []]),
    ),
    "N5: transform costs nothing and goes to the cheapest slot left": (
        built("transform", stock={"wood": 2}), ONE, "move:wood@2>stone", then({"coins": 1}, stone=[[1], [1], [0]]),
    ),
    "N5: transform needs no worker in supply": (
        built("transform", stock={"wood": 9}), ONE, then({"supply": 0}, can="move:wood@2>clay"),
    ),
    "N5: transform moves only own workers": (built("transform", "any"), TWO, then(cannot="move")),
    "N6: pending bonuses are resolved once each in the order of choice": [
        (
            built("wood", "any", "double"), TWO, then(pending=["any", "double", "wood"]),
            "bonus:wood", then(pending=["any", "double"], cannot="bonus:wood"),
            "any:clay", then(pending=["double"], cannot="any"),
            "double:wood", NEXT_TURN,
        ),
        (
            built("wood", "any", "double"), TWO,
            "any:crystal", then(pending=["double", "wood"], cannot="any"),
            "double:crystal", then(pending=["wood"], cannot="double"),
            "bonus:wood", NEXT_TURN,
        ),
    ],
    "N6: two bonuses of one kind are two bonuses": (
        built("any", "any"), TWO, then(pending=["any", "any"]),
        "any:wood", then(to_move=0, pending=["any"]),
        "any:wood", NEXT_TURN,
    ),
    "N6: the rest may be given up": (
        built("wood", "any"), TWO, "any:wood done", then(pending=[], wood=[[0], [], []], **NEXT_TURN),
    ),
})  # fmt: skip
