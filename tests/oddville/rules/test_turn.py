"""Chapters T and W: the turn, and playing a worker card."""

from oddville_env import base_cards
from oddville_env.oddville.describe import row_prices
from support.cases import BUILD, NEXT_TURN, READY, follows, given, then
from support.scenario import printed

ABILITIES = ["cheater", "bookkeeper", "traveller", "seignior"]
ABLE = {"coins": 3, "held": [7], "stock": {"wood": 2}, "characters": ABILITIES}
CHEATER = {**READY, "coins": 1, "characters": ["cheater"]}
ALL_NINE = {"wood": 9}
ANY = {7: {"bonus": "any"}}
DROPS = "drop:1 drop:2 drop:3"

test_main_action = follows({
    "T1: a turn is one main action": [
        (given(READY), word, NEXT_TURN) for word in ("coins:4", "take:4:clay", "buy:4:1", BUILD)
    ],
    "T1: there is no passing": (given({**ABLE, "hand": [1]}, players=4), then(cannot="done")),
})  # fmt: skip

test_recovering = follows({
    "T2: recovering costs one coin for each card still in hand": [
        (given({"coins": len(hand), "hand": hand}), "recover", then({"coins": 0, "hand": [1, 2, 3, 4]}))
        for hand in ([4], [1, 4], [1, 2, 4])
    ],
    "T2: recovering needs the coins for it": [
        (given({"coins": len(hand) - 1, "hand": hand}), then(cannot="recover")) for hand in ([4], [1, 4], [1, 2, 4])
    ],
    "T2: no seat recovers with four cards in hand": (
        given({"coins": 5, "characters": ["mistress"]}), then(cannot="recover"),
    ),
    "T2: after recovering a worker card must be played in the same turn": (
        given({**READY, "coins": 1, "hand": [1]}),
        then(can=BUILD),
        "recover", then(recovered=True, to_move=0, phase="main", can="coins take buy", cannot="recover build done"),
    ),
    "T2: in the next turn recovering and building are possible again": (
        given({**READY, "coins": 2, "hand": [1]}),
        "recover coins:4 coins:2", then(recovered=False, can=f"recover {BUILD}"),
    ),
    "T3: the last card of a hand brings all four back free": [
        (given({"coins": 1, "hand": [2]}), word, then({"hand": [1, 2, 3, 4], "coins": coins}))
        for word, coins in {"coins:2": 2, "take:2:wood": 1, "buy:2:1": 1}.items()
    ],
    "T3: before the last card none comes back": (given({"hand": [2, 3]}), "coins:2", then({"hand": [3]})),
})  # fmt: skip

test_abilities = follows({
    "T4: abilities may be used in main extra bonus and end": [
        (
            given({**ABLE, "held": [7, 8], "characters": [*ABILITIES, "ghost"]}, players=4, cards=ANY),
            words, then(phase=phase, can="flip swap:1:6 square:wood"),
        )
        for phase, words in {"main": "", "extra": "take:4:clay", "bonus": BUILD, "end": "coins:1"}.items()
    ],
    "T4: abilities are for ones own turn": (given(ABLE, players=4, active=1), then(cannot="flip swap square")),
})  # fmt: skip

test_returning_workers = follows({
    "T5: a seat without supply may take any of its workers off the board": (
        given({"stock": {"wood": [2, 3, 3, 3], "clay": [1], "crystal": [3, 3, 3, 3]}}, {"stock": {"wood": [1]}}),
        then(legal_return="return:clay@1 return:crystal@3 return:wood@2 return:wood@3"),
        "return:wood@3", then({"supply": 1}, wood=[[1], [0], [0, 0]], to_move=0, phase="main"),
    ),
    "T5: a seat with a worker in supply returns none": (given({"stock": {"wood": 8}}), then(cannot="return")),
    "T5: a worker that returns can be used for the second resource": (
        given({"coins": 4, "stock": {"wood": 8}, "characters": ["seignior"]}),
        "take:4:clay", then(phase="extra", cannot="extra"),
        "return:wood@3", then(legal="done extra:clay extra:crystal extra:stone extra:wood"),
    ),
    "T5: a worker that returns can be used for a bonus": (
        given({"held": [7], "stock": ALL_NINE}, cards={7: {"bonus": "stone"}}),
        BUILD, then(legal="done return:wood@2 return:wood@3"),
        "return:wood@2", then(legal="bonus:stone done"),
    ),
    "T5: no seat returns a worker after the main action": (
        given({"stock": ALL_NINE, "characters": ["cheater"]}), "coins:2", then(phase="end", legal="done flip"),
    ),
    "T5: no seat returns a worker during a discard": (
        given({"held": [7, 8], "stock": ALL_NINE}), "buy:4:1", then(legal=DROPS),
    ),
})  # fmt: skip

test_phases = follows({
    "T6: the end phase waits while an ability may be used": (
        given({"characters": ["cheater"]}),
        "coins:2", then(to_move=0, phase="end", legal="done flip"), "done", NEXT_TURN,
    ),
    "T6: whether a phase ends by itself is looked at anew after every word": (
        given({"characters": ["cheater", "bookkeeper"]}, {}, {}),
        "coins:2", then(legal="done flip"),
        "flip", then(legal="done swap:1:1 swap:1:2 swap:1:3 swap:1:4 swap:1:5 swap:1:6"),
        "swap:1:1", NEXT_TURN,
    ),
    "T6: the bonus phase ends by itself once nothing but done is left": (
        given(CHEATER, cards={7: {"bonus": "double"}}),
        BUILD, then(phase="bonus", legal="done flip"), "flip", NEXT_TURN,
    ),
    "T6: a bonus phase that is given up is followed by the end phase": (
        given(CHEATER, cards=ANY), f"{BUILD} done", then(to_move=0, phase="end", legal="done flip"),
    ),
    "T6: a bonus phase in which nothing can be said is skipped": (
        given(READY, cards={7: {"bonus": "double"}}), BUILD, then(pending=[], **NEXT_TURN),
    ),
    "T6: an extra phase in which nothing can be paid is skipped": (
        given({"characters": ["seignior"]}), "take:1:wood", NEXT_TURN,
    ),
    "T6: a discard interrupts a phase and returns to it": (
        given({**CHEATER, "held": [7, 8]}),
        "flip", then(phase="discard", resume="main", to_move=0),
        "drop:3", then(phase="main", resume=None, to_move=0, can="build:2:0,1"),
    ),
    "T6: a discard in the extra phase keeps the worker card": (
        given({"coins": 3, "held": [7, 8], "characters": ["cheater", "seignior"]}),
        "take:1:wood flip", then(resume="extra", worker=1),
        "drop:1", then(legal="done extra:wood"),
    ),
    "T6, T4: a discard after the main action comes before every ability": (
        given({"coins": 1, "held": [7, 8], "characters": ["bookkeeper"]}),
        "buy:4:1", then(resume="end", legal=DROPS),
        "drop:1", then(phase="end", can="swap:1:1 swap:1:6 swap:2:1 swap:2:6"),
    ),
    "T6: the turns marks are wiped when the next turn begins": (
        given({"coins": 3, "hand": [1, 4], "characters": ["cheater"]}),
        "recover flip", then(recovered=True, used=["flip"]),
        "coins:2", then(to_move=1, recovered=False, used=[]),
    ),
})  # fmt: skip

ROW = [40, 41, 42, 43, 44, 45]
WORKERS = (1, 2, 3, 4)
PRICES = {(worker, at): row_prices(base_cards(), at - 1)[worker - 1] for worker in WORKERS for at in range(1, 7)}
UNCHANGED = {"coins": 0, "supply": 9, "hand": [1, 2, 3], "held": [], "characters": []}
BUYS = [f"buy:{worker}:{position}" for worker in WORKERS for position in range(1, worker + 1)]


test_workers = follows({
    "W1: a played card leaves the hand": (given(), "take:3:stone", then({"hand": [1, 2, 4]})),
    "W1: only cards in hand can be played": (
        given({"coins": 5, "hand": [1, 3]}),
        then(can="coins:3 take:1:wood buy:1:1", cannot="coins:2 coins:4 take:2:wood take:4:clay buy:2:1 buy:4:1"),
    ),
    "W1: one use of the card is carried out": [
        (given(row=[40]), word, then({**UNCHANGED, **changed}))
        for word, changed in {"coins:4": {"coins": 3}, "take:4:clay": {"supply": 8}, "buy:4:1": {"held": [40]}}.items()
    ],
    "W2: a worker card brings the coins that it shows": [
        (given(), f"coins:{worker}", then({"coins": base_cards().worker_coins[worker - 1]})) for worker in (2, 3, 4)
    ],
    "W2: a card that shows no coins cannot be used for coins": (given(), then(legal_coins="coins:2 coins:3 coins:4")),
    "W2: a card can be used for coins with five coins": (
        given({"coins": 5}), "coins:3", then({"coins": 5, "hand": [1, 2, 4]}, to_move=1),
    ),
    "W3: a worker card takes only a resource that it shows": (
        given({"hand": [1, 2]}), then(legal_take="take:1:wood take:2:clay take:2:wood"),
    ),
    "W3: taking a resource needs a worker in supply": (
        given({"coins": 5, "stock": {"wood": 9}}), then(cannot="take"), "return:wood@3", then(can="take:4:clay"),
    ),
    "W3: the worker goes to the cheapest slot left and its price is paid": [
        (
            given({"coins": 3}, {"stock": {"clay": others}}, players=players),
            "take:2:clay", then({"coins": 3 - price, "supply": 8}, clay=slots),
        )
        for players, others, price, slots in (
            (2, 0, 0, [[0], [], []]),
            (2, 1, 1, [[1], [0], []]),
            (2, 2, 2, [[1], [1], [0]]),
            (3, 2, 1, [[1], [1], [0], []]),
            (4, 3, 2, [[1], [1], [1], [0]]),
        )
    ],
    "W3: taking a resource needs coins for the price": [
        (given({"coins": coins, "hand": [1]}, {"stock": {"wood": others}}), then(legal_take=words))
        for others in (1, 2) for coins, words in {others - 1: "", others: "take:1:wood"}.items()
    ],
    "W3: a slot that was left is available again": (
        given({}, {"stock": {"wood": [2]}}), "take:1:wood", then(wood=[[0], [1], []]),
    ),
    "W4: a building costs the cards price for its position": [
        (
            given({"coins": coins, "hand": [1]}),
            then(legal_buy=" ".join(f"buy:1:{position}" for position in range(1, dearest + 1))),
            f"buy:1:{dearest}", then({"coins": 0}),
        )
        for coins, dearest in ((0, 1), (1, 3), (2, 6))
    ],
    "W4: each worker card has its own prices": (given(), then(legal_buy=" ".join(BUYS))),
    "W4: a building costs the price that people are shown": [
        (given({"coins": price}), f"buy:{worker}:{at}", then({"coins": 0})) for (worker, at), price in PRICES.items()
    ],
    "W4: a seat with less than the price cannot buy": [
        (given({"coins": price - 1}), then(cannot=f"buy:{worker}:{at}"))
        for (worker, at), price in PRICES.items() if price
    ],
    "W4: a bought building is the last held and the row moves up": (
        given({"held": [7]}, row=ROW, deck_top=[50]),
        "buy:4:2", then({"held": [7, 41]}, row=[40, 42, 43, 44, 45, 50]),
    ),
    "W4: the row is filled after paying so that the coin just paid may appear": (
        given({"coins": [30, 31]}, row=ROW, deck_top=[50]), "buy:4:5", then(row=[40, 41, 42, 43, 45, 31], deck=[50]),
    ),
    "W4: the row is filled after the tax collectors coin": (
        given({"coins": [30, 31]}, {"characters": ["tax_collector"]}, row=ROW, deck_top=[50]),
        "buy:4:5", then(row=[40, 41, 42, 43, 45, 50]),
    ),
    "W4: a third building is discarded after the row is filled": (
        given({"held": [7, 8]}, row=ROW, deck_top=[50]),
        "buy:4:1", then({"held": [7, 8, 40]}, phase="discard", row=[41, 42, 43, 44, 45, 50]),
    ),
    "W5: a seat that has nothing can still take a building": [
        (
            given(
                {"hand": [worker]}, {"stock": {name: [1, 2] for name in ("wood", "clay", "stone", "crystal")}},
                cards=printed(worker_coins=[0, 0, 0, 0]),
            ),
            then(legal=" ".join(word for word in BUYS if word.startswith(f"buy:{worker}:"))),
        )
        for worker in WORKERS
    ],
})  # fmt: skip
