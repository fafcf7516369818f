"""Networks as ONNX graphs: what a runtime of another house makes of them is what the agents make of them."""

import numpy as np
import pytest

pytest.importorskip("onnxruntime", reason="graphs are run by onnxruntime")
pytest.importorskip("torch", reason="policies need the extra train")

import onnxruntime
import torch

from helpers import many_states
from oddville_agents.graph import Graph, onnx_bytes
from oddville_agents.oddville.greedy.weights import weight_set
from oddville_agents.oddville.network import Sizes
from oddville_agents.oddville.networks import NETWORKS
from oddville_agents.oddville.policy_graph import policy_graph
from oddville_agents.oddville.value import evaluator as evaluators
from oddville_agents.oddville.value.files import network_of
from oddville_agents.oddville.value.graph import inputs_of, value_graph
from oddville_agents.policies.torch_network import weights_of
from oddville_env.oddville.observation import make_encoder
from oddville_env.oddville.rules.state import SEATS
from oddville_env.oddville.settings import make_box


def session(graph: Graph) -> "onnxruntime.InferenceSession":
    return onnxruntime.InferenceSession(onnx_bytes(graph))


def decisions(players: int) -> tuple[np.ndarray, np.ndarray]:
    """What is seen in some positions, and the legal moves."""
    views = (game.view() for game in many_states(40, players) if not game.is_over)
    seen, masks = zip(*((view.observation("features"), view.mask) for view in views), strict=True)
    return np.stack(seen), np.stack(masks)


@pytest.mark.parametrize("architecture", list(NETWORKS.architectures))
@pytest.mark.parametrize("players", [2, 4])
def test_a_policys_graph_scores_as_its_network_does(architecture: str, players: int) -> None:
    encoder = make_encoder(make_box(players), "features")
    torch.manual_seed(0)
    network = NETWORKS.architectures[architecture].network(encoder, Sizes())
    for weight in network.parameters():
        weight.data += 0.05 * torch.randn_like(weight)  # so that moves differ
    seen, masks = decisions(players)
    logits, values = session(policy_graph(network, weights_of(network))).run(None, {"observation": seen, "mask": masks})
    with torch.inference_mode():
        scores, expected = (found.numpy() for found in network.double()(torch.from_numpy(seen)))
    np.testing.assert_allclose(logits[masks], scores[masks], atol=1e-5)
    np.testing.assert_allclose(values, expected, atol=1e-5)
    assert (logits[~masks] <= -1e8).all()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_values_graph_gives_every_seats_chances(players: int) -> None:
    tensors = network_of("learned")
    assert tensors is not None
    graph, evaluator = session(value_graph(tensors)), evaluators.make_evaluator(weight_set("search", players), tensors)
    for game in many_states(30, players):
        if game.is_over:
            continue
        view = game.view()
        own, shared = inputs_of(view)
        (chances,) = graph.run(None, {"own": own[None], "shared": shared[None]})
        expected = np.zeros(SEATS)
        evaluators.values(view.box.record[0], view.state[0], evaluator[0], expected)
        np.testing.assert_allclose(chances[0], expected[:players], atol=1e-5)
