"""How fast a policy network on a GPU plays many games: decisions/s, and where the time of a step goes.

    python training/benchmarks/gpu.py --threads 8
    python training/benchmarks/gpu.py --device cpu

The network is a perceptron of two layers of 256. Observations and masks are copied into pinned memory and sent there;
actions are drawn from the masked logits and come back.
"""

import time
from typing import Annotated

import numpy as np
import torch
import typer
from rich.console import Console
from rich.table import Table
from torch import Tensor, nn

from oddville_env import OddVilleSelfPlayEnv, OldTownSelfPlayEnv
from oddville_env.envs.self_play import SelfPlayEnv
from oddville_training.program import run

WIDTH = 256
WARM_UP = 30  # steps
SECONDS = 2.0
ILLEGAL = -1e8  # logit of an illegal action
PARTS = ("send", "network", "return", "step")


class Policy(nn.Module):
    """Logits of all actions; an action drawn from them by the Gumbel trick."""

    def __init__(self, numbers: int, actions: int) -> None:
        super().__init__()
        inner = (nn.Linear(numbers, WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH), nn.ReLU())
        self.logits = nn.Sequential(*inner, nn.Linear(WIDTH, actions))

    @torch.no_grad()
    def forward(self, seen: Tensor, masks: Tensor) -> Tensor:
        """Observations [B, N], masks uint8 [B, A] -> actions int64 [B]."""
        logits: Tensor = self.logits(seen.float()).masked_fill(~masks.bool(), ILLEGAL)
        noise = torch.rand_like(logits).clamp(1e-9, 1 - 1e-7)
        return (logits - (-noise.log()).log()).argmax(-1)


def measure(games: SelfPlayEnv, device: str) -> tuple[float, list[float]]:
    """Decisions/s, and microseconds of a step in each of PARTS, by wall clock."""
    seen, info = games.reset(seed=1)
    arrays = seen, info["action_mask"]
    sent = [torch.from_numpy(np.array(each)) for each in arrays]
    sent = [each.pin_memory() if device == "cuda" else each for each in sent]
    policy = Policy(seen.shape[1], arrays[1].shape[1]).to(device)
    settle = torch.cuda.synchronize if device == "cuda" else lambda: None
    spent: list[list[float]] = []
    begun = time.perf_counter()
    while len(spent) <= WARM_UP or time.perf_counter() < begun + SECONDS:
        times = [time.perf_counter()]
        for tensor, array in zip(sent, arrays, strict=True):
            tensor.numpy()[:] = array
        there = [tensor.to(device, non_blocking=True) for tensor in sent]
        settle()
        times.append(time.perf_counter())
        actions = policy(*there)
        settle()
        times.append(time.perf_counter())
        chosen = actions.cpu().numpy()
        times.append(time.perf_counter())
        seen, *_, info = games.step(chosen)
        arrays = seen, info["action_mask"]
        times.append(time.perf_counter())
        spent.append(list(np.diff(times)))
        if len(spent) == WARM_UP:
            begun = time.perf_counter()
    parts = np.mean(spent[WARM_UP:], axis=0)
    return len(chosen) / float(parts.sum()), [1e6 * float(each) for each in parts]


def main(
    device: Annotated[str, typer.Option(help="Device of the network, such as cuda or cpu.")] = "cuda",
    threads: Annotated[int, typer.Option(help="Threads that step the games.")] = 8,
) -> None:
    """Measure both games with two encodings, 1,024 and 8,192 games, and print a table."""
    table = Table("what", "decisions/s", *(f"{part}, µs" for part in PARTS))
    for name, make in (("OddVille", OddVilleSelfPlayEnv), ("Old Town", OldTownSelfPlayEnv)):
        for encoding in ("summary", "features"):
            for size in (1024, 8192):
                rate, parts = measure(make(size, players=2, encoding=encoding, threads=threads), device)
                table.add_row(f"{name}, {size} games, {encoding}", *(f"{each:,.0f}" for each in (rate, *parts)))
    Console().print(table)


if __name__ == "__main__":
    run(main)
