"""Chapter T: the turn."""

from support.cases import NEXT_TURN, follows, given, then

READY = {"held": [7], "stock": {"wood": 1}}
BUILD = "build:1:0,1"
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
