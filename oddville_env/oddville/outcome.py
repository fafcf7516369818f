"""The end of a game (scores, ranks, trigger), and every seat's points by source (E2)."""

from typing import NamedTuple

import numpy as np

from oddville_env.core.game.game_type import Outcome
from oddville_env.oddville.cards.words import NOBODY, Character, Resource
from oddville_env.oddville.loops import LOOPS
from oddville_env.oddville.rules import batch
from oddville_env.oddville.rules.box import Box
from oddville_env.oddville.rules.state import Phase


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
