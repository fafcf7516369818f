"""`python -m oddville_training.learning.puzzles`: the policy for Old Town's puzzles, taught by their solutions.

Puzzles of all levels are made, some buildings of each are built, and the network learns where the others stand: the
cross entropy of every building's lot and of every lot's building, in the later rounds of its thinking too.
"""

import json
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
import typer
from torch import Tensor
from torch.nn.functional import cross_entropy

from oddville_agents.oldtown.solo.clues import Clues
from oddville_agents.oldtown.solo.network import IMPOSSIBLE, ROUNDS, SHAPES, inputs_of, table
from oddville_agents.oldtown.solo.play import played
from oddville_agents.oldtown.solo.policy import FORMAT, PolicyAgent
from oddville_agents.tensors import write_tensors
from oddville_env.core.checks import whole_number
from oddville_env.core.files import check_writable
from oddville_env.core.seeds import check_seed
from oddville_env.oldtown.cards import Deck, base_deck
from oddville_env.oldtown.cards.words import BUILDINGS, LOTS
from oddville_env.oldtown.solo.generator import LEVELS, generate
from oddville_env.oldtown.solo.puzzle import Puzzle
from oddville_env.oldtown.solo.solver import unary_sets
from oddville_training.program import meter, run

BATCH = 64
RATE = 6e-3
CLIP = 1.0
SUPERVISED = 3  # of the rounds, the last ones are taught
BUILT = 9  # buildings that stand already, at most
TESTED = 200  # unseen puzzles of each level


class Network(torch.nn.Module):
    """The sums of `solo.network.forward` in torch, for many puzzles at once."""

    def __init__(self) -> None:
        super().__init__()
        self.tensors = torch.nn.ParameterDict(
            {name: torch.randn(shape) * (0.5 / shape[0] ** 0.5) for name, shape in SHAPES.items()}
        )
        cards = table()
        self.named, self.pairs = torch.tensor(cards.named), torch.tensor(cards.pairs)

    def forward(self, cells: Tensor, cards: Tensor, mine: Tensor) -> list[Tensor]:
        """Log odds [B, 18, 16] after the later rounds: cells [B, 18, 16, INPUTS], cards [B, 18], mine [B, 3]."""
        tensors, found = self.tensors, []
        state = torch.tanh(cells @ tensors["first"] + tensors["first_bias"])
        for number in range(ROUNDS):
            heard = [state, *_lines(state), *self._clues(state, cards, mine), cells]
            state = torch.tanh(torch.cat(heard, dim=-1) @ tensors["round"] + tensors["round_bias"])
            if number >= ROUNDS - SUPERVISED:
                found.append(torch.where(cells[..., 0] > 0, state @ tensors["last"], torch.tensor(IMPOSSIBLE)))
        return found

    def _clues(self, state: Tensor, cards: Tensor, mine: Tensor) -> list[Tensor]:
        size, there = len(state), mine < BUILDINGS
        padded = torch.cat([state, torch.zeros_like(state[:, :1])], dim=1)
        owned = padded[torch.arange(size)[:, None], mine]
        told = torch.einsum("clm,bkmd->bckld", self.pairs, owned)
        told = torch.where(there[:, None, :, None, None], told, torch.tensor(-1.0)).amax(2) * cards[..., None, None]
        to_named = torch.zeros_like(state).index_add(1, self.named, told)
        back = torch.einsum("clm,bcld->bmd", self.pairs, state[:, self.named] * cards[..., None, None])
        is_own = torch.zeros(size, BUILDINGS + 1).scatter_(1, mine, 1.0)[:, :BUILDINGS]
        return [to_named, is_own[..., None, None] * back[:, None]]


def _lines(state: Tensor) -> list[Tensor]:
    lines = [state.mean(2, keepdim=True), state.amax(2, keepdim=True)]
    lines += [state.mean(1, keepdim=True), state.amax(1, keepdim=True)]
    return [line.expand_as(state) for line in lines]


def lesson(clues: Clues, solution: np.ndarray, built: np.ndarray) -> tuple[np.ndarray, ...]:
    """A puzzle with some lots built, as the network reads it, and the building of each lot, int [16]."""
    standing, sets = clues.standing.copy(), clues.sets.copy()
    sets[:, built], sets[solution[built]] = False, False
    standing[solution[built], built] = sets[solution[built], built] = True
    return *inputs_of(clues._replace(sets=sets, standing=standing)), solution


def _built(rng: np.random.Generator) -> np.ndarray:
    """The lots that are built when a lesson begins."""
    return rng.permutation(LOTS)[: rng.integers(0, BUILT + 1)]


def lessons(puzzles: int, seed: int) -> list[tuple[Clues, np.ndarray]]:
    """Puzzles of all levels as they begin, and their solutions: the building of each lot, int [16]."""
    deck, found = base_deck(), []
    for level in LEVELS:
        for puzzle in islice(generate(level, seed), -(-puzzles // len(LEVELS))):
            found.append((clues_of(puzzle, deck), np.array([deck.index(key) for key in puzzle.solution or ()])))
    return found


def clues_of(puzzle: Puzzle, deck: Deck) -> Clues:
    """A puzzle as it begins, as `clues.read` reads its observation."""
    keys, masks = np.array(deck.keys), unary_sets(puzzle, deck)
    return Clues(
        town=np.isin(keys, puzzle.town(deck)),
        sets=(masks[:, None] >> np.arange(LOTS) & 1).astype(bool),
        standing=np.zeros((BUILDINGS, LOTS), np.bool_),
        cards=np.sort(puzzle.c).astype(np.int64) - 1,
        mine=np.isin(keys, puzzle.mine or ()),
        mine_count=puzzle.mine_count,
    )


def loss_of(odds: list[Tensor], answers: Tensor) -> Tensor:
    """The mean cross entropy over the later rounds, seen from lots and from buildings: answers int [B, 16]."""
    total, lots = torch.zeros(()), torch.arange(LOTS).expand_as(answers)
    for each in odds:
        total = total + cross_entropy(each, answers)
        rows = torch.gather(each, 1, answers[..., None].expand(-1, -1, LOTS))
        total = total + cross_entropy(rows.transpose(1, 2), lots)
    return total / len(odds)


def train(puzzles: int, epochs: int, seed: int, progress: bool = True) -> Network:
    """The network after so many lessons: each puzzle comes once an epoch, with other buildings built."""
    torch.set_num_threads(1)
    torch.manual_seed(seed)
    rng, network = np.random.default_rng(seed), Network()
    made = lessons(puzzles, seed)
    optimizer = torch.optim.Adam(network.parameters(), RATE)
    steps = epochs * (len(made) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps + 1)
    with meter("lessons", progress) as shown:
        task = shown.add_task("learning", total=steps * BATCH)
        for _ in range(epochs):
            for chosen in rng.permutation(len(made))[: len(made) // BATCH * BATCH].reshape(-1, BATCH):
                parts = zip(*(lesson(*made[int(number)], _built(rng)) for number in chosen), strict=True)
                cells, cards, mine, answers = (torch.tensor(np.stack(part)) for part in parts)
                loss = loss_of(network(cells, cards, mine), answers)
                optimizer.zero_grad()
                loss.backward()
                torch.nn.utils.clip_grad_norm_(network.parameters(), CLIP)
                optimizer.step()
                schedule.step()
                shown.update(task, advance=BATCH, description=f"learning, loss {loss.item():.3f}")
    return network


def measure(path: Path, seed: int) -> dict[str, Any]:
    """The share of unseen puzzles that the policy in a file solves, and its mean score, by level."""
    found = {}
    for level in LEVELS:
        games = list(played(PolicyAgent(str(path)), islice(generate(level, seed), TESTED)))
        solved, score = np.mean([game.is_solved for game in games]), np.mean([game.score for game in games])
        found[level] = {"puzzles": len(games), "solved": round(float(solved), 4), "score": round(float(score), 2)}
    return found


def command(
    out: Annotated[Path, typer.Option(help="Write the network to this file.")],
    puzzles: Annotated[int, typer.Option(help="How many puzzles are made.")] = 6_000,
    epochs: Annotated[int, typer.Option(help="How often each is learned from.")] = 5,
    seed: Annotated[int, typer.Option(help="Seed of the puzzles and of the network.")] = 0,
) -> None:
    """Teach a network to solve Old Town's puzzles, and measure it on puzzles that it has not seen."""
    whole_number("puzzles", puzzles, BATCH)
    whole_number("epochs", epochs, 1)
    check_writable(out)
    network = train(puzzles, epochs, check_seed(seed))
    tensors = {name: tensor.detach().numpy() for name, tensor in network.tensors.items()}
    made = {"puzzles": puzzles, "epochs": epochs, "seed": seed}
    write_tensors(out, tensors, {"format": FORMAT, "made": json.dumps(made)})
    solved = measure(out, seed + 1)
    write_tensors(out, tensors, {"format": FORMAT, "made": json.dumps(made | {"unseen": solved})})
    typer.echo(f"{out}: {solved}")


if __name__ == "__main__":
    run(command)
