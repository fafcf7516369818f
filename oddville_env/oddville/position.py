"""A game in plain values: the position as RULES.md has it, how the game ended, and points by source (E2)."""

from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np

from oddville_env.core.game.game_type import Outcome
from oddville_env.oddville.cards.words import NOBODY, Bonus, Character, Resource, Suit
from oddville_env.oddville.rules import batch
from oddville_env.oddville.rules.batch import LOOPS
from oddville_env.oddville.rules.box import Box
from oddville_env.oddville.rules.state import GUILDS, Phase

Position = dict[str, Any]


def position(box: Box, games: np.ndarray, index: int = 0, view: int | None = None) -> Position:
    """The position of one of the games as a seat sees it: plain lists, numbers and words; all seats see the same."""
    record = games[index]  # taken apart at once: numpy takes longer to hand over a single field
    game = SimpleNamespace(**dict(zip(record.dtype.names, record.item(), strict=True)))
    seats, upper = range(box.players), int(box.record["upper_slot"][0])
    return {
        "players": box.players,
        "round": int(game.rounds),
        "phase": Phase(game.phase).word,
        "active": int(game.active),
        "to_move": _or_none(game.to_move),
        "trigger": _or_none(game.trigger),
        "row": game.row.tolist(),
        "deck": int(game.deck_size),
        "piles": {Suit(guild).word: _pile(game, guild) for guild in range(GUILDS)},
        "board": {resource.word: _slots(game, resource, upper) for resource in Resource},
        "square": {resource.word: _or_none(game.on_square[resource]) for resource in Resource},
        "city": [_entry(box, game, entry) for entry in range(1, game.city_size)],
        "seats": [_seat(game, seat) for seat in seats],
        "first": int(game.first),
        "table": list(box.table),
        "max_rounds": box.max_rounds,
        "recovered": bool(game.recovered),
        "used": [word for word, used in (("flip", game.flipped), ("swap", game.swapped)) if used],
        "built": bool(game.built),
        "worker": None if game.worker < 0 else int(game.worker) + 1,
        "resume": None if game.resume < 0 else Phase(game.resume).word,
        "pending": sorted(word for word, n in zip(Bonus.words(), game.pending, strict=False) for _ in range(n)),  # N6
        "scores": list(LOOPS.standing(box, games, index)[0]),
    }


def _or_none(seat: int) -> int | None:
    return None if seat == NOBODY else int(seat)


def _pile(game: SimpleNamespace, guild: int) -> dict[str, Any]:
    size = int(game.pile_size[guild])
    return {"top": Character(game.pile[guild, size - 1]).word if size else None, "size": size}


def _slots(game: SimpleNamespace, resource: int, upper: int) -> list[list[int]]:
    """The seats of the workers on each slot, the upper slot (which has this number) last."""
    single = [[seat] if seat != NOBODY else [] for seat in game.lodger[resource, :upper].tolist()]
    return [*single, np.repeat(np.arange(len(game.coins)), game.upper[resource]).tolist()]


def _entry(box: Box, game: SimpleNamespace, entry: int) -> dict[str, int]:
    column, line = box.table.place(game.city_cell[entry])
    owner = int(game.city_owner[entry])
    return {"card": int(game.city_card[entry]), "column": column, "line": line, "owner": owner}


def _seat(game: SimpleNamespace, seat: int) -> dict[str, Any]:
    return {
        "coins": int(game.coins[seat]),
        "supply": int(game.supply[seat]),
        "hand": (game.hand[seat].nonzero()[0] + 1).tolist(),
        "held": game.held[seat, : game.holding[seat]].tolist(),
        "characters": sorted(Character(character).word for character in (game.owner == seat).nonzero()[0].tolist()),
    }


def outcome_of(box: Box, games: np.ndarray, index: int = 0) -> Outcome | None:
    """[E1-E4] The end of one of the games, None while it is not over; the trigger is None where it was cut off."""
    game = games[index]
    if game.phase != Phase.OVER:
        return None
    trigger = None if game.trigger == NOBODY else int(game.trigger)
    return Outcome(*LOOPS.standing(box, games, index), trigger, bool(game.truncated))


class BuildingScore(NamedTuple):
    """[V1] An own building in the city and what it is worth now."""

    card: int
    column: int
    line: int
    points: int


class SeatScore(NamedTuple):
    """[E2] A seat's points by source; workers are those on each resource, 1 point each."""

    buildings: tuple[BuildingScore, ...]
    characters: dict[str, int]
    workers: dict[str, int]
    square: int

    @property
    def total(self) -> int:
        """The seat's score."""
        built = sum(building.points for building in self.buildings)
        return built + sum(self.characters.values()) + sum(self.workers.values()) + self.square


def score_sheet(box: Box, games: np.ndarray, index: int = 0) -> list[SeatScore]:
    """Every seat's points as if the game ended now."""
    game = games[index]
    points, square = np.zeros(len(Character), np.int64), np.zeros(box.players, np.int64)
    batch.score_sources(box.record, games, index, points, square)

    def building(entry: int) -> BuildingScore:
        place = box.table.place(game.city_cell[entry])
        return BuildingScore(int(game.city_card[entry]), *place, int(game.value[entry]))

    return [
        SeatScore(
            tuple(building(entry) for entry in range(1, game.city_size) if game.city_owner[entry] == seat),
            {character.word: int(points[character]) for character in Character if game.owner[character] == seat},
            {resource.word: int(game.stock[seat, resource]) for resource in Resource},
            int(square[seat]),
        )
        for seat in range(box.players)
    ]
