"""The learned value as an ONNX graph: what a seat sees in, its log odds of winning out."""

from collections.abc import Mapping

import numpy as np

from oddville_agents.graph import Graph
from oddville_agents.inputs import names_of
from oddville_agents.oldtown.value import features
from oddville_agents.oldtown.value.evaluator import make_evaluator
from oddville_agents.oldtown.value.layout import ALL, DIGEST, SIZE
from oddville_env.core.view import View

TEXT = f"""
value (float[B, {SIZE}] seen) => (float[B] odds) {{
    first_product = MatMul(seen, net_first)
    first_sum = Add(first_product, net_first_bias)
    first = Relu(first_sum)
    second_product = MatMul(first, net_second)
    second_sum = Add(second_product, net_second_bias)
    second = Relu(second_sum)
    third = MatMul(second, net_third)
    plain = MatMul(seen, net_plain)
    both = Add(third, plain)
    odds = Add(both, net_bias)
}}
"""


def value_graph(tensors: Mapping[str, np.ndarray]) -> Graph:
    """The graph of a value network's tensors."""
    named = {f"net_{name}": tensor for name, tensor in tensors.items()}
    return Graph(TEXT, named, {"layout": DIGEST, "seen": names_of(ALL)})


def inputs_of(view: View) -> np.ndarray:
    """The network's inputs of a game that is not over, for the seat to move: float32 [SIZE]."""
    evaluator = make_evaluator({})
    features.look(view.box.record[0], view.state[0], view.seat, evaluator[0])
    seen: np.ndarray = evaluator["seen"][0].copy()
    return seen
