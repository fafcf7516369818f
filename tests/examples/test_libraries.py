"""The examples with other people's libraries: each runs in both games, where its library is there (`make doors`)."""

import importlib.util
from pathlib import Path
from typing import NamedTuple

import pytest

from support import forked

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
GAMES = ("oddville", "oldtown")
IDS = {"oddville": "OddVille-v0", "oldtown": "OldTown-v0"}


class Door(NamedTuple):
    """An example: what it imports, how it is run in little time, and a word of what it then says."""

    needs: tuple[str, ...]
    words: tuple[str, ...]
    says: str
    slow: bool = False


DOORS = {
    "sb3_maskable_ppo": Door(
        ("torch", "sb3_contrib"), ("--steps", "512", "--games", "2", "--out", "{folder}/ppo.zip"), "mean reward against"
    ),
    "sb3_summary_ppo": Door(("torch", "sb3_contrib"), ("--minutes", "0.005", "--games", "2"), "against random"),
    "rl_zoo3_train": Door(("rl_zoo3",), ("--conf-file", "{examples}/rl_zoo3.yml", "-f", "{folder}"), "ppo_mask", True),
    "cleanrl_ppo": Door(("torch",), ("--steps", "2048"), "2,048 decisions"),
    "torchrl_ppo": Door(("torchrl",), ("--frames", "1024"), "1,024 decisions"),
    "tianshou_dqn": Door(("tianshou",), ("--steps", "400"), "400 decisions"),
    "rllib_ppo": Door(("ray", "torch"), ("--iterations", "1"), "in a game", True),
    "agilerl_dqn": Door(("agilerl",), ("--steps", "600"), "mean reward"),
    "rlcard_dqn": Door(("rlcard", "torch"), ("--games", "2", "--measured", "1"), "mean payoff"),
    "openspiel_games": Door(("pyspiel",), ("--simulations", "2"), "mean return"),
}


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize(
    "door", [pytest.param(name, marks=[pytest.mark.slow] * door.slow) for name, door in DOORS.items()]
)
def test_an_example_runs_with_its_library(door: str, game: str, tmp_path: Path) -> None:
    done = opened(door, ["--game", game], tmp_path) if door != "rl_zoo3_train" else zoo(game, tmp_path)
    assert done.returncode == 0, done.stdout[-1000:] + done.stderr[-3000:]
    assert DOORS[door].says in done.stdout


def zoo(game: str, folder: Path) -> forked.Done:
    """The Zoo has options of its own."""
    return opened("rl_zoo3_train", ["--algo", "ppo_mask", "--env", IDS[game], "-n", "600", "--eval-freq", "-1"], folder)


def opened(door: str, more: list[str], folder: Path) -> forked.Done:
    """Run an example; skips where its library is not there."""
    for module in DOORS[door].needs:
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed")
    words = [word.format(examples=EXAMPLES, folder=folder) for word in DOORS[door].words]
    return forked.run(EXAMPLES / f"{door}.py", *words, *more, folder=folder)


def test_every_example_has_a_test_and_a_line_in_the_list() -> None:
    listed = (EXAMPLES / "README.md").read_text()
    tests = list(Path(__file__).parent.glob("test_*.py"))
    named = "\n".join(path.read_text() for path in tests)
    tested = {*DOORS, *(path.stem.removeprefix("test_") for path in tests)}
    for example in EXAMPLES.glob("*.py"):
        assert f"]({example.name})" in listed, example.name
        assert example.stem in tested or f'"{example.name}' in named, example.name
