"""The network of the trained agents: an observation in, a score for every move and the expected return out.

    pi(move) = softmax over legal moves of: score;  score(build card on cell) = ask(card, situation) . offer(cell)

Illegal moves are masked before the softmax (Huang and Ontanon 2022).

One small layer, shared by all cards, describes each card. The city is sparse, so only cells that hold a card or touch
one are read, each with its four neighbours. A build is scored by how well what the held card asks for meets what the
cell offers, so what is learned about one cell holds for all.

The first layer of the dense body describes the situation. A second shared layer, the project, puts each card that is
held or in the row beside it. The body continues with the sum and the maximum of the projects, and moves that buy or
build a card are scored by its project, so what is learned about a card in one place of the row holds for all cells.

Letters of shapes: B observations, N numbers, A moves, M cells that are read, H W lines and columns of the city.
"""

from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from oddville_agents.policies.models import LayerSizes
from oddville_agents.policies.torch_network import PolicyNetwork, small_head
from oddville_env.core.parts.pieces import Encoder
from oddville_env.oddville.rules.actions import Kind
from oddville_env.oddville.rules.state import MOST_HELD, ROW, SIDES, WORKER_CARDS

CARDS = ("held", "row", "last_coin", "deck_top")  # the observer's held cards come first
CITY = ("city", "sides")
NUMBERS = "numbers"  # all other pieces, which come first
ROW_MULTIPLE = 512  # under autocast rows are padded to its multiples, so that few sizes are compiled


@dataclass(frozen=True)
class Sizes(LayerSizes):
    """The widths of the layers that describe a card, a cell and the whole situation."""

    card: int = 32
    cell: int = 32
    hidden: int = 128


class Trunk(nn.Module):
    """The layers from an observation, encoding `features`, to the inputs of the heads."""

    always: Tensor

    def __init__(self, encoder: Encoder, sizes: Sizes) -> None:
        super().__init__()
        self.encoder, self.sizes = encoder, sizes
        self.shapes = {piece.name: piece.shape for piece in encoder.pieces}
        parts = {piece.name: piece.size for piece in encoder.pieces if piece.name in CARDS + CITY}
        self.counts = {NUMBERS: encoder.size - sum(parts.values())} | parts
        self.card_size = self.shapes["row"][-1]  # numbers that describe a card
        cards = sum(self.counts[name] for name in CARDS) // self.card_size
        situation = self.counts[NUMBERS] + cards * sizes.card + 2 * sizes.cell
        self.card = nn.Sequential(nn.Linear(self.card_size, sizes.card), nn.ReLU())
        self.city = City(self.shapes["city"], self.shapes["sides"], sizes.cell)
        self.body = nn.Sequential(
            nn.Linear(situation, sizes.hidden),
            nn.ReLU(),
            nn.Linear(sizes.hidden + self.beside(sizes), sizes.hidden),
            nn.ReLU(),
        )
        self.register_buffer("always", torch.tensor(self.own_slots()), persistent=False)

    @staticmethod
    def beside(sizes: Sizes) -> int:
        """The number of inputs of the body's second layer beside the outputs of the first one."""
        return 0

    def own_slots(self) -> list[int]:
        """The slots whose cards the heads read, the observer's held cards first."""
        return list(range(MOST_HELD))

    def encode(self, observation: Tensor) -> "Encoded":
        """Return the outputs of the wide layers, which may run under autocast, for observations uint8 [B, N]."""
        seen = dict(zip(self.counts, observation.split(list(self.counts.values()), 1), strict=True))
        slots = torch.cat([seen[name] for name in CARDS], 1).unflatten(1, (-1, self.card_size))
        held = slots.flatten(1).amax(0).view(slots.shape[1:]).any(1)  # by a card, in any observation
        held[self.always] = True
        used = held.nonzero().squeeze(1)
        dtype = _first_and_rest(self.body)[0].weight.dtype
        cards = self.card(_as_input(slots.index_select(1, used), dtype))
        city, sides = (seen[name].unflatten(1, (-1, self.shapes[name][-1])) for name in CITY)
        cells = self.city(city, sides)
        numbers = _as_input(seen[NUMBERS].to(dtype).sqrt(), dtype)
        hidden = self._hidden(numbers, cards, used, cells.summary(len(observation)))
        own = cards.index_select(1, torch.searchsorted(used, self.always))
        there = slots.index_select(1, self.always).any(2)
        own, hidden = self._look_again(own, there, numbers, hidden)
        return Encoded(cells, own.to(dtype), self.body[2:](hidden).to(dtype))

    def _look_again(self, own: Tensor, there: Tensor, numbers: Tensor, hidden: Tensor) -> tuple[Tensor, Tensor]:
        """Own cards [B, own, card] as the heads read them, and what the body's second layer reads.

        there: whether there is a card, bool [B, own].
        """
        return own, hidden

    def _hidden(self, numbers: Tensor, cards: Tensor, used: Tensor, city: Tensor) -> Tensor:
        """The dense body's first layer: [B, hidden].

        Most of the work, so it is split: numbers need no gradient, and slots that are empty in all observations need no
        product, since each adds the same constant.
        """
        first, _ = _first_and_rest(self.body)
        sizes = [numbers.shape[1], first.in_features - numbers.shape[1] - city.shape[1], city.shape[1]]
        number_weights, card_weights, city_weights = first.weight.split(sizes, 1)
        slot_weights = card_weights.unflatten(1, (-1, self.sizes.card))
        used_weights = slot_weights.index_select(1, used)
        empty = _first_and_rest(self.card)[0].bias.relu()
        constant = first.bias + (slot_weights.sum(1) - used_weights.sum(1)) @ empty
        hidden = functional.linear(numbers, number_weights, constant)
        of_cards = functional.linear(cards.flatten(1), used_weights.flatten(1))
        return (hidden + of_cards + functional.linear(city, city_weights)).relu()


class ProjectNetwork(Trunk, PolicyNetwork):
    """Policy and value of one seat: the trunk, projects in place of own cards, and the heads."""

    def __init__(self, encoder: Encoder, sizes: Sizes) -> None:
        super().__init__(encoder, sizes)
        starts = encoder.layout.starts
        self.before, self.after = starts[Kind.BUILD], starts[-1] - starts[Kind.BUILD + 1]
        self.moves = small_head(nn.Linear(sizes.hidden, self.before + self.after))
        self.ask = small_head(nn.Linear(sizes.card + sizes.hidden, sizes.cell))
        self.value = nn.Linear(sizes.hidden, 1)
        self.buy = starts[Kind.BUY], starts[Kind.BUY + 1]
        self.needs = nn.Linear(self.counts[NUMBERS] + sizes.hidden, sizes.card)
        self.offers = nn.Linear(sizes.card, sizes.card, bias=False)
        self.project = nn.Sequential(nn.ReLU(), nn.Linear(sizes.card, sizes.card), nn.ReLU())
        self.buys = small_head(nn.Linear(sizes.card, WORKER_CARDS))

    @staticmethod
    def beside(sizes: Sizes) -> int:
        """The sum and the maximum of every number of projects, of held ones and of the row's."""
        return 4 * sizes.card

    def own_slots(self) -> list[int]:
        """The held cards, and the row's, which stand behind all seats' held ones."""
        row = self.counts["held"] // self.card_size
        return [*range(MOST_HELD), *range(row, row + ROW)]

    def _look_again(self, own: Tensor, there: Tensor, numbers: Tensor, hidden: Tensor) -> tuple[Tensor, Tensor]:
        """Projects for cards, zeros where there is no card."""
        needs = self.needs(torch.cat([numbers, hidden], 1))
        projects = self.project(self.offers(own) + needs[:, None]) * there[:, :, None]
        held, row = projects[:, :MOST_HELD], projects[:, MOST_HELD:]
        return projects, torch.cat([hidden, held.sum(1), held.amax(1), row.sum(1), row.amax(1)], 1)

    def heads(self, encoded: "Encoded") -> tuple[Tensor, Tensor]:
        """Return scores of all moves, legal or not, float [B, A], and values, float [B]."""
        before, after = self._plain_moves(encoded).split([self.before, self.after], 1)
        values: Tensor = self.value(encoded.situation).squeeze(1)
        return torch.cat([before, self._builds(encoded), after], 1), values

    def _plain_moves(self, encoded: "Encoded") -> Tensor:
        """Scores of all moves but builds, [B, before + after]; those that buy a card by its project too."""
        scores: Tensor = self.moves(encoded.situation)
        buys = self.buys(encoded.own[:, MOST_HELD:]).transpose(1, 2).flatten(1)
        low, high = self.buy
        return scores + functional.pad(buys, (low, scores.shape[1] - high))

    def _builds(self, encoded: "Encoded") -> Tensor:
        """Scores of building each held card on each cell: [B, 2 * H * W], 0 where no seat could build."""
        cells, held, situation = encoded.cells, encoded.own[:, :MOST_HELD], encoded.situation
        asked = self.ask(torch.cat([held, situation[:, None].expand(-1, MOST_HELD, -1)], 2))
        scores = (asked.index_select(0, cells.game) * cells.offer[:, None]).sum(2)
        grid: Tensor = scores.new_zeros(len(held), len(self.city.around), MOST_HELD)
        return grid.index_put((cells.game, cells.cell), scores).transpose(1, 2).flatten(1)


class Cells(NamedTuple):
    """The cells that are read: their observation [M], index in its city [M], and outputs [M, cell]."""

    game: Tensor
    cell: Tensor
    offer: Tensor

    def summary(self, games: int) -> Tensor:
        """The mean and the largest of every number over an observation's cells: [B, 2 * cell]."""
        nothing = self.offer.new_zeros(games, self.offer.shape[1])
        number = torch.bincount(self.game, minlength=games).clamp(min=1)[:, None]
        mean = nothing.index_add(0, self.game, self.offer) / number
        largest = nothing.scatter_reduce(0, self.game[:, None].expand_as(self.offer), self.offer, "amax")
        return torch.cat([mean, largest], 1)


class Encoded(NamedTuple):
    """The inputs of the heads: cells, the own slots' cards [B, own, card], situations [B, hidden]."""

    cells: Cells
    own: Tensor
    situation: Tensor


class City(nn.Module):
    """The layer of the cells that hold a card or touch one."""

    around: Tensor

    def __init__(self, city: tuple[int, ...], sides: tuple[int, ...], size: int) -> None:
        super().__init__()
        self.lines, self.columns = city[:2]
        self.register_buffer("around", _neighbours(self.lines, self.columns), persistent=False)
        seen = (1 + SIDES) * (city[-1] + sides[-1]) + 2
        self.cell = nn.Sequential(nn.Linear(seen, size), nn.ReLU(), nn.Linear(size, size), nn.ReLU())

    def forward(self, city: Tensor, sides: Tensor) -> Cells:
        """Maps uint8 [B, H * W, ...] -> cells."""
        eight_bytes = sides.clone(memory_format=torch.contiguous_format).view(torch.int64)  # a cell's as one number
        game, cell = eight_bytes.squeeze(2).nonzero(as_tuple=True)  # the cells that hold a card or touch one
        cells = torch.cat([city[game, cell], sides[game, cell]], 1)
        dtype = _first_and_rest(self.cell)[0].weight.dtype
        taken = cells[:, : city.shape[2]].any(1).to(dtype)
        in_line = _group_counts(game * self.lines + cell // self.columns, taken, len(city) * self.lines)
        in_column = _group_counts(game * self.columns + cell % self.columns, taken, len(city) * self.columns)
        around = self._with_neighbours(_as_input(cells, dtype), game, cell, len(city))
        first, rest = _first_and_rest(self.cell)
        neighbour_weights, count_weights = first.weight.split([around.shape[1], 2], 1)
        counts = functional.pad(torch.stack([in_line, in_column], 1), (0, 0, 0, len(around) - len(game)))
        seen = functional.linear(around, neighbour_weights, first.bias) + functional.linear(counts, count_weights)
        return Cells(game, cell, rest(seen)[: len(game)].to(dtype))

    def _with_neighbours(self, cells: Tensor, game: Tensor, cell: Tensor, games: int) -> Tensor:
        """Each cell's numbers and those of its four neighbours: [M, 5 * ...], with rows of zeros behind them."""
        nothing = len(cells)  # the row of zeros behind all others, for cells that are not looked at
        width = len(self.around) + 1
        rows = torch.full((games * width,), nothing).index_copy(0, game * width + cell, torch.arange(nothing))
        around = rows.index_select(0, (self.around.index_select(0, cell) + game[:, None] * width).flatten())
        if torch.is_autocast_enabled("cpu"):
            around = functional.pad(around, (0, (1 + SIDES) * (-nothing % ROW_MULTIPLE)), value=nothing)
        return functional.pad(cells, (0, 0, 0, 1)).index_select(0, around).view(-1, (1 + SIDES) * cells.shape[1])


def _as_input(numbers: Tensor, dtype: torch.dtype) -> Tensor:
    """Numbers in the dtype of the products; integers up to 255 are exact in bfloat16 too."""
    return numbers.to(torch.get_autocast_dtype("cpu") if torch.is_autocast_enabled("cpu") else dtype)


def _group_counts(group: Tensor, taken: Tensor, groups: int) -> Tensor:
    """The taken cells of each cell's group: [M]."""
    return taken.new_zeros(groups).index_add(0, group, taken).index_select(0, group)


def _neighbours(lines: int, columns: int) -> Tensor:
    """The indices of every cell and its neighbours N, E, S, W, H * W for those outside: int64 [H * W, 5]."""
    cells = functional.pad(torch.arange(lines * columns).view(lines, columns), (1, 1, 1, 1), value=lines * columns)
    shifts = ((1, 1), (0, 1), (1, 2), (2, 1), (1, 0))
    around = [cells[line : line + lines, column : column + columns].flatten() for line, column in shifts]
    return torch.stack(around, 1)


def _first_and_rest(layers: nn.Sequential) -> tuple[nn.Linear, nn.Module]:
    first = layers[0]
    assert isinstance(first, nn.Linear)
    return first, layers[1:]
