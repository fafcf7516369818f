"""The rules of Old Town and the law's worked examples, by the numbers of its law."""

from collections import Counter
from functools import partial

import pytest

from oddville_env.oldtown.cards.words import CardType
from oddville_env.oldtown.game import OldTown
from support.cases import follows, then
from support.helpers import random_game, walk
from support.town import DECK, given, scenario

rules = partial(follows, scenario=scenario)

PAIR = {"bank": [4], "doc": [11]}  # cards 3 and 18 contradict
SHOW = "show:3 show:18"
CROWD = {"bank": [3, 8, 9], "doc": [3, 10, 11], "hotel": [3, 12, 13]}  # three tokens on lot 3
TWO_EACH = {key: [lot - (lot - 1) % 2, lot - (lot - 1) % 2 + 1] for lot, key in enumerate(
    (key for key in DECK.keys if key not in ("bank", "hotel")), 1)}  # fmt: skip
"""Sixteen buildings, two on each two lots."""

test_worlds = rules({
    "W1: a set is the lots of the tokens and the relation of a played C card is forgotten": (
        given({"mine": ["bank"], "hand": [21]}, buildings={"smith": [5, 6], "bank": [9, 10, 14]}),
        "play:21:bank", then(buildings={"smith": [5, 6], "bank": [9, 10]}),
    ),
    "W2: no two buildings have one lot": (
        given({"hand": [3]}, buildings={"bank": [4, 5], "drugstore": [4, 7]}),
        "play:3", then(buildings={"bank": [4], "drugstore": [7]}),
    ),
    "W3: three buildings with three lots keep all others off them": (
        given({"hand": [10]}, buildings={"bank": [1, 3], "doc": [3, 5], "judge": [1, 5]}),
        "play:10", then({"score": 5}, buildings={"sheriff": [7]}),
    ),
    "W4: a C card is true where the pair of lots is in its table": (
        given({"mine": ["bank"], "hand": [21]}, buildings={"smith": [5], "bank": [6, 9]}),
        "play:21:bank", then({"score": 2}, buildings={"bank": [9]}),
    ),
    "W5: a C card narrows both its buildings and all that follows in one step": (
        given({"mine": ["bank"], "hand": [21]}, buildings={"smith": [5, 6], "bank": [9, 11], "doc": [5, 8]}),
        "play:21:bank", then({"score": 2 + 2 + 2}, buildings={"smith": [5], "bank": [9], "doc": [8]}),
    ),
})  # fmt: skip

test_cards = rules({
    "C1: a B card speaks of one of the seats own buildings its choice": (
        given(
            {"mine": ["bank", "hotel"], "hand": [50]}, {"mine": ["doc"]}, buildings={"bank": [1, 2], "hotel": [4, 5]},
        ),
        then(legal="play:50:bank play:50:hotel"),
    ),
    "C2: a C card needs an own building other than the named one": (
        given({"mine": ["bank"], "hand": [20]}, buildings={"bank": [9, 1]}, common=[40]), then(legal="draw:common"),
    ),
    "P1: with another own building the same card is another thing": (
        given({"mine": ["bank", "hotel"], "hand": [51, 10]}, buildings={"bank": [1, 2], "hotel": [3, 4]}),
        then(cannot="play:51:bank play:51:hotel", can="play:10"),
    ),
    "P2: a card for a seventeenth building contradicts": (
        given({"hand": [3, 12]}, buildings=TWO_EACH), then(legal="show:3"),
    ),
    "P3: a card that leaves an unknown building more than five lots cannot be used": (
        given({"mine": ["bank"], "hand": [50]}), then(legal="pass"),
    ),
    "P3: a card that leaves an unknown building five lots can be used": (
        given({"mine": ["bank"], "hand": [50]}, buildings={"hotel": [2], "doc": [3], "stable": [5]}),
        then(legal="play:50:bank"),
    ),
    "P4: tokens of both new buildings of a C card count together": [
        (
            given({"mine": ["bank"], "hand": [24]}, buildings={
                "doc": [1], "hotel": [2], "judge": [3], "school": [4], "casino": [8], "stable": [12],
                "church": [13, 14], "prison": [13, 14], "saloon": [15, 16], "sheriff": [15, 16], **tokens,
            }),
            then(legal=word),
        )
        for tokens, word in (
            ({"barber": [6, 7, 10, 11]}, "play:24:bank"),
            ({"barber": [6, 7, 10, 11], "laundry": [6, 7, 10, 11]}, "pass"),
        )
    ],
    "P4: a building that stands at once needs no token": (
        given({"hand": [10]}, buildings={**CROWD, "judge": [1], "school": [5], "casino": [7]}),
        "play:10", then({"score": 5 + 3}),
    ),
    "P5: a card puts tokens of an unknown building on its lots": (
        given({"hand": [3]}), "play:3", then(buildings={"bank": [4, 8, 12, 16]}, played=[3]),
    ),
    "P6: a confirming card cannot be played by itself": (
        given({"hand": [3]}, buildings={"bank": [4, 8]}, common=[40]), then(legal="draw:common"),
    ),
    "P6: where the game is set up so a confirming card is played for nothing": (
        given({"hand": [3]}, buildings={"bank": [4, 8]}, common=[40], lone_confirm=True),
        then(legal="play:3"), "play:3", then({"score": 0, "hand": [40]}),
    ),
    "P7: points are the tokens that are not laid": (given({"hand": [3]}), "play:3", then({"score": 1})),
    "P7: points are the tokens that leave the board": (
        given({"hand": [3]}, {"mine": ["doc"]}, buildings={"bank": [4, 5], "doc": [5, 8]}),
        "play:3", then({"score": 2}, buildings={"bank": [4], "doc": [5, 8]}),
    ),
    "P8: cards played or shown are out of the game": (
        given({"hand": [3, 18]}, buildings=PAIR), SHOW, then({"hand": []}, played=[3, 18]),
    ),
})  # fmt: skip

test_pairs = rules({
    "Q1: too wide and blocked cards do not count": (
        given({"mine": ["bank"], "hand": [18, 50]}, buildings={"doc": [11]}), then(legal="pass"),
    ),
    "Q2: a pair is two words the lower number first": (
        given({"hand": [3, 18]}, buildings={**PAIR, "stable": [1, 5]}), then(legal="show:3"),
        "show:3", then({"hand": [3, 18]}, phase="show", shown=3, legal="show:18"),
    ),
    "Q3: after a pair any one token must be removed": (
        given({"hand": [3, 18]}, buildings={**PAIR, "stable": [1, 5]}),
        SHOW, then(legal="remove:stable@1 remove:stable@5"),
    ),
    "Q4: a removal closes the board and scores all that follows": (
        given({"hand": [3, 18]}, buildings={**PAIR, "stable": [1, 5], "judge": [5, 13]}),
        f"{SHOW} remove:stable@1", then({"score": 4}, buildings={"stable": [5], "judge": [13]}),
    ),
    "Q5: without tokens on the board a pair only changes cards": (
        given({"hand": [3, 18]}, buildings=PAIR, common=[40, 41, 42]), SHOW, then({"hand": [40, 41]}, to_move=1),
    ),
})  # fmt: skip

test_buildings = rules({
    "B2: near the end of the supply a seat takes one building": [
        (given({"hand": [40]}, supply=["bank", "hotel", *keys], phase="take"), "take:doc", then(phase="main"))
        for keys in (["doc"], ["doc", "smith"])  # as many are left as there are players
    ],
    "B2: before that a seat takes two": (
        given({"hand": [40]}, supply=["bank", "hotel", "doc", "smith", "judge"], phase="take"),
        "take:doc", then(phase="take"), "take:bank", then(phase="main"),
    ),
    "B3: a building that comes to stand leaves its owner or the supply and nobody is paid": (
        given(
            {"hand": [3]}, {"mine": ["bank", "hotel"]},
            buildings={"bank": [4, 5], "doc": [12, 5], "hotel": [5, 7]}, supply=["doc"],
        ),
        "play:3", then({}, {"mine": ["hotel"], "score": 0}, supply=["doc"]),
    ),
})  # fmt: skip

test_examples = rules({
    "X1: one of the four lots is taken so three tokens are laid for two points": (
        given({"hand": [10]}, buildings={"bank": [3]}), "play:10", then({"score": 2}, buildings={"sheriff": [1, 5, 7]}),
    ),
    "X2: three lots are taken so the sheriff stands for five points": (
        given({"hand": [10]}, buildings={"bank": [3], "doc": [5], "hotel": [7]}),
        "play:10", then({"score": 5}, buildings={"sheriff": [1]}),
    ),
    "X3: two of the sheriffs four tokens lie on other lots for two points": (
        given({"hand": [10]}, buildings={"sheriff": [1, 2, 3, 4]}),
        "play:10", then({"score": 2}, buildings={"sheriff": [1, 3]}),
    ),
    "X4: a card with all tokens on its lots is confirming": (
        given({"hand": [3, 10]}, buildings={"sheriff": [3, 5], "bank": [4]}), then(legal="show:3"),
    ),
    "X5: a card with no lot left is contradicting": (
        given({"hand": [3, 10]}, buildings={"sheriff": [2, 4], "bank": [4]}), then(can="show:3", cannot="play:10"),
    ),
    "X6: a lot with three tokens blocks the card": (given({"hand": [10]}, buildings=CROWD), then(legal="pass")),
    "X7: two buildings with the same two lots leave the sheriff the others": (
        given({"hand": [10]}, buildings={"drugstore": [3, 7], "saloon": [3, 7]}),
        "play:10", then({"score": 3}, buildings={"sheriff": [1, 5]}),
    ),
    "X8: a pair that comes to be locked makes a third building stand": (
        given({"hand": [10]}, buildings={"sheriff": [1, 3, 8], "drugstore": [1, 3], "saloon": [3, 12]}),
        "play:10", then({"score": 1 + 2}, buildings={"sheriff": [1, 3], "saloon": [12]}),
    ),
    "X9: more than five lots are neither playable nor contradicting": (
        given({"mine": ["sheriff"], "hand": [3, 38]}, buildings={"bank": [4]}), then(legal="pass"),
    ),
    "X10: removing a token of a locked pair makes both stand for four points": (
        given({"hand": [3, 18]}, buildings={**PAIR, "saloon": [3, 7], "drugstore": [3, 7]}),
        f"{SHOW} remove:saloon@3", then({"score": 4}, buildings={"saloon": [7], "drugstore": [3]}),
    ),
})  # fmt: skip

test_turns = rules({
    "T1, D1: after action and drawing one card the next seat clockwise has its turn": (
        given({"mine": ["bank"], "hand": [3]}, {"hand": [5]}, common=[40, 41]),
        "play:3", then({"hand": [40]}, to_move=1, turn=10, common=[41]),
    ),
    "T2: a seat that can play can neither draw nor pass": (given({"hand": [3]}, common=[40]), then(legal="play:3")),
    "T3: a seat that can do neither draws from the stack it chooses and its turn is over": (
        given({"hand": [40], "own": [1]}, players=2, common=[41]),
        then(legal="draw:common draw:own"), "draw:own", then({"hand": [1, 40]}, to_move=1),
    ),
    "T4: a seat with nothing to draw passes": (given({"hand": [40]}), then(legal="pass")),
    "T5: an empty phase is skipped": (
        given({"hand": [40]}, players=2, supply=["bank", "hotel"], common=[41], to_move=1),
        "draw:common", then(phase="take", to_move=0), "take:bank", then(phase="main"),
    ),
    "T5: a phase with a single word is not skipped": (
        given({"hand": [40]}, players=2, supply=["bank"], common=[41], to_move=1),
        "draw:common", then(legal="take:bank"),
    ),
    "D2: with two players each card comes from the stack that the seat chooses": (
        given({"hand": [3], "own": [1, 2]}, players=2, common=[40, 41]),
        "play:3", then(phase="draw", draws=1, legal="draw:common draw:own"),
        "draw:own", then({"hand": [1]}, to_move=1),
    ),
    "D3: where one stack has cards there is no word and where none has nothing is drawn": [
        (given({"hand": [3], "own": own}, players=2), "play:3", then({"hand": own}, to_move=1)) for own in ([1], [])
    ],
    "E1: the game ends at once when the sixteenth building stands": (
        given({"hand": [3]}, buildings={key: [lot + (lot > 3)] for lot, key in enumerate([*TWO_EACH][:15], 1)},
              common=[40]),
        "play:3", then({"score": 5}, to_move=None, common=[40], outcome={"end": "complete"}),
    ),
    "E2: when all seats in a row have passed the game ends": (
        given({"hand": [40]}),
        "pass", then(passes=1), "pass", then(passes=2), "pass", then(outcome={"end": "exhausted"}),
    ),
    "E2: any other word breaks the row": (
        given({"hand": [40]}, {"mine": ["doc"]}, {"mine": ["judge"]}, supply=["bank"], passes=2, phase="take"),
        "take:bank", then(passes=0),
    ),
    "E4: equals share the better rank": (
        given({"score": 7}, {"score": 9}, {"score": 9}, passes=2), "pass", then(outcome={"ranks": (3, 1, 1)}),
    ),
})  # fmt: skip


def types(cards: list[int]) -> str:
    return "".join(sorted(DECK.cards[card - 1].type.name for card in cards))


@pytest.mark.rule("S1, S2")
def test_eighteen_buildings_begin_unknown_and_the_cards_have_their_types_lots_and_pairs() -> None:
    game = OldTown(3, 1)
    assert (list(game.position()["buildings"].values()), game.problems()) == ([None] * 18, [])
    assert Counter(card.type for card in DECK.cards) == {CardType.A: 18, CardType.C: 18, CardType.B: 24}
    assert all(len(card.lots) == 4 for card in DECK.cards[:18])
    assert all(len(card.lots) in (7, 8) and card.building < 0 for card in DECK.cards[36:])
    assert all(card.pairs and not card.lots for card in DECK.cards[18:36])


@pytest.mark.rule("S3")
@pytest.mark.parametrize(
    ("players", "common", "own"), [(2, "B" * 24, "AAACCC"), (3, "AAA" + "B" * 24 + "CC", ""), (4, "B" * 24, "")]
)
def test_the_deal_gives_each_hand_two_a_and_two_c_and_each_stack_its_types(players: int, common: str, own: str) -> None:
    record = OldTown(players, 5).record()
    assert [types(hand) for hand in record["hands"]] == ["AACC"] * players
    assert (types(record["common"]), [types(stack) for stack in record["own"]]) == (common, [own] * players)
    dealt = [card for part in (*record["hands"], *record["own"], record["common"]) for card in part]
    assert len(dealt) == len(set(dealt))


@pytest.mark.rule("S4")
def test_every_seat_is_first_about_equally_often() -> None:
    firsts = Counter(OldTown(3, seed).position()["first"] for seed in range(300))
    assert set(firsts) == {0, 1, 2}
    assert min(firsts.values()) > 70


@pytest.mark.rule("S5, B1")
def test_clockwise_from_the_first_each_seat_takes_two_buildings_in_a_row_and_never_has_more() -> None:
    game, order = OldTown(3, 1, first=2), []
    while game.phase.word == "setup":
        order.append(game.to_move)
        game.push(game.legal_moves.words()[0])
    assert order == [2, 2, 0, 0, 1, 1]
    assert (game.to_move, game.position()["turn"], game.phase.word) == (2, 1, "main")
    for game in walk(OldTown(2, 3), 3):
        assert all(len(seat["mine"]) <= 2 for seat in game.position()["seats"])


@pytest.mark.rule("E3")
def test_a_complete_game_has_eighty_points() -> None:
    games = [random_game(players, seed, make=OldTown) for players in (2, 3, 4) for seed in range(6)]
    complete = [sum(game.scores) for game in games if game.outcome and game.outcome.end == "complete"]
    assert set(complete) == {80}
