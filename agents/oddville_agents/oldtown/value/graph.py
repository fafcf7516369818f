"""The learned value as an ONNX graph: what a seat sees in, its log odds of winning out."""

from collections.abc import Mapping

import numpy as np

from oddville_agents.oldtown.value.evaluator import make_evaluator
from oddville_agents.oldtown.value.network import ALL, DIGEST, SIZE, look
from oddville_agents.policies.graph import Graph, dense, tensors_of_value
from oddville_agents.policies.value_files import names_of
from oddville_env.core.game.view import View

TEXT = f"""
value (float[B, {SIZE}] seen) => (float[B] odds) {{
    {dense("first", "seen", "net_first")}
    {dense("second", "first", "net_second")}
    third = MatMul(second, net_third_weight)
    plain = MatMul(seen, net_plain_weight)
    both = Add(third, plain)
    odds = Add(both, net_bias)
}}
"""


def value_graph(tensors: Mapping[str, np.ndarray]) -> Graph:
    """The graph of a value network's tensors."""
    return Graph(TEXT, tensors_of_value(tensors), {"layout": DIGEST, "seen": names_of(ALL)})


def inputs_of(view: View) -> np.ndarray:
    """The network's inputs of a game that is not over, for the seat to move: float32 [SIZE]."""
    evaluator = make_evaluator({})
    look(view.box.record[0], view.state[0], view.seat, evaluator[0])
    seen: np.ndarray = evaluator["seen"][0].copy()
    return seen
