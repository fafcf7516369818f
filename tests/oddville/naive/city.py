"""The city: where the cards lie, where one fits, what joins it, what it is worth. Cells are (column, line)."""

from .cards import GUILDS, RESOURCES, Building, CardSet

Cell = tuple[int, int]
SQUARE: Cell = (0, 0)  # S2
SIDES = {"N": (0, -1), "E": (1, 0), "S": (0, 1), "W": (-1, 0)}  # S2: line grows downward, column to the right
OPPOSITE = {"N": "S", "E": "W", "S": "N", "W": "E"}


class City:
    """The cards on the table: `built` is cell -> (card id, owner) in the order of building, `fields` the square's."""

    def __init__(self, cards: CardSet, table: tuple[int, int]) -> None:
        """[S2] Begin with the square alone."""
        self.cards = cards
        self.columns, self.lines = table
        self.built: dict[Cell, tuple[int, int]] = {}
        self.fields: dict[str, int | None] = dict.fromkeys(RESOURCES)

    def cells(self) -> list[Cell]:
        """List every cell with a card, the square's too."""
        return [SQUARE, *self.built]

    def at(self, cell: Cell) -> Building:
        """Give the card that lies on the cell."""
        return self.cards.square if cell == SQUARE else self.cards.buildings[self.built[cell][0]]

    def neighbours(self, cell: Cell) -> dict[str, Cell]:
        """[B2] The orthogonally adjacent cells with a card (the square is one), by the side on which they lie."""
        beside = {side: (cell[0] + dx, cell[1] + dy) for side, (dx, dy) in SIDES.items()}
        return {side: other for side, other in beside.items() if other in self.cells()}

    def empty_cells(self) -> list[Cell]:
        """[B2] The cells that are empty, on the table and adjacent to a card of the city."""
        around = {(column + dx, line + dy) for column, line in self.cells() for dx, dy in SIDES.values()}
        return [cell for cell in around if cell not in self.cells() and self.on_table(cell)]

    def on_table(self, cell: Cell) -> bool:
        """[B8, B2] The square is in the middle of the top line, which is line 0."""
        column, line = cell
        return abs(column) <= self.columns // 2 and 0 <= line < self.lines

    def fits(self, card: int, cell: Cell) -> bool:
        """[B3] Where two cards touch, street meets street and houses meet houses."""
        streets = self.cards.buildings[card].streets
        return all(
            (side in streets) == (OPPOSITE[side] in self.at(other).streets)
            for side, other in self.neighbours(cell).items()
        )

    def bonuses(self, cell: Cell, lamplighter: bool) -> list[str]:
        """[B5, C10] The bonus of the card and of every adjacent card that a street joins (lamplighter: joined or not).

        By B3 a street leads into the neighbour exactly where the card itself has one on that side.
        """
        found = list(self.at(cell).bonus)
        for side, other in self.neighbours(cell).items():
            if lamplighter or side in self.at(cell).streets:
                found += self.at(other).bonus
        return found

    def workers(self, seat: int) -> int:
        """[E1] The seat's workers in the city: on buildings and on the square."""
        return [owner for _, owner in self.built.values()].count(seat) + list(self.fields.values()).count(seat)

    def on_square(self, seat: int) -> bool:
        """Whether the seat has a worker on the square."""
        return seat in self.fields.values()

    def value(self, cell: Cell) -> int:
        """[V1] A building is worth base + per x count(counts)."""
        card = self.at(cell)
        return card.base + card.per * self.count(card.counts, cell)

    def count(self, counts: str, cell: Cell) -> int:
        """[V1] What the building on the cell counts."""
        beside = [self.at(other) for other in self.neighbours(cell).values()]
        if counts == "adjacent":
            return len(beside)
        if counts == "shields":
            return sum(card.shield for card in beside)
        if counts == "row":
            return len([other for other in self.cells() if other[1] == cell[1]])
        if counts == "column":
            return len([other for other in self.cells() if other[0] == cell[0]])
        if counts in (*GUILDS, "diamond"):
            return len([other for other in self.cells() if self.at(other).suit == counts])
        assert counts == "", f"V1 knows no {counts!r}"
        return 0

    def points(self, seat: int) -> int:
        """[V1, V2] The seat's buildings, and the square for a seat with a worker on it."""
        buildings = sum(self.value(cell) for cell, (_, owner) in self.built.items() if owner == seat)
        return buildings + (self.cards.square.base if self.on_square(seat) else 0)
