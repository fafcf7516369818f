"""Observations: every piece tells the truth about the position, "me first", and nothing that is hidden."""

from collections import Counter
from typing import Any

import numpy as np
import pytest

from oddville_env import Game
from oddville_env.oddville.cards import Bonus, CardSet, Character, Side, Suit
from oddville_env.oddville.observation import make_encoder
from oddville_env.oddville.rules.state import Phase
from support.helpers import every_number, random_game, walk
from support.scenario import coins, deck

UNKNOWN, SQUARE = 65, 64
SEATS, HELD, COINS = 4, 3, 5
TABLES = [(17, 9), (5, 3)]
STEPS = {Side.N: (0, -1), Side.E: (1, 0), Side.S: (0, 1), Side.W: (-1, 0)}


def seen_by(game: Game, seat: int, encoding: str) -> np.ndarray:
    encoder = make_encoder(game.box, encoding)
    out = np.full(encoder.size, 99, encoder.dtype)
    encoder.write(game.box.record, game.state, 0, seat, out)
    return out


def watched(games: int, players: int, every: int = 11, **settings: Any) -> Any:
    """Games of random players in some of their states, with the cards and characters that were open until then."""
    for seed in range(games):
        seen: set[int | str] = set()
        for decision, game in enumerate(walk(Game(players, seed, **settings), seed)):
            position = game.position()
            seen.update(position["row"], (lot["card"] for lot in position["city"]))
            seen.update(card for seat in position["seats"] for card in [*seat["held"], *seat["characters"]])
            seen.update(pile["top"] for pile in position["piles"].values() if pile["top"])
            if decision % every == 0 or game.is_over:
                yield game, seen


# What the pieces should say, from the position and the card set


def one_hot(size: int, number: int | None) -> list[int]:
    return [int(at == number) for at in range(size)]


def common(game: Game, me: int, seen: set[int | str]) -> dict[str, Any]:
    """The pieces of both encodings as the position tells them."""
    position, cards = game.position(), game.box.cards
    number = game.players
    order = [(me + place) % number for place in range(number)]
    phases, seats = Phase.words(), position["seats"]
    rounds = position["round"]
    settled = [lot["owner"] for lot in position["city"]] + list(position["square"].values())
    slots = game.box.layout.slots
    unseen = Counter(suit for card, suit in enumerate(cards.suit.tolist()) if card not in seen)
    told = {
        "phase": one_hot(len(phases), phases.index(position["phase"])),
        "resume": one_hot(len(phases), phases.index(position["resume"]) if position["resume"] else None),
        "players": one_hot(SEATS, number - 1),
        "clock": [rounds, position["max_rounds"] - rounds, position["deck"], len(position["city"]) + 1],
        "turn": [position["recovered"], *(word in position["used"] for word in ("flip", "swap")), position["built"]],
        "worker": one_hot(4, position["worker"] and position["worker"] - 1),
        "pending": [position["pending"].count(word) for word in Bonus.words()[:-1]],
        "marks": [[1, *(s == position[w] for w in ("active", "to_move", "first", "trigger"))] for s in order],
        "seats": [
            [seats[s]["coins"], seats[s]["supply"], settled.count(s), len(seats[s]["held"]), position["scores"][s]]
            for s in order
        ],
        "hand": [[card in seats[s]["hand"] for card in (1, 2, 3, 4)] for s in order],
        "stock": [[sum(slot.count(s) for slot in on) for on in position["board"].values()] for s in order],
        "slots": np.zeros((4, slots, SEATS), int),
        "square": [[owner == s for s in order] + [0] * (SEATS - number) for owner in position["square"].values()],
        "characters": [[name in seats[s]["characters"] for name in Character.words()] for s in order],
        "tops": [name in [pile["top"] for pile in position["piles"].values()] for name in Character.words()],
        "piles": [pile["size"] for pile in position["piles"].values()],
        "met": [name in seen for name in Character.words()],
        "unseen": [unseen[suit] for suit in Suit],
        "take_price": [take_price(position, cards, me, on) for on in position["board"].values()],
        "coins_shown": [max(c, 3 if "ghost" in seats[me]["characters"] else 0) for c in cards.worker_coins.tolist()],
        "takes": cards.worker_resources,
        "price": cards.worker_prices,
        "points": cards.points,
    }
    for resource, on in enumerate(position["board"].values()):
        for slot, workers in enumerate(on):
            place = slots - 1 if slot == len(on) - 1 else slot  # the upper slot's place is the last
            told["slots"][resource, place, :number] = [workers.count(s) for s in order]
    return {name: padded(value) if name in ("marks", "seats", "hand", "stock", "characters") else np.array(value)
            for name, value in told.items()}  # fmt: skip


def take_price(position: dict[str, Any], cards: CardSet, me: int, on: list[list[int]]) -> int:
    """[W3 C2] The price of the cheapest available slot."""
    slot = next(at for at, workers in enumerate(on) if not workers or at == len(on) - 1)
    return max(cards.slots[position["players"]][slot] - ("landowner" in position["seats"][me]["characters"]), 0)


def padded(rows: list[Any]) -> np.ndarray:
    """Zeros for the seats that nobody has."""
    full = np.zeros((SEATS, *np.shape(rows)[1:]), int)
    full[: len(rows)] = rows
    return full


def card_features(cards: CardSet, card: int | None) -> list[int]:
    """present, cost, base, suit, per, counts, shield, bonus, streets."""
    if card is None:
        return [0] * len(card_features(cards, 0))
    printed = [cards.base[card], *one_hot(5, cards.suit[card]), cards.per[card], *one_hot(9, cards.counts[card])]
    return [1, *cards.cost[card], *printed, cards.shield[card], *one_hot(8, cards.bonus[card]), *cards.streets[card]]


def features(game: Game, me: int, seen: set[int | str]) -> dict[str, Any]:
    position, cards = game.position(), game.box.cards
    order = [(me + place) % game.players for place in range(game.players)]
    held = np.zeros((SEATS, HELD, len(card_features(cards, 0))), int)
    last = np.zeros((SEATS, len(card_features(cards, 0))), int)
    for place, seat in enumerate(order):
        for at, card in enumerate(position["seats"][seat]["held"]):
            held[place, at] = card_features(cards, card)
        last[place] = card_features(cards, next((c for c in coins(game, seat)[-1:] if c in seen), None))
    top = deck(game)[0]
    city, sides = city_features(game, order)
    return {
        "row": [card_features(cards, card) for card in position["row"]],
        "held": held,
        "last_coin": last,
        "deck_top": card_features(cards, top if top in seen else None),
        "city": city,
        "sides": sides,
    }


def city_features(game: Game, order: list[int]) -> tuple[np.ndarray, np.ndarray]:
    """Lots: suit, per, counts, shield, bonus, owner, value; sides: streets and houses, own or turned to a free cell."""
    position, cards = game.position(), game.box.cards
    columns, lines = position["table"]
    city, sides = np.zeros((lines, columns, 5 + 1 + 9 + 1 + 8 + 4 + 1), int), np.zeros((lines, columns, 8), int)
    middle = columns // 2
    worth = {building.card: building.points for sheet in game.score_sheet() for building in sheet.buildings}
    city[0, middle] = [*[0] * 15, cards.square_shield, *one_hot(8, cards.square_bonus), *[0] * 5]
    streets = {(0, 0): cards.square_streets}
    for lot in position["city"]:
        card, owner = lot["card"], one_hot(4, order.index(lot["owner"]))
        printed = [*one_hot(5, cards.suit[card]), cards.per[card], *one_hot(9, cards.counts[card]), cards.shield[card]]
        city[lot["line"], lot["column"] + middle] = [*printed, *one_hot(8, cards.bonus[card]), *owner, worth[card]]
        streets[lot["column"], lot["line"]] = cards.streets[card]
    for (column, line), own in streets.items():
        sides[line, column + middle] = [*own, *~np.array(own)]
        for side, (right, down) in STEPS.items():
            at = (column + right, line + down)
            if at not in streets and abs(at[0]) <= middle and 0 <= at[1] < lines:
                sides[at[1], at[0] + middle, (side + 2) % 4 + (0 if own[side] else 4)] = 1
    return city, sides


def ids(game: Game, me: int, seen: set[int | str]) -> dict[str, Any]:
    position = game.position()
    columns, lines = position["table"]
    held, coin = np.zeros((SEATS, HELD), int), np.zeros((SEATS, COINS), int)
    city, owner = np.zeros((lines, columns), int), np.zeros((lines, columns), int)
    for place in range(game.players):
        seat = (me + place) % game.players
        own = position["seats"][seat]["held"]
        held[place, : len(own)] = np.array(own, int) + 1
        known = [card + 1 if card in seen else UNKNOWN for card in coins(game, seat)]
        coin[place, : len(known)] = known
    known = [card + 1 if card in seen else UNKNOWN for card in deck(game)]
    city[0, columns // 2] = SQUARE + 1
    for lot in position["city"]:
        at = lot["line"], lot["column"] + columns // 2
        city[at], owner[at] = lot["card"] + 1, (lot["owner"] - me) % game.players + 1
    return {
        "row": np.array(position["row"]) + 1,
        "held": held,
        "coin": coin,
        "deck": known + [0] * (64 - len(known)),
        "city": city,
        "owner": owner,
    }


@every_number
@pytest.mark.parametrize("table", TABLES, ids=str)
@pytest.mark.parametrize("encoding", ["features", "ids"])
def test_every_piece_tells_what_the_position_says(players: int, table: tuple[int, int], encoding: str) -> None:
    own = features if encoding == "features" else ids
    encoder = make_encoder(Game(players, table=table).box, encoding)
    for game, seen in watched(2, players, every=23, table=table):
        for me in range(players):
            views = encoder.views(seen_by(game, me, encoding))
            expected = common(game, me, seen) | own(game, me, seen)
            assert list(views) == list(expected)
            for name, view in views.items():
                assert np.array_equal(view, np.array(expected[name], int)), (name, me, view, expected[name])


def test_numbers_larger_than_a_byte_are_told_as_the_largest_byte() -> None:
    game = random_game(2, 0, moves=8, max_rounds=30_000)
    assert make_encoder(game.box, "ids").views(seen_by(game, 0, "ids"))["clock"][1] == 255


@every_number
def test_every_seat_sees_what_the_next_one_would_see_one_seat_further(players: int) -> None:
    game, turned = Game(players, 1, first=0), Game(players, 1, first=1)
    for decision, _ in enumerate(walk(game, 1)):
        if decision:
            turned.push(game.moves[-1])
        for seat in range(players) if decision % 3 == 0 else ():
            for encoding in ("features", "ids", "summary", "entities"):
                neighbour = seen_by(turned, (seat + 1) % players, encoding)
                assert np.array_equal(seen_by(game, seat, encoding), neighbour)
