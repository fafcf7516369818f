"""Architectures of OddVille's value network in training: one of any widths learns, and plays beside others."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs the extra train")

import torch

from oddville_agents.oddville.value.network.files import (
    ARCHITECTURES,
    LEARNED,
    OWN_SIZE,
    SHARED_SIZE,
    USUAL,
    Architecture,
    read_network,
    widened,
)
from oddville_training.oddville.selfplay import stages
from oddville_training.oddville.selfplay.network import CorrectionNetwork, new_network, take_over, tensors_of
from oddville_training.oddville.selfplay.parts import play_part
from oddville_training.oddville.selfplay.plan import Plan
from oddville_training.selfplay.plan import PlanError
from support.value_twins import corrections

WIDE, TINY = ARCHITECTURES[USUAL], Architecture(8, 4)


def inputs(seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Of 20 tables with 3 players."""
    rng = np.random.default_rng(seed)
    return rng.normal(size=(20, 3, OWN_SIZE)).astype(np.float32), rng.normal(size=(20, SHARED_SIZE)).astype(np.float32)


def network(architecture: Architecture) -> CorrectionNetwork:
    """One that corrects something."""
    made = new_network(*inputs(0), architecture, 0)
    torch.nn.init.normal_(made.third.weight)
    return made


@pytest.mark.parametrize("architecture", [WIDE, TINY])
def test_a_network_that_learns_says_what_plain_numpy_says(architecture: Architecture) -> None:
    learner, (own, shared) = network(architecture), inputs(1)
    tensors = tensors_of(learner)
    assert {name: tensor.shape for name, tensor in tensors.items()} == architecture.tensors
    with torch.inference_mode():
        said = learner(torch.from_numpy(own), torch.from_numpy(shared)).numpy()
    for table in range(len(own)):
        assert said[table] == pytest.approx(corrections(tensors, own[table], shared[table]), abs=1e-4)


def test_a_network_keeps_its_tensors_when_it_is_taken_over() -> None:
    one, other = network(TINY), new_network(*inputs(2), TINY, 2)
    take_over(other, tensors_of(one))
    for name, tensor in tensors_of(one).items():
        assert tensors_of(other)[name] == pytest.approx(tensor, rel=1e-5)


def test_games_against_a_wider_network_are_those_of_any_width() -> None:
    plan = Plan(rounds=1, games=(6,), rival="learned")
    narrow, rival = tensors_of(network(TINY)), read_network(LEARNED)
    stage = plan.stages()[1]
    (part,) = plan.parts(stage)
    one, other = (play_part(plan, stage, part, (each, rival)) for each in (narrow, widened(narrow, WIDE)))
    assert len(one.moves)
    assert all(np.array_equal(*arrays) for arrays in zip(one, other, strict=True))


def test_a_run_does_not_begin_with_a_network_of_another_architecture(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stages, "network_of", lambda name: tensors_of(network(TINY)))
    with pytest.raises(PlanError, match="start must name a network of the architecture 64-32: mine differs"):
        stages.learn(tmp_path / "run", replace(Plan(), start="mine"), resume=False)
    assert not (tmp_path / "run").exists()
