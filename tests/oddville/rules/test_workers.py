"""Chapter W: playing a worker card."""

from oddville_env import base_cards
from oddville_env.oddville.describe import row_prices
from support.cases import follows, given, then
from support.scenario import printed

ROW = [40, 41, 42, 43, 44, 45]
WORKERS = (1, 2, 3, 4)
PRICES = {(worker, at): row_prices(base_cards(), at - 1)[worker - 1] for worker in WORKERS for at in range(1, 7)}
UNCHANGED = {"coins": 0, "supply": 9, "hand": [1, 2, 3], "held": [], "characters": []}
BUYS = [f"buy:{worker}:{position}" for worker in WORKERS for position in range(1, worker + 1)]


def poor(worker: int) -> str:
    """The words of a seat that can pay nothing and has this card."""
    return " ".join(word for word in BUYS if word.startswith(f"buy:{worker}:"))


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
            then(legal=poor(worker)),
        )
        for worker in WORKERS
    ],
})  # fmt: skip
