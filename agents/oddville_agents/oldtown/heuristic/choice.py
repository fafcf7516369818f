"""`heuristic`: one-ply search by a linear value function with a hidden layer that corrects it; `casual` draws by it.

    lead = sum over features of: feature x (late + left x early)
         + sum over neurons of: outer x relu(bias + inner @ (features, left))
    move = argmax over legal moves of: the mover's lead after the move

lead: the expected final lead in points; left: the fraction of all points still to come. `late` and `early` are fitted
by least squares (`oldtown.regress`), the neurons by logistic regression (`oldtown.neurons`). Both are kept as JSON.
"""

from pathlib import Path
from typing import Annotated, Any

import numpy as np

from oddville_agents.agent import Candidate, Opinion, StatelessAgent
from oddville_agents.oldtown.greedy import end_turn, show, try_move
from oddville_agents.oldtown.heuristic.features import FEATURES, NUMBERS, look
from oddville_agents.policies.baselines import TEMPERATURE, CasualAgent
from oddville_agents.roster import Option
from oddville_agents.tensors import WeightFiles, WeightsError, aligned_record
from oddville_env.core.checked import check, number, several, text
from oddville_env.core.compiled.jit import kernel
from oddville_env.core.game.view import BatchView, View
from oddville_env.oldtown.cards.words import BUILDINGS, CARDS, LOTS, NOTHING
from oddville_env.oldtown.rules import play, worlds
from oddville_env.oldtown.rules.actions import Kind
from oddville_env.oldtown.rules.state import STATE

FOLDER = Path(__file__).parent / "weight_sets"
SETS = {name: f"{name}-{{players}}.json" for name in ("tuned", "champion")}
WEIGHTS_TEXT = f"{', '.join(SETS)}, or a `.json` file"
SIDES = ("late", "early")
NEURONS = 64  # at most
INPUTS = NUMBERS + 1  # of a neuron: the features, and how much is left of all points
MOST = 1e6  # of any weight

WEIGHT_RECORD = aligned_record(
    ("late", "f8", (NUMBERS,)),
    ("early", "f8", (NUMBERS,)),  # what is added to `late`, times what is left of all points
    ("neurons", "i8"),
    ("inner", "f8", (NEURONS, INPUTS)),
    ("bias", "f8", (NEURONS,)),
    ("outer", "f8", (NEURONS,)),
)
"""The record that compiled code gets as `weights`."""


def _weights_of(plain: dict[str, Any]) -> np.ndarray:
    weights, names = np.zeros(1, WEIGHT_RECORD), [feature.name for feature in FEATURES]
    found = plain.get("weights")
    if not isinstance(found, dict) or set(found) != set(names):
        raise WeightsError(f"weights must name exactly {', '.join(names)}")
    for index, name in enumerate(names):
        check(found[name], dict.fromkeys(SIDES, number(-MOST, MOST)), WeightsError)
        for side in SIDES:
            weights[side][0, index] = found[name][side]
    neurons = plain.get("neurons", [])  # lists [inner weights ..., bias, outer weight]
    neuron = several(number(-MOST, MOST), INPUTS + 2, INPUTS + 2)
    check({"neurons": neurons}, {"neurons": several(neuron, 0, NEURONS)}, WeightsError)
    numbers = np.array(neurons, np.float64).reshape(-1, INPUTS + 2)
    weights["neurons"] = size = len(numbers)
    weights["inner"][0, :size] = numbers[:, :INPUTS]
    weights["bias"][0, :size], weights["outer"][0, :size] = numbers[:, INPUTS], numbers[:, INPUTS + 1]
    return weights


def write_weights(path: Path, weights: np.ndarray, made: dict[str, Any]) -> None:
    """Write weights [1] to a file, with how they were made."""
    record = weights[0]
    pairs = np.stack([record[side] for side in SIDES], axis=1).tolist()
    named = {feature.name: dict(zip(SIDES, pair, strict=True)) for feature, pair in zip(FEATURES, pairs, strict=True)}
    size = int(record["neurons"])
    neurons = np.column_stack([record["inner"][:size], record["bias"][:size], record["outer"][:size]])
    plain = {"made": made, "weights": named}
    FILES.write(path, plain | ({"neurons": neurons.round(6).tolist()} if size else {}))


FILES = WeightFiles("oldtown-weights", FOLDER, SETS, _weights_of)
weight_set, how_made = FILES.weight_set, FILES.how_made


@kernel
def expected_lead(box, game, seat, weights, board, seen):
    """The final lead in points that a seat may expect; board [1] WORLD and seen [NUMBERS] are working memory."""
    left = look(box, game, seat, board, seen)
    lead = 0.0
    for at in range(NUMBERS):
        lead += seen[at] * (weights.late[at] + left * weights.early[at])
    for neuron in range(weights.neurons):
        drive = weights.bias[neuron] + left * weights.inner[neuron, NUMBERS]
        for at in range(NUMBERS):
            drive += weights.inner[neuron, at] * seen[at]
        lead += weights.outer[neuron] * max(drive, 0.0)
    return lead


@kernel
def lead_after_move(box, game, action, weights, board, seen, after):
    """The mover's expected lead behind a move: after [2] STATE is working memory."""
    seat, kind = game.to_move, box.kind[action]
    if kind == Kind.SHOW:
        return lead_after_show(box, game, box.part[action, 0], weights, board, seen, after)
    try_move(box, game, action, after)
    return expected_lead(box, after[0], seat, weights, board, seen)


@kernel
def lead_after_show(box, game, card, weights, board, seen, after):
    """[Q] The expected lead after the best pair with this card and the removal of the best token."""
    seat, best = game.to_move, -np.inf
    if game.shown != NOTHING:
        return lead_after_pair(box, game, game.shown, card, weights, board, seen, after)
    for other in range(card + 1, CARDS):
        if game.counting & play.bit(other) != 0:
            best = max(best, lead_after_pair(box, game, card, other, weights, board, seen, after))
    if best == -np.inf:
        return best
    return best + gain_of_removal(box, game, seat, weights, board, seen, after)


@kernel
def lead_after_pair(box, game, card, other, weights, board, seen, after):
    """[Q2] The expected lead when a pair is gone, as if it were the next seat's turn."""
    seat = game.to_move
    show(game, card, other, after)
    end_turn(box, after[0])
    return expected_lead(box, after[0], seat, weights, board, seen)


@kernel
def gain_of_removal(box, game, seat, weights, board, seen, after):
    """[Q3] By how much removing the best token raises the expected lead, at least 0."""
    after[1] = game
    after[1].to_move = (seat + 1) % box.players
    before, best = expected_lead(box, after[1], seat, weights, board, seen), -np.inf
    for building in range(BUILDINGS):
        for lot in range(LOTS):
            if play.may_remove(game, building, lot):
                after[1] = game
                play.apply_removal(after[1], building, lot)
                after[1].to_move = (seat + 1) % box.players
                best = max(best, expected_lead(box, after[1], seat, weights, board, seen))
    return max(best - before, 0.0)


@kernel
def leads_after_moves(boxes, games, index, mask, weights, leads):
    """The expected lead behind every legal move: mask [A] bool, leads [A] float, which is left alone elsewhere."""
    box, game = boxes[0], games[index]
    board, seen, after = np.zeros(1, worlds.WORLD), np.zeros(NUMBERS), np.zeros(2, STATE)
    for action in range(mask.size):
        if mask[action]:
            leads[action] = lead_after_move(box, game, action, weights[0], board, seen, after)


@kernel
def best_move(boxes, games, index, mask, weights):
    """The legal move with the highest expected lead, the first of equals: mask [A] bool."""
    box, game = boxes[0], games[index]
    board, seen, after = np.zeros(1, worlds.WORLD), np.zeros(NUMBERS), np.zeros(2, STATE)
    best, most = NOTHING, -np.inf
    for action in range(mask.size):
        if mask[action]:
            if game.legal_count == 1:
                return action
            lead = lead_after_move(box, game, action, weights[0], board, seen, after)
            if lead > most or best == NOTHING:
                best, most = action, lead
    return best


@kernel
def best_move_of_many(boxes, games, tables, masks, weights, actions):
    """Write the moves at some tables into actions [B]: games [T], tables [T], masks [B, A]."""
    for index in range(tables.size):
        actions[tables[index]] = best_move(boxes, games, index, masks[tables[index]], weights)


class HeuristicAgent(StatelessAgent):
    """Looks one move ahead."""

    name = "heuristic"

    def __init__(self, weights: Annotated[str, Option(text(), f"its weights: {WEIGHTS_TEXT}")] = "tuned") -> None:
        self._name = weights
        weight_set(weights, 2)  # raises for unknown names

    def opinion(self, view: View) -> Opinion:
        """Return the legal moves, the highest expected lead first."""
        leads = np.full(view.mask.size, -np.inf)
        leads_after_moves(view.box.record, view.state, 0, view.mask, weight_set(self._name, view.players), leads)
        order = view.actions[np.argsort(-leads[view.actions], kind="stable")]
        return Opinion(tuple(Candidate(int(action), float(action == order[0])) for action in order))

    def write_moves(self, view: BatchView, actions: np.ndarray) -> None:
        """Write the moves with the highest expected leads, the first of equals."""
        weights = weight_set(self._name, int(view.box.players))
        best_move_of_many(view.box.record, view.states, view.tables, view.masks, weights, actions)


class OldTownCasualAgent(CasualAgent):
    """Boltzmann policy over the heuristic's expected leads."""

    def __init__(self, temperature: Annotated[float, TEMPERATURE] = 1.0) -> None:
        super().__init__(temperature)

    def judge(self, view: View) -> np.ndarray:
        """Return the expected lead after each legal move, in points."""
        leads = np.full(view.mask.size, -np.inf)
        leads_after_moves(view.box.record, view.state, 0, view.mask, weight_set("tuned", view.players), leads)
        return np.asarray(leads[view.actions])
