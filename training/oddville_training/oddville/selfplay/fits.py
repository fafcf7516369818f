"""The value network for torch, for batches, and what it is fitted to: positions of games, and a search's values.

Targets of positions are those of TD(lambda) (Sutton 1988; TD-Gammon, Tesauro 1995).

    target(t) = lambda x target(t + 1) + (1 - lambda) x value(t), at the game's end 1 for the winner
    loss = -sum over seats of: target(seat) x ln chance(seat)

From each position come the position itself and positions behind moves: behind the one that was played, and behind
others that a search has visited often enough. Letters of shapes: N rows, P seats.

And all moves that a search looked at are targets: expert iteration (Anthony, Tian and Barber 2017).

    loss = -sum over moves of: visits(move) ** POWER / sum x ln softmax(sharpness x log odds behind the move)
           - VALUE_WEIGHT x mean over moves of the sum over seats of: value(seat) x ln chance(seat)

The log odds are the mover's, by the network; the sharpness is learned too. There N are positions, E moves from them.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
import torch
from scipy.optimize import minimize_scalar
from scipy.special import log_softmax
from torch import Tensor, nn

from oddville_agents.oddville.value import features
from oddville_agents.oddville.value.evaluator import make_evaluator
from oddville_agents.oddville.value.formula.values import step_covered
from oddville_agents.oddville.value.network import OWN_SIZE, SHARED_SIZE, Architecture
from oddville_env.core.compiled.arrays import overwrite
from oddville_env.core.compiled.jit import kernel
from oddville_env.oddville.rules.actions import Kind
from oddville_env.oddville.rules.box import Box
from oddville_env.oddville.rules.state import Phase
from oddville_training.oddville.selfplay.positions import Positions
from oddville_training.selfplay.run import HELD_BACK, Descent, FitParams, full_batches, input_scale

SHARPNESS = 3.0  # of a new network
ITSELF = -1  # no move
CHUNK = 8192
VISITED = 8  # visits that a move which was not played needs to be a row
LEAST_CHANCE = 1e-4  # lower ones count as this
POWERS = (0.2, 2.0)  # of a search's chances: the least and the most sure
VALUE_WEIGHT = 0.25  # weight of the loss of values behind moves, beside that of visits
POWER = 2.0  # of the visits: few of them are spread more widely than many would be
LOOKED_AT = 3  # visits of a move whose value is a target of choices
OVER = -30.0  # the score of a move behind which the game is over: what it is worth is known
LARGEST = 1 - 1e-6  # chance


class CorrectionNetwork(nn.Module):
    """The numbers that `value/network.py` computes; inputs are scaled to be about as large as 1."""

    own_scale: Tensor
    shared_scale: Tensor

    def __init__(self, architecture: Architecture, own_scale: Tensor, shared_scale: Tensor) -> None:
        super().__init__()
        self.register_buffer("own_scale", own_scale)
        self.register_buffer("shared_scale", shared_scale)
        self.own = nn.Linear(OWN_SIZE, 2 * architecture.first, bias=False)
        self.shared = nn.Linear(SHARED_SIZE, architecture.first)
        self.second = nn.Linear(architecture.first, architecture.second)
        self.third = nn.Linear(architecture.second, 1, bias=False)
        nn.init.zeros_(self.third.weight)
        self.sharpness = nn.Parameter(torch.tensor(SHARPNESS))  # of choices by the chances; only while it learns

    def forward(self, own: Tensor, shared: Tensor) -> Tensor:
        """Own [B, P, OWN_SIZE], shared [B, SHARED_SIZE] -> corrections [B, P]."""
        seat, rival = self.own(own * self.own_scale).chunk(2, 2)
        table = self.shared(shared * self.shared_scale)[:, None]
        first = (table + seat + rival.sum(1, keepdim=True) - rival).relu()
        corrections: Tensor = self.third(self.second(first).relu()).squeeze(2)
        return corrections


def new_network(own: np.ndarray, shared: np.ndarray, architecture: Architecture, seed: int) -> CorrectionNetwork:
    """A network that corrects nothing yet, for inputs own [N, P, OWN_SIZE] and shared [N, SHARED_SIZE]."""
    torch.manual_seed(seed)
    return CorrectionNetwork(architecture, input_scale(own.reshape(-1, OWN_SIZE)), input_scale(shared))


def tensors_of(network: CorrectionNetwork) -> dict[str, np.ndarray]:
    """The tensors that compiled code reads, scales folded in."""
    plain = {name: value.detach().numpy() for name, value in network.state_dict().items()}
    return {
        "own": plain["own.weight"].T * plain["own_scale"][:, None],
        "shared": plain["shared.weight"].T * plain["shared_scale"][:, None],
        "first_bias": plain["shared.bias"],
        "second": plain["second.weight"].T.copy(),
        "second_bias": plain["second.bias"],
        "third": plain["third.weight"][0],
    }


def take_over(network: CorrectionNetwork, tensors: Mapping[str, np.ndarray]) -> None:
    """Begin with the tensors of a file."""
    own, shared = network.own_scale.numpy()[:, None], network.shared_scale.numpy()[:, None]
    for parameter, value in (
        (network.own.weight, (tensors["own"] / np.where(own > 0, own, np.inf)).T),
        (network.shared.weight, (tensors["shared"] / np.where(shared > 0, shared, np.inf)).T),
        (network.shared.bias, tensors["first_bias"]),
        (network.second.weight, tensors["second"].T),
        (network.second.bias, tensors["second_bias"]),
        (network.third.weight, tensors["third"][None]),
    ):
        parameter.data.copy_(torch.tensor(value))


class Rows(NamedTuple):
    """Inputs as float16, which is exact enough, log odds of the formula, targets, and the number of each row's game."""

    own: np.ndarray  # float16 [N, P, OWN_SIZE]
    shared: np.ndarray  # float16 [N, SHARED_SIZE]
    odds: np.ndarray  # float32 [N, P]
    targets: np.ndarray  # float32 [N, P]
    numbers: np.ndarray  # int32 [N]

    def loss(self, network: CorrectionNetwork, at: np.ndarray) -> Tensor:
        """The mean cross-entropy of the chances of some rows."""
        own, shared, odds, targets = (torch.from_numpy(array)[at].float() for array in self[:4])
        chances = (odds + network(own, shared)).log_softmax(1)
        loss: Tensor = -(targets * chances).sum() / len(at)
        return loss


def make_rows(box: Box, weights: np.ndarray, positions: Positions, td_lambda: float) -> Rows:
    """The rows of positions.

    td_lambda: of what a position's target is made, the part that the game's next position says, and so on to its end.
    """
    at, moves, targets = _chosen(box, positions, td_lambda)
    own, shared, odds, alive = see(box, weights, positions.states, at, moves)
    return Rows(own[alive], shared[alive], odds[alive], targets[alive], positions.games[at][alive])


def _chosen(box: Box, positions: Positions, td_lambda: float) -> tuple[np.ndarray, ...]:
    """Of each row: the position's number, the move behind which it lies or ITSELF, and the target."""
    number = len(positions.states)
    now, then = np.zeros((2, number, box.players), np.float32)
    look_back(positions, td_lambda, now, then)
    roots = np.arange(number)
    of_edge = np.repeat(roots, np.diff(positions.edges))
    played = positions.actions == positions.moves[of_edge]
    searched = positions.visits >= VISITED
    found = np.flatnonzero((played | searched) & (box.record[0].kind[positions.actions] != Kind.FLIP))
    behind = positions.behind[:, : box.players]
    both = np.where(searched[:, None], (1 - td_lambda) * behind + td_lambda * then[of_edge], then[of_edge])
    of_edges = np.where(played[:, None], both, behind)
    return (
        np.concatenate([roots, of_edge[found]]),
        np.concatenate([np.full(number, ITSELF), positions.actions[found].astype(np.int64)]),
        np.concatenate([now, of_edges[found]]),
    )


def calibrated(many: list[Positions], players: int) -> list[Positions]:
    """Searches' values calibrated to the winners, by temperature scaling (Guo et al. 2017).

        calibrated = values ** power / sum of the same, with the power of the least log loss of winners

    A search takes the best of many values that are all a little wrong, and so its values are too close to 0 and 1.
    """
    power = _power(many, players)
    return [each._replace(values=_to_power(each.values, power), behind=_to_power(each.behind, power)) for each in many]


def _power(many: list[Positions], players: int) -> float:
    """The power, from the games without a stray move; 1 where there is none."""
    clean = [~np.isin(each.games, each.games[each.strays]) for each in many]
    chances = np.concatenate([each.values[some, :players] for each, some in zip(many, clean, strict=True)])
    winners = np.concatenate([each.winners[some] for each, some in zip(many, clean, strict=True)])
    logs = np.log(np.maximum(chances, LEAST_CHANCE))

    def log_loss(power: float) -> float:
        return float(-log_softmax(power * logs, axis=1)[np.arange(len(winners)), winners].mean())

    return float(minimize_scalar(log_loss, bounds=POWERS, method="bounded").x) if len(winners) else 1.0


def _to_power(chances: np.ndarray, power: float) -> np.ndarray:
    """Rows of chances to a power, summing to 1 again; rows of zeros, without a search, stay so."""
    powers = np.where(chances > 0, np.maximum(chances, LEAST_CHANCE) ** power, 0)
    shares: np.ndarray = powers / np.maximum(powers.sum(1, keepdims=True), LEAST_CHANCE)
    return shares.astype(np.float32)


@kernel
def look_back(positions, td_lambda, now, then):
    """Each position's target, and that of what follows it: float32 [N, P].

    TD(lambda) from the end of the game. Where a stray move was played, what followed says nothing; where the position
    has no value, only the winner counts.
    """
    players = now.shape[1]
    for at in range(positions.states.size - 1, -1, -1):
        ends = at + 1 == positions.states.size or positions.games[at + 1] != positions.games[at]
        judged = positions.values[at].sum() > 0
        kept = td_lambda if judged else 1.0
        if judged and positions.strays[at]:
            kept = 0.0
        for seat in range(players):
            then[at, seat] = now[at + 1, seat] if not ends else positions.winners[at] == seat
            now[at, seat] = kept * then[at, seat] + (1 - kept) * positions.values[at, seat]


def see(
    box: Box, weights: np.ndarray, states: np.ndarray, at: np.ndarray, moves: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """What the network sees of states [N] behind moves: `own`, `shared` and `odds` of Rows, and bool [N]: not over."""
    own = np.zeros((len(at), box.players, OWN_SIZE), np.float16)
    shared = np.zeros((len(at), SHARED_SIZE), np.float16)
    odds, alive = np.zeros((len(at), box.players), np.float32), np.zeros(len(at), np.bool_)
    evaluator = make_evaluator(weights)
    after, mask = np.zeros(1, box.games), np.zeros(box.layout.size, np.bool_)
    parts = [np.zeros((CHUNK, *array.shape[1:]), np.float32) for array in (own, shared)]
    for low in range(0, len(at), CHUNK):
        here = slice(low, min(low + CHUNK, len(at)))
        arrays = (at[here], moves[here], *parts, odds[here], alive[here])
        see_some(box.record, evaluator, states, after, mask, *arrays)
        own[here], shared[here] = (part[: len(at[here])] for part in parts)
    return own, shared, odds, alive


@kernel
def see_some(boxes, evaluators, states, after, mask, at, moves, own, shared, odds, alive):
    """The same for a part, in float32."""
    box, evaluator, game = boxes[0], evaluators[0], after[0]
    for row in range(at.size):
        after[0] = states[at[row]]
        game.seed = 0
        if moves[row] != ITSELF:
            step_covered(box, game, moves[row], mask)
        alive[row] = game.phase != Phase.OVER
        if alive[row]:
            features.look(box, game, evaluator)
            overwrite(own[row], evaluator.own[: own.shape[1]])
            overwrite(shared[row], evaluator.shared)
            for seat in range(box.players):
                odds[row, seat] = evaluator.odds[seat]


class Choices(NamedTuple):
    """Positions with all their moves, and what the network reads behind each."""

    own: np.ndarray  # float16 [E, P, OWN_SIZE]
    shared: np.ndarray  # float16 [E, SHARED_SIZE]
    odds: np.ndarray  # float32 [E, P]
    visits: np.ndarray  # float32 [E]: how often each move should be chosen, summing to 1 for a position
    values: np.ndarray  # float32 [E, P]: behind the move, 0 where it was not visited enough
    over: np.ndarray  # bool [E]: the game is over behind the move
    starts: np.ndarray  # int64 [N + 1]: where a position's moves begin
    movers: np.ndarray  # int8 [N]
    numbers: np.ndarray  # int32 [N]: of the games

    def loss(self, network: CorrectionNetwork, at: np.ndarray) -> Tensor:
        """The mean loss of some positions."""
        counts = np.diff(self.starts)[at]
        first = np.concatenate([[0], np.cumsum(counts)])
        edges = np.repeat(self.starts[at] - first[:-1], counts) + np.arange(first[-1])
        group = torch.from_numpy(np.repeat(np.arange(len(at)), counts))
        mover = torch.from_numpy(self.movers[at].astype(np.int64))[group][:, None]
        own, shared, odds, visits, values = (torch.from_numpy(array)[edges].float() for array in self[:5])
        over = torch.from_numpy(self.over[edges])
        chances = (odds + network(own, shared)).log_softmax(1)
        mine = chances.gather(1, mover).squeeze(1)
        others = torch.log1p(-mine.exp().clamp(max=LARGEST))
        scores = (network.sharpness * (mine - others)).masked_fill(over, OVER)
        policy = scores - _log_sums(scores, group, len(at))[group]
        of_visits = -(visits * policy)[~over].sum() / len(at)
        of_values = -(values * chances)[~over].sum() / values[~over].sum().clamp(min=1)
        loss: Tensor = of_visits + VALUE_WEIGHT * of_values
        return loss


def _log_sums(scores: Tensor, group: Tensor, groups: int) -> Tensor:
    """The logarithm of the sum of the exponentials of each group's scores, [groups]."""
    highest = torch.full((groups,), -torch.inf).scatter_reduce(0, group, scores.detach(), "amax")
    sums = torch.zeros(groups).index_add(0, group, (scores - highest[group]).exp())
    return highest + sums.log()


def make_choices(box: Box, weights: np.ndarray, positions: Positions) -> Choices:
    """The choices in positions that were searched."""
    states = positions.states
    counts = np.diff(positions.edges)
    chosen = np.flatnonzero(counts > 1)
    counts = counts[chosen]
    starts = np.concatenate([[0], np.cumsum(counts)])
    edges = np.repeat(positions.edges[chosen] - starts[:-1], counts) + np.arange(starts[-1])
    at, actions = np.repeat(chosen, counts), positions.actions[edges].astype(np.int64)
    moves = np.where(box.record[0].kind[actions] == Kind.FLIP, ITSELF, actions)
    own, shared, odds, alive = see(box, weights, states, at, moves)
    number = positions.visits[edges]
    visits = number.astype(np.float32) ** POWER
    shares = visits / np.repeat(np.maximum(np.add.reduceat(visits, starts[:-1]), 1), counts)
    values = np.where(number[:, None] >= LOOKED_AT, positions.behind[edges, : box.players], 0).astype(np.float32)
    movers = states["to_move"][chosen]
    return Choices(own, shared, odds, shares, values, ~alive, starts, movers, positions.games[chosen])


def joined(many: list[Choices]) -> Choices:
    """Several sets as one; their games keep their numbers."""
    before = np.cumsum([0] + [int(one.starts[-1]) for one in many])
    plain = {name: np.concatenate([getattr(one, name) for one in many]) for name in Choices._fields if name != "starts"}
    starts = [one.starts[:-1] + start for one, start in zip(many, before, strict=False)]
    return Choices(**plain, starts=np.concatenate([*starts, before[-1:]]))


TrainingSet = Rows | Choices  # items to fit to, of games with one number of players


def judged(network: CorrectionNetwork, table: TrainingSet, batch: int) -> float:
    """The mean loss on games held back."""
    at = np.flatnonzero(table.numbers % HELD_BACK == 0)
    parts = [at[low : low + batch] for low in range(0, len(at), batch)]
    with torch.inference_mode():
        return sum(float(table.loss(network, part)) * len(part) for part in parts) / max(len(at), 1)


def fit(network: CorrectionNetwork, tables: Sequence[TrainingSet], how: FitParams, seed: int) -> Iterator[float]:
    """Fit the network in place to training sets; yields the part that is done.

    A batch is of one set, and batches of all sets come in random order. The rate rises and falls to 0.
    """
    rng = np.random.default_rng(seed)
    steps = how.epochs * sum(len(_mine(table)) // how.batch for table in tables)
    descent = Descent(network, how.rate, steps)
    done = 0
    for _ in range(how.epochs):
        batches = [(table, at) for table in tables for at in full_batches(_mine(table), how.batch, rng)]
        for table, at in (batches[index] for index in rng.permutation(len(batches))):
            descent.step(table.loss(network, at))
            done += 1
            yield done / steps


def _mine(table: TrainingSet) -> np.ndarray:
    """The items that are not held back."""
    return np.flatnonzero(table.numbers % HELD_BACK != 0)
