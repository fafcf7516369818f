"""Networks as ONNX graphs, for runtimes in other languages. Needs the extra `onnx`.

A graph is written in ONNX's text format, one operation a line, with its tensors beside it.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from oddville_agents.player import AgentError, faults_of
from oddville_agents.spec import make_agent
from oddville_env.core.errors import shown
from oddville_env.core.system.extras import needs_extra

ILLEGAL = np.array(-1e8, np.float32)  # the logit of an illegal move
HEAD = '<ir_version: 9, opset_import: ["" : 18]>'  # of 2023: runtimes since 1.16 know both


class Graph(NamedTuple):
    """A network. text: `name (inputs) => (outputs) { operations }`; tensors: by their names there; about: metadata."""

    text: str
    tensors: Mapping[str, np.ndarray]
    about: Mapping[str, str]


def export(spec: str, game: str) -> bytes:
    """Return the agent's network as the bytes of an ONNX file. Raises AgentError and SettingError."""
    agent: Any = make_agent(spec, game)
    if not callable(getattr(agent, "graph", None)):
        raise AgentError(f"{shown(spec)} has no network, expected a trained model or an agent such as champion")
    with faults_of(spec, "when it was asked for its network"):
        graph = agent.graph()
    return onnx_bytes(graph)


def layer(out: str, of: str, name: str) -> str:
    """Return the operations of a linear layer."""
    return f"{out}_product = MatMul({of}, {name}_weight) {out} = Add({out}_product, {name}_bias)"


def dense(out: str, of: str, name: str) -> str:
    """Return the operations of a linear layer with a ReLU."""
    return f"{layer(f'{out}_sum', of, name)} {out} = Relu({out}_sum)"


def tensors_of(weights: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return a model's weights by their names in graphs; matrices are transposed to [in, out]."""
    return {name.replace(".", "_"): np.ascontiguousarray(weight.T) for name, weight in weights.items()}


def tensors_of_value(tensors: Mapping[str, np.ndarray]) -> dict[str, np.ndarray]:
    """Return a value network's tensors by their names in graphs."""
    return {f"net_{name}" if name.endswith("bias") else f"net_{name}_weight": tensors[name] for name in tensors}


def onnx_bytes(graph: Graph) -> bytes:
    """Return the bytes of an ONNX file, checked by ONNX. Raises SettingError if the extra is not installed."""
    with needs_extra("an ONNX file needs", "onnx"):
        from onnx import checker, helper, numpy_helper, parser
    model = parser.parse_model(f"{HEAD}\n{graph.text}")
    model.graph.initializer.extend(numpy_helper.from_array(tensor, name) for name, tensor in graph.tensors.items())
    model.producer_name = "oddville-env"
    helper.set_model_props(model, dict(graph.about))
    checker.check_model(model, full_check=True)
    plain: bytes = model.SerializeToString()
    return plain
