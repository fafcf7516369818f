"""The encoding `summary`: every number is computed again from the seat's position, by the naive twin's judge."""

from typing import Any

import numpy as np
import pytest

from oddville_env.oldtown.game import OldTown
from oddville_env.oldtown.observation import make_encoder
from oddville_env.oldtown.rules.state import Phase
from oldtown.naive import DECK
from oldtown.naive.judge import judge, speaks_of, tokens
from support.helpers import walk

CARDS, SEATS, LOTS, MINE = 60, 4, 16, 2
TYPES = ("A", "C", "B")


def cards_of(position: dict[str, Any], me: int) -> dict[str, np.ndarray]:
    """What the board says of each card of the observer's hand."""
    board = {key: frozenset(lots) for key, lots in position["buildings"].items() if lots}
    seat, told = position["seats"][me], {name: np.zeros((CARDS, MINE)) for name in ("points", "plays")}
    hand, counts = np.zeros(CARDS), np.zeros(CARDS)
    for number in seat["hand"]:
        card = DECK.cards[number]
        hand[number - 1] = 1
        for place, own in enumerate([None] if card.type == "A" else seat["mine"]):
            if own is not None and own == card.building:
                continue
            found = judge(board, card, own)
            counts[number - 1] += found.name in ("confirming", "contradicting")
            if found.name == "change" or (found.name == "confirming" and position["lone_confirm"]):
                after, named = found.after or board, {*board, *speaks_of(card, own)}
                told["plays"][number - 1, place] = 1
                gone = sum(tokens(board, each) - tokens(after, each) for each in named)
                told["points"][number - 1, place] = gone
    return {"hand": hand, "counts": counts.clip(max=1), **told}


def summary(position: dict[str, Any], me: int) -> dict[str, Any]:
    """The pieces of the encoding, before they are divided."""
    players, seats, keys = position["players"], position["seats"], DECK.buildings
    order = [(me + place) % players for place in range(players)]
    scores, phases = [seat["score"] for seat in seats], Phase.words()
    marks, sizes, mine = np.zeros((SEATS, 3)), np.zeros((SEATS, 3)), np.zeros((SEATS, len(keys)))
    lead, on_lot, taken = np.zeros(SEATS), np.zeros(LOTS), np.zeros(LOTS)
    for place, seat in enumerate(order):
        marks[place] = 1, seat == position["to_move"], seat == position["first"]
        hand = seats[seat]["hand"]
        sizes[place] = scores[seat], len(hand) if isinstance(hand, list) else hand, seats[seat]["own"]
        mine[place, [keys.index(key) for key in seats[seat]["mine"]]] = 1
        lead[place] = scores[seat] - max(score for other, score in enumerate(scores) if other != seat)
    lots = [position["buildings"][key] or [] for key in keys]
    for each in lots:
        (taken if len(each) == 1 else on_lot)[np.array(each, int) - 1] += 1
    known = {*position["played"], *seats[me]["hand"]}
    return {
        "phase": [phase == position["phase"] for phase in phases],
        "players": [number == players for number in (1, 2, 3, 4)],
        "lone_confirm": [position["lone_confirm"]],
        "clock": [position["turn"], position["common"], position["draws"], position["passes"]],
        "marks": marks,
        "seats": sizes,
        "mine": mine,
        "lead": lead,
        "supply": [key in position["supply"] for key in keys],
        "tokens": [len(each) if len(each) > 1 else 0 for each in lots],
        "standing": [len(each) == 1 for each in lots],
        "on_lot": on_lot,
        "taken": taken,
        "unseen": [sum(DECK.cards[card].type == kind for card in set(DECK.cards) - known) for kind in TYPES],
        **cards_of(position, me),
    }


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("lone_confirm", [False, True])
def test_every_number_of_the_summary_follows_from_what_the_seat_knows(players: int, lone_confirm: bool) -> None:
    encoder = make_encoder(OldTown(players).box, "summary")
    for number, game in enumerate(walk(OldTown(players, 7, lone_confirm=lone_confirm), 7)):
        for me in range(players) if number % 5 == 0 else ():
            vector = np.full(encoder.size, 99, np.float32)
            encoder.write(game.box.record, game.state, 0, me, vector)
            expected = summary(game.position(me), me)
            assert list(expected) == [piece.name for piece in encoder.pieces]
            assert (encoder.low <= vector).all()
            assert (vector <= encoder.high).all()
            for piece, view in zip(encoder.pieces, encoder.views(vector).values(), strict=True):
                wanted = np.array(expected[piece.name], float) / piece.units
                assert np.allclose(view, wanted), (piece.name, me, view * piece.units, expected[piece.name])
