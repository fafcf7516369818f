"""Networks as ONNX graphs: what a runtime of another house makes of them is what the agents make of them."""

from collections.abc import Iterator

import numpy as np
import pytest

pytest.importorskip("onnx", reason="graphs need the extra onnx")
pytest.importorskip("onnxruntime", reason="graphs are run by onnxruntime")
pytest.importorskip("torch", reason="policies need the extra train")

import onnxruntime
import torch

from oddville_agents.oddville.value.evaluator import inputs_of, make_evaluator, value_graph, values
from oddville_agents.oddville.value.formula.weights import weight_set
from oddville_agents.oddville.value.network import network_of
from oddville_agents.oldtown.race import ChampionAgent
from oddville_agents.oldtown.value import evaluator as oldtown_evaluator
from oddville_agents.oldtown.value import network as oldtown_files
from oddville_agents.policies.graph import Graph, onnx_bytes
from oddville_agents.policies.models import networks_of
from oddville_agents.policies.torch_network import weights_of
from oddville_env.core.game.game_type import GameType
from oddville_env.core.game.view import View
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oddville.rules.state import SEATS
from oddville_env.oldtown.game_type import OLDTOWN
from support.helpers import walk

EVERY = [(game, name) for game in (ODDVILLE, OLDTOWN) for name in networks_of(game.name).architectures]


def session(graph: Graph) -> onnxruntime.InferenceSession:
    return onnxruntime.InferenceSession(onnx_bytes(graph))


def decisions(game_type: GameType, players: int) -> Iterator[View]:
    """Of a random game; each is over when the next one is asked for."""
    return (game.view() for game in walk(game_type.game(players, seed=players), players) if not game.is_over)


@pytest.mark.parametrize(("game", "architecture"), EVERY, ids=lambda each: getattr(each, "name", each))
@pytest.mark.parametrize("players", [2, 4])
def test_policy_graph_gives_the_scores_of_its_network(game: GameType, architecture: str, players: int) -> None:
    encoder = game.make_encoder(game.box(game.settings(players=players)), "features")
    form = networks_of(game.name).architectures[architecture]
    torch.manual_seed(0)
    network = form.network(encoder, form.sizes())
    for weight in network.parameters():
        weight.data += 0.05 * torch.randn_like(weight)  # so that moves differ
    graph = session(form.graph(encoder, form.sizes(), weights_of(network)))
    seen, masks = zip(*((view.observation("features"), view.mask) for view in decisions(game, players)), strict=True)
    observations, legal = np.stack(seen), np.stack(masks)
    logits, returns = graph.run(None, {"observation": observations, "mask": legal})
    with torch.inference_mode():
        scores, expected = (found.numpy() for found in network.double()(torch.from_numpy(observations)))
    np.testing.assert_allclose(logits[legal], scores[legal], atol=1e-5)
    np.testing.assert_allclose(returns, expected, atol=1e-5)
    assert (logits[~legal] <= -1e8).all()


@pytest.mark.parametrize("players", [2, 3, 4])
def test_the_values_graph_gives_every_seats_chances(players: int) -> None:
    tensors = network_of("learned")
    graph, evaluator = session(value_graph(tensors)), make_evaluator(weight_set("search", players), tensors)
    for view in decisions(ODDVILLE, players):
        own, shared = inputs_of(view)
        (chances,) = graph.run(None, {"own": own[None], "shared": shared[None]})
        expected = np.zeros(SEATS)
        values(view.box.record[0], view.state[0], evaluator[0], expected)
        np.testing.assert_allclose(chances[0], expected[:players], atol=1e-5)


@pytest.mark.parametrize("players", [2, 4])
def test_the_graph_of_old_towns_champion_gives_a_seats_odds(players: int) -> None:
    graph = session(ChampionAgent().graph())
    evaluator = oldtown_evaluator.make_evaluator(oldtown_files.network_of("learned"))
    for view in decisions(OLDTOWN, players):
        (odds,) = graph.run(None, {"seen": oldtown_evaluator.inputs_of(view)[None]})
        expected = oldtown_evaluator.log_odds(view.box.record[0], view.state[0], view.seat, evaluator[0])
        np.testing.assert_allclose(odds, [expected], atol=1e-4)
