"""The network of Old Town's trained agents: an observation in, a score for every move and the expected return out.

    pi(move) = softmax over legal moves of: moves(situation) + the answers of the buildings that the move names

Illegal moves are masked before the softmax (Huang and Ontanon 2022).

One small layer, shared by all buildings, describes each of them. A move that names buildings is scored by what it asks
of them, and every move by one dense body that reads the whole situation. What is learned about one building holds for
all. Letters of shapes: B observations, N numbers, A moves.
"""

from typing import NamedTuple

import torch
from torch import Tensor, nn

from oddville_agents.oldtown.policy_model import COLUMNS, Sizes, building_numbers, numbers_read, terms_of
from oddville_agents.policies.torch_network import PolicyNetwork, small_head
from oddville_env.core.parts.pieces import Encoder
from oddville_env.oldtown.cards.words import A_CARDS, BUILDINGS


class Encoded(NamedTuple):
    """The inputs of the heads: buildings [B, BUILDINGS, building], situations [B, hidden]."""

    buildings: Tensor
    situation: Tensor


class Trunk(nn.Module):
    """From an observation to what the heads read, for the encoding `features` of one deck's moves."""

    read: Tensor
    known: Tensor

    def __init__(self, encoder: Encoder, sizes: Sizes) -> None:
        super().__init__()
        self.encoder, self.sizes = encoder, sizes
        indices = building_numbers(encoder)
        self._keep("read", torch.from_numpy(numbers_read(encoder)).nonzero().squeeze(1))
        self._keep("known", torch.from_numpy(indices))
        self.building = _two_layers(indices.shape[1], sizes.building)
        self.body = _two_layers(len(self.read), sizes.hidden)

    def _keep(self, name: str, indices: Tensor) -> None:
        """Indices that follow from the encoder, and are in no file."""
        self.register_buffer(name, indices, persistent=False)

    def encode(self, observation: Tensor) -> Encoded:
        """The wide layers, of observations uint8 [B, N]; autocast may compute them more coarsely."""
        dtype = next(self.body.parameters()).dtype
        numbers = observation.to(dtype).sqrt()
        buildings = self.building(numbers[:, self.known])
        situation = self.body(numbers.index_select(1, self.read))
        return Encoded(buildings.to(dtype), situation.to(dtype))


class BuildingsNetwork(Trunk, PolicyNetwork):
    """Policy and value of one seat."""

    terms: Tensor

    def __init__(self, encoder: Encoder, sizes: Sizes) -> None:
        super().__init__(encoder, sizes)
        self._keep("terms", torch.from_numpy(terms_of(encoder.layout)))
        self.asked = small_head(nn.Linear(sizes.building, COLUMNS))
        self.cards = small_head(nn.Linear(BUILDINGS * sizes.building, A_CARDS))
        self.moves = small_head(nn.Linear(sizes.hidden, encoder.layout.size))
        self.value = nn.Linear(sizes.hidden, 1)

    def heads(self, encoded: Encoded) -> tuple[Tensor, Tensor]:
        """Scores of all moves, legal or not, float [B, A], and values, float [B]."""
        buildings, situation = encoded
        asked, cards = self.asked(buildings).flatten(1), self.cards(buildings.flatten(1))
        answers = torch.cat([asked, cards, asked.new_zeros(len(asked), 1)], 1)
        first, second = (answers.index_select(1, term) for term in self.terms)
        values: Tensor = self.value(situation).squeeze(1)
        return self.moves(situation) + first + second, values


def _two_layers(numbers: int, size: int) -> nn.Sequential:
    return nn.Sequential(nn.Linear(numbers, size), nn.ReLU(), nn.Linear(size, size), nn.ReLU())
