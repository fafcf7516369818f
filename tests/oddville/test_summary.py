"""The encoding `summary`: every number is computed again from the position and the printed cards, by the naive city."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from oddville.naive import CardSet, load_cards
from oddville.naive.city import City
from oddville.test_observation import TABLES, common, one_hot, padded, take_price, watched
from oddville_env import Game, oddville_v0
from oddville_env.oddville.cards import Bonus, Resource, Suit, base_cards
from oddville_env.oddville.observation import make_encoder
from support.helpers import every_number

CARDS = load_cards()
DEAR = replace(base_cards(), worker_prices=4 * base_cards().worker_prices)  # dearer than a seat's most coins, too
HELD = 3


def city_of(position: dict[str, Any], cards: CardSet) -> City:
    city = City(cards, tuple(position["table"]))
    city.built = {(lot["column"], lot["line"]): (lot["card"], lot["owner"]) for lot in position["city"]}
    return city


def best_site(position: dict[str, Any], owner: int, card: int) -> tuple[int, int, tuple[int, int] | None]:
    """Where a card adds most to its owner's score: that, what it adds to the others', and the cell."""
    before, found = city_of(position, CARDS), []
    for cell in before.empty_cells():
        if before.fits(card, cell):
            after = city_of(position, CARDS)
            after.built[cell] = (card, owner)
            gains = [after.points(seat) - before.points(seat) for seat in range(position["players"])]
            column, line = cell
            found.append((-gains[owner], sum(gains) - gains[owner], line, column))
    if not found:
        return 0, 0, None
    own, others, line, column = min(found)
    return -own, others, (column, line)


def missing(position: dict[str, Any], seat: int, card: int) -> list[int]:
    """Resources that a seat lacks for a card, by kind."""
    cost, board = CARDS.buildings[card].cost, position["board"]
    return [max(cost.count(kind) - sum(slot.count(seat) for slot in board[kind]), 0) for kind in Resource.words()]


def can_build(position: dict[str, Any], seat: int, card: int) -> bool:
    """[B1 B2] The seat can pay, a worker is left over, and the card fits somewhere."""
    supply = position["seats"][seat]["supply"] + len(CARDS.buildings[card].cost)
    return not any(missing(position, seat, card)) and supply > 0 and best_site(position, seat, card)[2] is not None


def project(game: Game, me: int, card: int, price: int, is_held: bool) -> list[float]:
    """What a building asks of the observer, and gives."""
    position, printed = game.position(), CARDS.buildings[card]
    own, others, cell = best_site(position, me, card)
    lacks = missing(position, me, card)
    prices = [take_price(position, game.box.cards, me, on) for on in position["board"].values()]
    coins = position["seats"][me]["coins"]
    after, characters = city_of(position, CARDS), position["seats"][me]["characters"]
    bonuses = printed.bonus
    if cell is not None:
        after.built[cell] = (card, me)
        bonuses = after.bonuses(cell, "lamplighter" in characters)
    top = position["piles"][printed.suit]["top"] if printed.suit != "diamond" else None
    return [
        1,
        *lacks,
        len(printed.cost),
        price,
        max(price + sum(np.multiply(lacks, prices)) - coins, 0),
        can_build(position, me, card) if is_held else price <= coins,
        printed.base,
        printed.per,
        *one_hot(5, Suit.words().index(printed.suit)),
        *(bonuses.count(word) for word in Bonus.words()),
        CARDS.characters[top].points if top else 0,
        own,
        others,
        *(cell or (0, 0)),
    ]


def summary(game: Game, me: int, seen: set[int | str]) -> dict[str, Any]:
    """The pieces of the encoding, before they are divided."""
    position = game.position()
    order = [(me + place) % game.players for place in range(game.players)]
    told, scores, mine = common(game, me, seen), position["scores"], position["seats"][me]
    best_others = [max(score for other, score in enumerate(scores) if other != seat) for seat in order]
    row = []
    for at, card in enumerate(position["row"]):
        row.append(project(game, me, card, min(4 * CARDS.workers[n].prices[at] for n in mine["hand"]), is_held=False))
    held = np.zeros((HELD, len(row[0])))
    for place, card in enumerate(mine["held"]):
        held[place] = project(game, me, card, 0, is_held=True)
    rivals = np.zeros((3, HELD, 5))
    for place, seat in enumerate(order[1:]):
        for at, card in enumerate(position["seats"][seat]["held"]):
            own, others, _ = best_site(position, seat, card)
            lacks = sum(missing(position, seat, card))
            rivals[place, at] = [1, lacks, can_build(position, seat, card), own, others]
    told["lead"] = padded([scores[seat] - best for seat, best in zip(order, best_others, strict=True)])
    return told | {"row": row, "held": held, "rivals": rivals}


@every_number
@pytest.mark.parametrize("table", TABLES, ids=str)
def test_every_number_of_the_summary_follows_from_the_position(players: int, table: tuple[int, int]) -> None:
    encoder = make_encoder(Game(players, table=table).box, "summary")
    for game, seen in watched(3, players, every=61, table=table, cards=DEAR):
        for me in range(players):
            vector = np.full(encoder.size, 99, np.float32)
            encoder.write(game.box.record, game.state, 0, me, vector)
            expected = summary(game, me, seen)
            for piece, view in zip(encoder.pieces, encoder.views(vector).values(), strict=True):
                wanted = np.array(expected[piece.name], float) / piece.units
                assert np.allclose(view, wanted), (piece.name, me, view * piece.units, expected[piece.name])


def test_most_numbers_of_the_summary_are_about_one_at_most() -> None:
    encoder = make_encoder(Game().box, "summary")
    seen = [encoder.observation(game.box.record, game.state, 0, 0) for game, _ in watched(10, 2, every=3)]
    assert np.abs(seen).max() < 4
    assert (np.quantile(np.abs(seen), 0.95, axis=0) <= 2).all()


def test_the_summary_has_some_hundred_numbers_for_every_table() -> None:
    sizes = {make_encoder(Game(players, table=table).box, "summary").size for players in (2, 4) for table in TABLES}
    assert sizes == {oddville_v0.raw_env(encoding="summary").observation_spaces["player_0"]["observation"].shape[0]}
    assert 200 <= min(sizes) <= 600
