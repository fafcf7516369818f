"""Chapter C: characters."""

from typing import Any

from oddville_env.oddville.cards import Bonus
from support.cases import BUILD, NEXT_TURN, READY, follows, given, then
from support.scenario import printed, sides

RESOURCES = ("clay", "crystal", "stone", "wood")


def every(start: str) -> str:
    return " ".join(f"{start}:{name}" for name in RESOURCES)


test_human_resources_manager = follows({
    "C1: with the human resources manager any worker card takes any resource": (
        given({"hand": [1], "characters": ["human_resources_manager"]}), then(legal_take=every("take:1")),
    ),
    "C1: the human resources manager holds for the seigniors second resource": (
        given({"coins": 1, "characters": ["human_resources_manager", "seignior"]}, {}, {}),
        "take:1:clay", then(legal_extra=every("extra")),
    ),
})  # fmt: skip

test_landowner = follows({
    "C2: with the landowner a resource costs one coin less": [
        (
            given({"coins": 2, "characters": ["landowner"]}, {"stock": {"wood": others}}),
            "take:1:wood", then({"coins": 2 - price}),
        )
        for others, price in ((0, 0), (1, 0), (2, 1))
    ],
    "C2: the landowner makes no building cheaper": (
        given({"hand": [1], "characters": ["landowner"]}), then(legal_buy="buy:1:1"),
    ),
})  # fmt: skip

test_seignior = follows({
    "C3: with the seignior a second resource of the same card may be taken": (
        given({"coins": 1, "characters": ["seignior"]}),
        "take:2:clay", then(to_move=0, phase="extra", worker=2, legal="done extra:clay extra:wood"),
        "extra:clay", then({"coins": 0}, clay=[[0], [0], []], to_move=1, worker=None),
    ),
    "C3: the second resource needs coins for its price": (
        given({"characters": ["seignior"]}), "take:2:clay", then(legal="done extra:wood"),
    ),
    "C3: the second resource may be left": (
        given({"characters": ["seignior"]}), "take:2:clay done", then({"supply": 8}, to_move=1),
    ),
    "C3: only a resource brings a second one": [
        (given({**READY, "coins": 5, "characters": ["seignior"]}), word, NEXT_TURN)
        for word in ("coins:2", "buy:2:1", BUILD)
    ],
    "C3: the landowner makes both resources of the seignior cheaper": (
        given({"coins": 1, "characters": ["seignior", "landowner"]}, {"stock": {"wood": 1}}, {"stock": {"wood": [2]}}),
        "take:1:wood", then({"coins": 1}, legal_extra="extra:wood"), "extra:wood", then({"coins": 0}),
    ),
})  # fmt: skip

test_cheater = follows({
    "C4: the cheater turns the coin gained last into the last held building": (
        given({"coins": [30, 31, 32], "held": [7], "characters": ["cheater"]}),
        "flip", then({"held": [7, 32], "coins": [30, 31]}, to_move=0, phase="main", used=["flip"]),
    ),
    "C4: flipping is no payment": (
        given({"coins": 1, "characters": ["cheater"]}, {"characters": ["tax_collector"]}),
        then(deck=64 - 6 - 1), "flip", then({}, {"coins": 0}, deck=64 - 6 - 1),
    ),
    "C4: flipping needs the cheater and a coin": [
        (given(seat, other), then(cannot="flip"))
        for seat, other in (({"coins": 1}, {"characters": ["cheater"]}), ({"characters": ["cheater"]}, {}))
    ],
    "C4: the cheater flips once in each turn": (
        given({"coins": 4, "characters": ["cheater"]}),
        "flip", then(cannot="flip"), "coins:2 coins:2", then(can="flip"),
    ),
    "C4: a flipped building can be built in the same turn": (
        given({"coins": [30], "stock": {"wood": 1}, "characters": ["cheater"]}),
        f"flip {BUILD}", then(city=[{"card": 30, "column": 0, "line": 1, "owner": 0}]),
    ),
    "C4: a third building that was flipped must be discarded at once": (
        given({"coins": [30], "held": [7, 8], "characters": ["cheater"]}),
        "flip", then(legal="drop:1 drop:2 drop:3"),
        "drop:1", then({"held": [8, 30]}, to_move=0, phase="main"),
    ),
    "C4: a cheater lost and won back in the turn does not flip again": (
        given({**READY, "coins": 2, "characters": ["cheater"]}, cards={7: {"suit": "rooster"}}),
        f"flip {BUILD}", then({"characters": ["cheater"]}, to_move=1),
    ),
})  # fmt: skip

test_mistress = follows({
    "C5: with the mistress recovering costs one coin less": [
        (given({"coins": len(hand) - 1, "hand": hand, "characters": ["mistress"]}), "recover", then({"coins": 0}))
        for hand in ([1], [1, 2], [1, 2, 3])
    ],
    "C5: with the mistress recovering still needs the other coins": (
        given({"hand": [1, 2], "characters": ["mistress"]}), then(cannot="recover"),
    ),
    "C5, T2: after recovering for nothing the seat may neither build nor recover": (
        given({**READY, "hand": [1], "characters": ["mistress"]}),
        then(can=f"recover {BUILD}"), "recover", then(can="coins take buy", cannot="recover build done"),
    ),
})  # fmt: skip

test_bookkeeper = follows({
    "C6: the bookkeeper exchanges a held building for one of the row": (
        given({"held": [7, 8], "characters": ["bookkeeper"]}, row=[40, 41, 42, 43, 44, 45]),
        then(legal_swap=" ".join(f"swap:{held}:{position}" for held in (1, 2) for position in range(1, 7))),
        "swap:1:3",
        then({"held": [8, 42]}, row=[40, 41, 7, 43, 44, 45], to_move=0, phase="main", used=["swap"]),
    ),
    "C6: the bookkeeper needs a held building": (given({"characters": ["bookkeeper"]}), then(cannot="swap")),
    "C6: the bookkeeper exchanges once in each turn": (
        given({"held": [7], "characters": ["bookkeeper"]}),
        "swap:1:6", then(cannot="swap"),
        "coins:2 coins:2", then(legal_swap="swap:1:1 swap:1:2 swap:1:3 swap:1:4 swap:1:5 swap:1:6"),
    ),
})  # fmt: skip

test_ghost = follows({
    "C7: with the ghost every worker card shows three coins": [
        (given({"characters": ["ghost"]}), f"coins:{worker}", then({"coins": 3})) for worker in (1, 2, 3, 4)
    ],
    "C7: with the ghost a card that shows more keeps its own number": (
        given({"characters": ["ghost"]}, cards=printed(worker_coins=[0, 1, 2, 4])), "coins:4", then({"coins": 4}),
    ),
})  # fmt: skip


def taxed(payer: dict[str, Any], **collector: Any) -> dict[str, Any]:
    return given(payer, {"stock": {"clay": 2}, "characters": ["tax_collector"], **collector}, deck_top=[50, 51])


test_tax_collector = follows({
    "C8: the tax collector gains one coin whatever another seat pays": [
        (taxed({"coins": 5, "hand": [1, 4]}), word, then({}, {"coins": 1}))
        for word in ("buy:1:2", "buy:1:6", "take:4:clay", "recover")
    ],
    "C8: the tax collectors coin comes from the deck after the payment": (
        taxed({"coins": [30, 31, 32]}), "take:4:clay", then({}, {"coins": [31]}, deck=[32, 50]),
    ),
    "C8: the tax collectors owner gains nothing for its own payments": (
        given({"coins": 2, "characters": ["tax_collector"]}), "buy:1:6", then({"coins": 0}),
    ),
    "C8: resources are no coins": (taxed({**READY, "coins": 1}), BUILD, then({}, {"coins": 0})),
})  # fmt: skip

test_benefactor = follows({
    "C9: the benefactors owner gains a coin at the start of each of its turns": (
        given({}, {"characters": ["benefactor"]}),
        "take:2:clay", then({"coins": 0}, {"coins": 1}, to_move=1),
        "take:1:wood", then({"coins": 0}, {"coins": 1}, to_move=0),
        "take:3:stone", then({"coins": 0}, {"coins": 2}, to_move=1),
        "take:2:wood", then({"coins": 0}, {"coins": 1}, to_move=0),
    ),
    "C9: the benefactor gives nothing in the turn that wins it": (
        given(READY, cards={7: {"suit": "bells"}}, piles={"bells": ["benefactor"]}),
        BUILD, then({"coins": 2}), "take:4:clay", then({"coins": 3}),
    ),
})  # fmt: skip

LAMPLIGHTER = {**READY, "characters": ["lamplighter"]}

test_lamplighter = follows({
    "C10: with the lamplighter neighbours need no street": [
        (
            given(
                *seats, city=[(20, -1, 0, 1), (21, 0, 1, 1)],
                cards={
                    7: {"bonus": "wood", "streets": "S"},
                    20: {"bonus": "clay", "streets": "E"},
                    21: {"bonus": "any", "streets": "N"},
                },
            ),
            "build:1:-1,1", then(pending=bonuses),
        )
        for seats, bonuses in (
            ((LAMPLIGHTER,), ["any", "clay", "wood"]), ((READY, {"characters": ["lamplighter"]}), ["wood"]),
        )
    ],
    "C10: with the lamplighter a joined neighbour still gives only once": (
        given(LAMPLIGHTER, cards={7: {"bonus": "any"}, 20: {"bonus": "clay"}}, city=[(20, 1, 0, 1)]),
        "build:1:1,1", then(pending=["any", "clay"]),
    ),
    "C10: with the lamplighter the square gives over houses too": (
        given(
            LAMPLIGHTER,
            cards=printed({7: {"bonus": "wood", "streets": "S"}}, square_bonus=Bonus.ANY, square_streets=sides("E")),
        ),
        BUILD, then(pending=["any", "wood"]),
    ),
})  # fmt: skip

OWNER = {"coins": 2, "held": [8], "stock": {"wood": 2}, "characters": ["builder"]}
RICH = {"coins": 5, "held": [8, 9], "stock": {"wood": 3}}


def window(*, active: dict[str, Any] | None = None, owner: dict[str, Any] | None = None, **told: Any) -> dict[str, Any]:
    """Seat 0 can build below the square, and seat 2 owns the builder."""
    return given({"held": [7], "stock": {"wood": [3]}, **(active or {})}, {}, {**OWNER, **(owner or {})}, **told)


test_builder = follows({
    "C11: when another seat has built the builders owner may build too": (
        window(), BUILD,
        then(
            phase="builder", active=0, to_move=2, built=True,
            legal="build:1:-1,0 build:1:-1,1 build:1:0,2 build:1:1,0 build:1:1,1 done",
        ),
    ),
    "C11: the builder costs two coins and the resources": (
        window(owner={"coins": [30, 31, 32]}, deck_top=[50, 51, 52, 53]), BUILD, then({"coins": [50, 51]}),
        "build:1:1,1",
        then(
            {}, {}, {"coins": [30, 31, 32], "supply": 7}, deck=[52], built=False, **NEXT_TURN,
            city=[{"card": 7, "column": 0, "line": 1, "owner": 0}, {"card": 8, "column": 1, "line": 1, "owner": 2}],
        ),
    ),
    "C11: the builders coins are paid before the bonuses": (
        window(owner={"coins": 5}, cards={8: {"streets": "W"}}),
        f"{BUILD} build:1:1,1", then({}, {}, {"coins": 5 - 2 + 2}),
    ),
    "C11: the builders owner may leave it": (
        window(), f"{BUILD} done", then({}, {}, {"coins": 2}, active=1, **NEXT_TURN),
    ),
    "C11, T6: there is no window where the builders owner can build nothing": [
        (position, BUILD, NEXT_TURN)
        for position in (
            window(owner={"coins": 1}),
            window(owner={"held": []}),
            window(owner={"stock": {"clay": 1}}),
            window(cards={8: {"cost": "wood clay"}}),
            window(table=[1, 2]),
        )
    ],
    "C11: there is no window where no seat has built": [
        (given({}, {}, OWNER), word, NEXT_TURN) for word in ("coins:2", "take:4:clay", "buy:4:1")
    ],
    "C11: the builders owner gets no window for its own building": (
        given({**OWNER, "coins": 5, "held": [7, 8]}), BUILD, NEXT_TURN,
    ),
    "C11: the window opens when the turn is otherwise over": (
        window(active={"coins": 1, "characters": ["cheater"]}, cards={7: {"bonus": "any"}}),
        BUILD, then(to_move=0, phase="bonus"),
        "done", then(to_move=0, phase="end"),
        "done", then(to_move=2, phase="builder"),
    ),
    "C11: a seat that loses the builder in the turn has no window": [
        (
            window(active={"characters": ["lamplighter"]}, cards={7: {"suit": "lily"}}, reshuffles=[pile]),
            BUILD, then({"characters": pile[:1]}, **NEXT_TURN),
        )
        for pile in (["builder", "lamplighter"], ["lamplighter", "builder"])
    ],
    "C11: no further window follows": (window(owner=RICH), f"{BUILD} build:1:1,0", NEXT_TURN),
    "C11: bonuses and guild favour belong to the builders building": (
        window(cards={8: {"bonus": "any", "suit": "mask"}}, piles={"mask": ["seignior", "landowner"]}),
        f"{BUILD} build:1:1,0", then(to_move=2, active=0, phase="bonus"),
        "any:crystal", then({}, {}, {"characters": ["builder", "seignior"]}, **NEXT_TURN),
    ),
    "C11, T4: no ability is used in the builders window": (
        window(
            owner={"coins": 5, "held": [8, 9], "characters": ["builder", "cheater", "bookkeeper", "traveller"]},
            players=4, cards={8: {"bonus": "any"}},
        ),
        BUILD, then(phase="builder", cannot="flip swap square"),
        "build:1:1,0", then(phase="bonus", cannot="flip swap square"),
    ),
    "C11, E1: the window follows the turn that ends the game too": (
        window(city=[(20 + n, n + 1, 0, 0) for n in range(5)]),
        BUILD, then(phase="builder", trigger=0),
        "build:1:-1,0", then({"held": []}, {}, {"held": []}, phase="over"),
    ),
})  # fmt: skip

TRAVELLER = {"stock": {"wood": [2, 3], "clay": 1}, "characters": ["traveller"]}

test_traveller = follows({
    "C12: the traveller pays a resource to put a worker on its field of the square": (
        given(TRAVELLER), then(legal_square="square:clay square:wood"),
        "square:wood",
        then(
            {"supply": 6}, square={"wood": 0, "clay": None, "stone": None, "crystal": None}, wood=[[], [], [0]],
            to_move=0, phase="main",
        ),
    ),
    "C12: the traveller is used once in the game per seat": (
        given(TRAVELLER), "square:wood", then(cannot="square"), "coins:2 coins:2", then(cannot="square"),
    ),
    "C12: another seat that wins the traveller uses it too and the first worker stays": (
        given(
            {**READY, "stock": {"wood": 1, "clay": 1}}, {"characters": ["traveller"]},
            cards={7: {"suit": "lily"}}, square={"stone": 1},
        ),
        f"{BUILD} square:clay", then(square={"wood": None, "clay": 0, "stone": 1, "crystal": None}),
    ),
    "C12: the traveller is worth its points until its owner has a worker on the square": (
        given(TRAVELLER), then(scores=[7 + 3, 0]), "square:wood", then(scores=[0 + 2 + 4, 0]),
    ),
    "C12: the travellers points do not depend on others workers on the square": (
        given(TRAVELLER, square={"wood": 1}), then(scores=[7 + 3, 4]),
    ),
})  # fmt: skip
