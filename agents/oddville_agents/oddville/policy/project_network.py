"""The network that looks at every building on offer once more: how good a project it is in this situation.

The first layer of the dense body says what the situation is. One small layer that all projects share, those held and
those of the row, puts each card beside it; the body goes on with the sum and the best of them, and the moves that buy
or build a card are scored by its project. So what is learned of a card in one place of the row holds for all places.
"""

import torch
from torch import Tensor, nn
from torch.nn import functional

from oddville_agents.oddville.policy.network import Encoded, Sizes, SparseCityNetwork
from oddville_agents.policies.torch_network import small_head
from oddville_env.oddville.observation import Encoder
from oddville_env.oddville.rules.actions import Kind
from oddville_env.oddville.rules.state import MOST_HELD, ROW, WORKER_CARDS


class ProjectNetwork(SparseCityNetwork):
    """`SparseCityNetwork` whose heads read projects instead of cards."""

    def __init__(self, encoder: Encoder, sizes: Sizes) -> None:
        super().__init__(encoder, sizes)
        self.buy = encoder.layout.starts[Kind.BUY], encoder.layout.starts[Kind.BUY + 1]
        self.needs = nn.Linear(self.counts["numbers"] + sizes.hidden, sizes.card)
        self.offers = nn.Linear(sizes.card, sizes.card, bias=False)
        self.project = nn.Sequential(nn.ReLU(), nn.Linear(sizes.card, sizes.card), nn.ReLU())
        self.buys = small_head(nn.Linear(sizes.card, WORKER_CARDS))

    @staticmethod
    def beside(sizes: Sizes) -> int:
        """The sum and the largest of every number of projects, of held ones and of the row's."""
        return 4 * sizes.card

    def own_slots(self) -> list[int]:
        """The held cards, and the row's, which lie behind all seats' held ones."""
        row = self.counts["held"] // self.card_size
        return [*range(MOST_HELD), *range(row, row + ROW)]

    def _look_again(self, own: Tensor, there: Tensor, numbers: Tensor, hidden: Tensor) -> tuple[Tensor, Tensor]:
        """Projects for cards, none where there is no card."""
        needs = self.needs(torch.cat([numbers, hidden], 1))
        projects = self.project(self.offers(own) + needs[:, None]) * there[:, :, None]
        held, row = projects[:, :MOST_HELD], projects[:, MOST_HELD:]
        return projects, torch.cat([hidden, held.sum(1), held.amax(1), row.sum(1), row.amax(1)], 1)

    def _plain_moves(self, encoded: Encoded) -> Tensor:
        """Scores of all moves but builds, [B, before + after]; those that buy a card by its project too."""
        scores = super()._plain_moves(encoded)
        buys = self.buys(encoded.own[:, MOST_HELD:]).transpose(1, 2).flatten(1)
        low, high = self.buy
        return scores + functional.pad(buys, (low, scores.shape[1] - high))
