"""`oddville export`: an agent's network as a file."""

from pathlib import Path

import pytest

from support.program import Run

onnx = pytest.importorskip("onnx", reason="graphs need the extra onnx")


def test_an_agents_network_is_written_with_what_it_is_for(run: Run, tmp_path: Path) -> None:
    said = run("export", "champion", "--out", "value.onnx")
    assert (said.code, said.out) == (0, "the network is value.onnx\n")
    model = onnx.load(tmp_path / "value.onnx")
    assert {each.key for each in model.metadata_props} >= {"layout", "own", "shared"}


@pytest.mark.parametrize(
    ("agent", "sentence"),
    [
        ("greedy", "'greedy' has no network, expected"),
        ("champion:network=formula", "has no network"),
        ("./nothing.safetensors", "there is no model"),
    ],
)
def test_an_agent_without_a_network_is_refused_in_a_sentence(
    run: Run, tmp_path: Path, agent: str, sentence: str
) -> None:
    code, _, err = run("export", agent, "--out", "none.onnx")
    assert code == 1
    assert sentence in " ".join(err.split())
    assert not list(tmp_path.iterdir())
