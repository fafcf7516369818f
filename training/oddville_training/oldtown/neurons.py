"""`python -m oddville_training.oldtown.neurons`: neurons that correct the heuristic's sum.

The heuristic plays itself, now and then a random move, and learns the winner from each seat's view after a move.

    P(seat wins) = sigmoid(expected lead / (LATE + EARLY x left)), the expected lead as in `heuristic/choice.py`

Fitted by the least log loss with Adam (Kingma and Ba 2015). Each round begins with the weights of the last one; the
positions of some earlier rounds are learned from again.
"""

from typing import Annotated, Any

import numpy as np
import torch
import typer

from oddville_agents.oldtown.heuristic.choice import INPUTS, NEURONS, WEIGHT_RECORD, weight_set
from oddville_agents.oldtown.heuristic.features import NUMBERS
from oddville_env.core.checked import check_seed, game_seeds, whole_number
from oddville_env.oldtown.rules.box import Box
from oddville_training.oldtown.regress import Deals, Rounds, box_for, noted_games, write_measured
from oddville_training.program import Out, Players, Seed, meter, run

EPOCHS = 4  # of a round
BATCH = 4096  # positions
RATE = 2e-3  # of Adam, at the start of a round
DECAY = 1e-5
LATE, EARLY = 0.45, 5.0  # points of a lead that are one in the log odds, in the end, and how many more before
KEPT = 3  # rounds whose positions are learned from


class HeuristicNetwork(torch.nn.Module):
    """The heuristic as a network: the same sum as `choice.expected_lead`, from features scaled to be about as large."""

    def __init__(self, start: np.ndarray, scale: np.ndarray, neurons: int) -> None:
        super().__init__()
        record = start[0]
        self.scale = torch.tensor(np.append(scale, 1.0), dtype=torch.float32)
        self.linear = torch.nn.Parameter(torch.tensor(np.stack([record["late"], record["early"]]) * scale).float())
        self.inner = torch.nn.Linear(INPUTS, neurons)
        self.outer = torch.nn.Parameter(torch.zeros(neurons))
        if record["neurons"]:
            size = int(record["neurons"])
            with torch.no_grad():
                self.inner.weight[:size] = torch.tensor(record["inner"][:size]).float() * self.scale
                self.inner.bias[:size] = torch.tensor(record["bias"][:size]).float()
                self.outer[:size] = torch.tensor(record["outer"][:size]).float()

    def forward(self, seen: torch.Tensor, left: torch.Tensor) -> torch.Tensor:
        """The final leads [N] that are foreseen: seen [N, NUMBERS] as features are, left [N]."""
        scaled = torch.cat([seen, left[:, None]], dim=1) / self.scale
        plain = (scaled[:, :NUMBERS] * (self.linear[0] + left[:, None] * self.linear[1])).sum(1)
        return plain + torch.relu(self.inner(scaled)) @ self.outer

    def as_record(self) -> np.ndarray:
        """The weights [1] for compiled code."""
        weights, scale = np.zeros(1, WEIGHT_RECORD), self.scale.numpy().astype(np.float64)
        size = self.outer.numel()
        weights["late"], weights["early"] = self.linear.detach().numpy() / scale[:NUMBERS]
        weights["neurons"] = size
        weights["inner"][0, :size] = self.inner.weight.detach().numpy() / scale
        weights["bias"][0, :size] = self.inner.bias.detach().numpy()
        weights["outer"][0, :size] = self.outer.detach().numpy()
        return weights


def learn(network: HeuristicNetwork, rows: np.ndarray, leads: np.ndarray) -> float:
    """Learn from positions, rows [N, 2, NUMBERS] and final leads [N], and return the last epoch's mean log loss."""
    won = torch.tensor((leads > 0) + 0.5 * (leads == 0)).float()
    seen, left = torch.tensor(rows[:, 0]).float(), torch.tensor(rows[:, 1, 0]).float()
    optimizer = torch.optim.Adam(network.parameters(), RATE, weight_decay=DECAY)
    steps = EPOCHS * -(-len(won) // BATCH)
    schedule = torch.optim.lr_scheduler.LambdaLR(optimizer, lambda step: max(1 - step / steps, 0.02))
    loss_of, total = torch.nn.BCEWithLogitsLoss(), 0.0
    for _ in range(EPOCHS):
        total = 0.0
        for chosen in torch.randperm(len(won)).split(BATCH):
            odds = network(seen[chosen], left[chosen]) / (LATE + EARLY * left[chosen])
            loss = loss_of(odds, won[chosen])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            total += loss.item() * len(chosen)
    return total / len(won)


def train(box: Box, neurons: int, deals: int, rounds: int, seed: int, progress: bool = True) -> tuple[np.ndarray, Any]:
    """The weights [1] after so many rounds of so many deals, and the log loss in each; equal arguments, equal ones."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    weights = weight_set("tuned", box.players)
    seeds = game_seeds(seed, deals * rounds).reshape(rounds, deals)
    memory: list[tuple[np.ndarray, np.ndarray]] = []
    losses: list[float] = []
    network: HeuristicNetwork | None = None
    with meter("rounds", progress) as shown:
        for one in shown.track(seeds, description="learning"):
            rows, leads = noted_games(box, weights, one)
            memory = [*memory, (rows.astype(np.float32), leads)][-KEPT:]
            seen, ends = (np.concatenate(part) for part in zip(*memory, strict=True))
            if network is None:
                scale = np.maximum(seen[:, 0].std(0), 1e-3).astype(np.float64)
                network = HeuristicNetwork(weights, np.where(seen[:, 0].std(0) > 0, scale, 1.0), neurons)
            losses.append(learn(network, seen, ends))
            weights = network.as_record()
    return weights, losses


def command(
    out: Out,
    players: Players = 2,
    neurons: Annotated[int, typer.Option(help="How many neurons.")] = 32,
    deals: Deals = 6000,
    rounds: Rounds = 5,
    seed: Seed = 0,
) -> None:
    """Train neurons from the heuristic, and measure it against greedy and the heuristic."""
    whole_number("neurons", neurons, 1, NEURONS)
    box = box_for(players, deals, rounds, out)
    weights, losses = train(box, neurons, deals, rounds, check_seed(seed))
    made: dict[str, Any] = {
        "method": "logistic regression of wins in self-play (oddville_training.oldtown.neurons)",
        "players": players, "seed": seed, "deals": deals * rounds,
        "log_loss": [round(loss, 4) for loss in losses],
    }  # fmt: skip
    write_measured(out, weights, made, ["greedy", "heuristic"])


if __name__ == "__main__":
    run(command)
