"""The network of the trained agents: an observation in, a score for every move and the expected return out.

Cards are described by one small layer that all of them share. The city is sparse, so only cells that hold a card or
touch one are looked at, each with its four neighbours. A build is scored by how well what the held card asks for meets
what the cell offers: what is learned about one cell holds for all. It needs nothing but torch.

Letters of shapes: B observations, N numbers, A moves, M cells that are looked at, H W lines and columns of the city.
"""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from oddville_env.observation import Encoder
from oddville_env.rules.actions import Kind
from oddville_env.rules.state import MOST_HELD, SIDES

CARDS = ("held", "row", "last_coin", "deck_top")  # held first: the observer's own come before all others
CITY = ("city", "sides")
TIMID = 0.01  # gain of the layers that score moves: at first every move is about equally likely
LARGEST = 1024


@dataclass(frozen=True)
class Sizes:
    """How many numbers describe a card, a cell and the whole situation."""

    card: int = 32
    cell: int = 32
    hidden: int = 128

    def __post_init__(self) -> None:
        """Refuse what would not fit into memory."""
        for name, size in vars(self).items():
            if type(size) is not int or not 1 <= size <= LARGEST:
                raise ValueError(f"the network's {name} must be a whole number from 1 to {LARGEST}, not {size!r}")


class Network(nn.Module):
    """Policy and value of one seat, for the encoding `features` of one layout of the table."""

    def __init__(self, encoder: Encoder, sizes: Sizes) -> None:
        super().__init__()
        self.encoder, self.sizes = encoder, sizes
        self.shapes = {piece.name: piece.shape for piece in encoder.pieces}
        self.counts = {piece.name: piece.size for piece in encoder.pieces}
        self.rest = [name for name in self.counts if name not in CARDS + CITY]
        self.marks = self.shapes["row"][-1]  # numbers that describe a card
        cards = sum(self.counts[name] for name in CARDS) // self.marks
        situation = sum(self.counts[name] for name in self.rest) + cards * sizes.card + 2 * sizes.cell
        starts = encoder.layout.starts
        self.before, self.after = starts[Kind.BUILD], starts[-1] - starts[Kind.BUILD + 1]
        self.card = nn.Sequential(nn.Linear(self.marks, sizes.card), nn.ReLU())
        self.city = City(self.shapes["city"], self.shapes["sides"], sizes.cell)
        self.body = nn.Sequential(
            nn.Linear(situation, sizes.hidden), nn.ReLU(), nn.Linear(sizes.hidden, sizes.hidden), nn.ReLU()
        )
        self.moves = _timid(nn.Linear(sizes.hidden, self.before + self.after))
        self.ask = _timid(nn.Linear(sizes.card + sizes.hidden, sizes.cell))
        self.value = nn.Linear(sizes.hidden, 1)

    def forward(self, observation: Tensor) -> tuple[Tensor, Tensor]:
        """Observations uint8 [B, N] -> scores of all moves, legal or not, float [B, A], and values, float [B]."""
        seen = self._pieces(observation)
        cards = self.card(torch.cat([seen[name] for name in CARDS], 1).unflatten(1, (-1, self.marks)).float())
        city, sides = (seen[name].unflatten(1, self.shapes[name]) for name in CITY)
        cells = self.city(city, sides)
        numbers = torch.cat([seen[name] for name in self.rest], 1).float().sqrt()
        situation = self.body(torch.cat([numbers, cards.flatten(1), *cells.summary(len(observation))], 1))
        builds = self._builds(cells, cards[:, :MOST_HELD], situation, city.shape[1:3].numel())
        before, after = self.moves(situation).split([self.before, self.after], 1)
        values: Tensor = self.value(situation).squeeze(1)
        return torch.cat([before, builds, after], 1), values

    def _pieces(self, observation: Tensor) -> dict[str, Tensor]:
        """Named pieces, flat, as views."""
        return dict(zip(self.counts, observation.split(list(self.counts.values()), 1), strict=True))

    def _builds(self, cells: "Cells", held: Tensor, situation: Tensor, area: int) -> Tensor:
        """Scores of building each held card [B, 2, card] on each cell: [B, 2 * area], 0 where nobody could build."""
        asked = self.ask(torch.cat([held, situation[:, None].expand(-1, MOST_HELD, -1)], 2))
        scores = (asked[cells.game] * cells.offer[:, None]).sum(2)
        grid: Tensor = scores.new_zeros(len(held), area, MOST_HELD).index_put((cells.game, cells.place), scores)
        return grid.transpose(1, 2).flatten(1)


class Cells(NamedTuple):
    """The cells that are looked at: of which observation [M], where in its city [M], what they offer [M, cell]."""

    game: Tensor
    place: Tensor
    offer: Tensor

    def summary(self, games: int) -> tuple[Tensor, Tensor]:
        """The mean and the largest of every number over an observation's cells: [B, cell] each."""
        nothing = self.offer.new_zeros(games, self.offer.shape[1])
        number = torch.bincount(self.game, minlength=games).clamp(min=1)[:, None]
        return (
            nothing.index_add(0, self.game, self.offer) / number,
            nothing.scatter_reduce(0, self.game[:, None].expand_as(self.offer), self.offer, "amax"),
        )


class City(nn.Module):
    """From the maps to the cells that hold a card or touch one."""

    steps: Tensor

    def __init__(self, city: tuple[int, ...], sides: tuple[int, ...], size: int) -> None:
        super().__init__()
        self.width = city[1] + 2  # with a margin, so that every cell has four neighbours
        steps = torch.tensor([0, -self.width, 1, self.width, -1])  # itself, N, E, S, W
        self.register_buffer("steps", steps, persistent=False)
        seen = (1 + SIDES) * (city[-1] + sides[-1]) + 2
        self.cell = nn.Sequential(nn.Linear(seen, size), nn.ReLU(), nn.Linear(size, size), nn.ReLU())

    def forward(self, city: Tensor, sides: Tensor) -> Cells:
        """Maps uint8 [B, H, W, ...] -> cells."""
        columns, lots = city.shape[2], functional.pad(torch.cat([city, sides], 3), (0, 0, 1, 1, 1, 1))
        game, line, column = sides.any(3).nonzero(as_tuple=True)
        at = (game * lots.shape[1] + line + 1) * self.width + column + 1
        around = lots.flatten(0, 2)[at[:, None] + self.steps].flatten(1)
        taken = city.any(3)
        same_line = taken.sum(2, dtype=torch.uint8)[game, line]
        same_column = taken.sum(1, dtype=torch.uint8)[game, column]
        offer = self.cell(torch.cat([around, same_line[:, None], same_column[:, None]], 1).float())
        return Cells(game, line * columns + column, offer)


def _timid(layer: nn.Linear) -> nn.Linear:
    nn.init.orthogonal_(layer.weight, TIMID)
    nn.init.zeros_(layer.bias)
    return layer
