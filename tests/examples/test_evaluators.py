"""The examples of search by a network of one's own: commands may name their agents, and they run."""

import subprocess
import sys
from pathlib import Path

import pytest

from oddville_agents import make_agent
from oddville_agents.policies.graph import export
from oddville_env import Game, OldTown

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
CLASSES = {"oddville": Game, "oldtown": OldTown}
every_game = pytest.mark.parametrize("game", CLASSES)


@pytest.fixture
def network(game: str, tmp_path: Path) -> str:
    """The game's champion as an ONNX file."""
    pytest.importorskip("onnx", reason="the network needs the extra onnx")
    pytest.importorskip("onnxruntime", reason="the network is run by onnxruntime")
    pytest.importorskip("scipy", reason="the example needs the extra train")
    path = tmp_path / "champion.onnx"
    path.write_bytes(export("champion", game))
    return str(path)


def move_of(spec: str, game: str) -> str:
    played = CLASSES[game](2, seed=5)
    move = played.ask(make_agent(f"{EXAMPLES}/{spec}", game))
    assert move in played.legal_moves
    return str(move)


@every_game
def test_onnx_network_searches(game: str, network: str) -> None:
    spec = f"onnx_evaluator.py:Searching:network={network},sims=16"
    assert move_of(spec, game) == move_of(spec, game)


@every_game
def test_search_uses_the_weights_that_selfplay_ppo_saved(game: str, tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="the example needs the extra train")
    evaluator = make_agent(f"{EXAMPLES}/torch_evaluator.py:Searching", game)._evaluator
    torch.save(evaluator._policy_for(CLASSES[game](2).view()).state_dict(), tmp_path / "policy.pt")
    spec = f"torch_evaluator.py:Searching:weights={tmp_path}/policy.pt,sims=16"
    assert move_of(spec, game) == move_of(spec, game)


def run(example: str, *words: str) -> None:
    ran = subprocess.run([sys.executable, EXAMPLES / example, *words], capture_output=True, text=True)
    assert ran.returncode == 0, ran.stderr
    assert "against random: " in ran.stdout


@pytest.mark.slow
@every_game
def test_examples_run_from_the_command_line(game: str, network: str, tmp_path: Path) -> None:
    weights = str(tmp_path / "policy.pt")
    run("selfplay_ppo.py", "--game", game, "--minutes", "0.5", "--games", "2", "--out", weights)
    run("torch_evaluator.py", "--game", game, "--weights", weights, "--sims", "4", "--games", "2")
    run("onnx_evaluator.py", network, "--game", game, "--sims", "4", "--games", "2")
