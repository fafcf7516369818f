"""The learned value as an ONNX graph: inputs of all seats in, their chances to win out."""

from collections.abc import Mapping

import numpy as np

from oddville_agents.oddville.value.evaluator import make_evaluator, values
from oddville_agents.oddville.value.formula.weights import weight_set
from oddville_agents.oddville.value.network import DIGEST, OWN, OWN_SIZE, SHARED, SHARED_SIZE
from oddville_agents.policies.graph import Graph, dense, tensors_of_value
from oddville_agents.policies.value_files import names_of
from oddville_env.core.game.view import View
from oddville_env.oddville.rules.state import SEATS

TEXT = f"""
value (float[B, P, {OWN_SIZE}] own, float[B, {SHARED_SIZE}] shared) => (float[B, P] chances) {{
    made = MatMul(own, net_own_weight)
    itself, rival = Split <axis = 2, num_outputs = 2> (made)
    multiplied = MatMul(shared, net_shared_weight)
    table = Add(multiplied, net_first_bias)
    table_of_each = Unsqueeze(table, seats)
    rivals_of_all = ReduceSum <keepdims = 1> (rival, seats)
    rivals = Sub(rivals_of_all, rival)
    beside = Add(table_of_each, rivals)
    first_sum = Add(itself, beside)
    first = Relu(first_sum)
    {dense("second", "first", "net_second")}
    correction = MatMul(second, net_third_weight)
    odds = Gather <axis = 2> (own, log_odds)
    corrected = Add(odds, correction)
    chances = Softmax <axis = 1> (corrected)
}}
"""
"""P seats; each seat's first number is its log odds by the formula, which the network corrects."""


def value_graph(tensors: Mapping[str, np.ndarray]) -> Graph:
    """The graph of a value network's tensors."""
    indices = {"seats": np.array([1]), "log_odds": np.array(0)}
    about = {"layout": DIGEST, "own": names_of(OWN), "shared": names_of(SHARED)}
    return Graph(TEXT, tensors_of_value(tensors) | indices, about)


def inputs_of(view: View) -> tuple[np.ndarray, np.ndarray]:
    """The network's inputs of a game that is not over: own float32 [P, OWN_SIZE], shared float32 [SHARED_SIZE]."""
    evaluator = make_evaluator(weight_set("search", view.players))
    evaluator["learned"] = True  # by a network of zeros, so that everything is looked at
    values(view.box.record[0], view.state[0], evaluator[0], np.zeros(SEATS))
    return evaluator["own"][0, : view.players].copy(), evaluator["shared"][0].copy()
