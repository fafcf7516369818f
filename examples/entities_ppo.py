"""Self-play PPO with attention over entities: moves are scored by the cards, seats and places that they name.

    python examples/entities_ppo.py --minutes 10
    python examples/entities_ppo.py --game oldtown --minutes 10

The encoding `entities` shows a position as rows [T, D], each of a kind. A layer for each kind reads its rows, a few
learned queries attend to all of them (Vaswani et al. 2017; Lee et al. 2019), and what they found goes back to every
row. A move is worth the sum of what its kind and the rows that it names say: rows of a kind may stand in any order. PPO
is that of `selfplay_ppo.py`. Letters of shapes: B positions, T rows, D columns, A actions, W width, Q queries.
"""

import numpy as np
import selfplay_ppo
import torch
import typer
from common import Curve, CurveFile, Device, GameName, Games, Minutes, Seed, play_against, seed_torch
from torch import Tensor, nn
from torch.distributions import Categorical
from torch.nn.functional import relu, scaled_dot_product_attention

import oddville_env
from oddville_env.core.parts.pieces import PRESENT
from oddville_env.oddville.observation.entities import AT
from oddville_env.oddville.rules.actions import SPANS as ODDVILLE_SPANS
from oddville_env.oldtown.rules.actions import SPANS as OLDTOWN_SPANS

ENCODING = "entities"
WIDTH, QUERIES = 48, 6  # W, Q
PLACES = 4  # of a move's rows: the row `game`, which stands for its kind alone, and up to three parts
SPANS = {"oddville": ODDVILLE_SPANS, "oldtown": OLDTOWN_SPANS}
KIND_OF = {
    **{"resource": "resources", "worker": "workers", "position": "row", "held": "held", "third": "held"},
    **{"building": "buildings", "card": "cards", "a": "cards", "b": "cards", "c": "cards", "lot": "lots"},
}
"""By part of a move the kind of rows that it names. A `cell` is found by its place; `slot` and `stack` have no rows."""
CELL_UNIT = next(iter(AT.values()))


class Naming:
    """Which rows the moves of a game name.

    A move's score is a sum over places: [A, PLACES] numbers of scores, which lie side by side for each row and head.
    The heads are places of kinds of moves. Behind all rows lie the scores of OddVille's cells, and a zero.
    """

    def __init__(self, game: str, encoder: "oddville_env.oddville.observation.Encoder") -> None:
        layout, spans = encoder.layout, SPANS[game]
        sizes = {piece.name: piece.shape[0] for piece in encoder.pieces}
        starts = dict(zip(sizes, np.cumsum([0, *sizes.values()]).tolist(), strict=False))
        self.rows, self.heads, self.sizes = sum(sizes.values()), len(spans) * PLACES, sizes
        self.columns, self.lines = getattr(layout, "columns", 0), getattr(layout, "lines", 0)
        self.cells = self.columns * self.lines
        self.cell_rows = slice(starts["cells"], starts["cells"] + sizes["cells"]) if self.cells else None
        self.cell_head = next((kind * PLACES for kind, span in enumerate(spans) if "cell" in span.factors), 0) + 2
        self.nothing = self.rows * self.heads + self.cells
        self.scores = np.full((layout.size, PLACES), self.nothing)
        first_card = {"a": 0, "c": 18, "b": 36}
        for action, (kind, *parts) in enumerate(layout.parts):
            self.scores[action, 0] = kind * PLACES  # the row `game` is the first
            for place, (name, part) in enumerate(zip(spans[kind].factors, parts, strict=False), 1):
                if name == "other":  # the buildings but that which the card names
                    name, part = "building", part + (part >= layout.named[parts[0]])
                if name == "cell":
                    self.scores[action, place] = self.rows * self.heads + part
                elif name in KIND_OF:
                    row = starts[KIND_OF[name]] + first_card.get(name, 0) + part
                    self.scores[action, place] = row * self.heads + kind * PLACES + place


class EntityPolicy(selfplay_ppo.Policy):
    """Attention over rows with two heads: logits of all actions, and the value of the observing seat."""

    def __init__(self, games: "oddville_env.OddVilleSelfPlayEnv", game: str) -> None:
        nn.Module.__init__(self)
        self.naming = Naming(game, games.encoder)
        columns = games.single_observation_space.shape[1]
        self.register_buffer("scale", torch.ones(1))  # tells the device
        self.register_buffer("named", torch.tensor(self.naming.scores))
        self.read = nn.ModuleList(nn.Linear(columns, WIDTH) for _ in self.naming.sizes)
        self.queries = nn.Parameter(torch.randn(QUERIES, WIDTH) / WIDTH**0.5)
        self.keys, self.contents = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, WIDTH)
        self.whole = nn.Linear(QUERIES * WIDTH, 2 * WIDTH)
        self.told = nn.Linear(2 * WIDTH, WIDTH)
        self.moves, self.value = nn.Linear(WIDTH, self.naming.heads), nn.Linear(2 * WIDTH, 1)

    def forward(self, observations: Tensor, masks: Tensor) -> tuple[Categorical, Tensor]:
        """Observations [B, T, D], masks bool [B, A] -> a distribution over legal actions, and values [B]."""
        parts = observations.split(list(self.naming.sizes.values()), -2)
        rows = relu(torch.cat([read(part) for read, part in zip(self.read, parts, strict=True)], -2))  # [B, T, W]
        there = observations[..., PRESENT].bool()
        queries = self.queries.expand(len(rows), -1, -1)
        found = scaled_dot_product_attention(queries, self.keys(rows), self.contents(rows), there[:, None])
        whole = relu(self.whole(found.flatten(1)))  # [B, 2 W]
        rows = relu(rows + self.told(whole)[:, None])
        scores = self.moves(rows)  # [B, T, heads]
        nothing = scores.new_zeros(len(scores), 1)
        everything = torch.cat([scores.flatten(1), self.of_cells(observations, there, scores), nothing], 1)
        logits = everything.index_select(1, self.named.flatten()).unflatten(1, self.named.shape).sum(-1)
        return Categorical(logits=logits.masked_fill(~masks, selfplay_ppo.ILLEGAL)), self.value(whole).squeeze(-1)

    def of_cells(self, observations: Tensor, there: Tensor, scores: Tensor) -> Tensor:
        """The scores of the table's cells [B, cells], of those that have rows; 0 of others, and none in Old Town."""
        naming, found = self.naming, scores.new_zeros(len(scores), self.naming.cells)
        if naming.cell_rows is None:
            return found
        column, line = (observations[:, naming.cell_rows, list(AT)] * CELL_UNIT).round().long().unbind(-1)
        cell = line * naming.columns + column + naming.columns // 2
        present = there[:, naming.cell_rows]
        score = scores[:, naming.cell_rows, naming.cell_head]
        return found.scatter_add(1, cell.where(present, 0), score * present)

    @torch.no_grad()
    def best(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """The likeliest actions, int64 [...], for observations [..., T, D]."""
        shape = masks.shape[:-1]
        seen = observations.reshape(-1, *observations.shape[-2:])
        return super().best(seen, masks.reshape(-1, masks.shape[-1])).reshape(shape)


def make_policy(game: str, games: "oddville_env.OddVilleSelfPlayEnv") -> EntityPolicy:
    """A fresh one for these games."""
    return EntityPolicy(games, game)


def main(
    game: GameName = "oddville",
    minutes: Minutes = 10,
    games: Games = 400,
    device: Device = "cpu",
    curve: CurveFile = None,
    seed: Seed = 0,
) -> None:
    """Learn by self-play, then play against `random` and a heuristic."""
    seed_torch(seed)
    batch = selfplay_ppo.make_games(game, ENCODING)
    policy, progress = make_policy(game, batch).to(device), Curve(curve)

    def watch(decisions: int, losses: dict[str, float]) -> None:
        progress.add(decisions, **losses)

    selfplay_ppo.learn(policy, batch, 60 * minutes, seed, watch)
    play_against(selfplay_ppo.ANCHORS[game], selfplay_ppo.agent_of(policy.to("cpu"), ENCODING), games, seed, game)


if __name__ == "__main__":
    typer.run(main)
