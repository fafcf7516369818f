"""Each example runs in both games, where its library is installed (`make doors` installs them all)."""

import csv
import importlib.util
from pathlib import Path
from typing import NamedTuple

import pytest

from support import forked

FOLDER = Path(__file__).resolve().parents[2] / "examples"
GAMES = ("oddville", "oldtown")
IDS = {"oddville": "OddVille-v0", "oldtown": "OldTown-v0"}


class Example(NamedTuple):
    """What an example imports, options for a short run, a text that it prints, whether it writes a curve, its games.

    Those of one game take no option `--game`.
    """

    needs: tuple[str, ...]
    options: str
    prints: str
    slow: bool = False
    has_curve: bool = True
    games: tuple[str, ...] = GAMES


EXAMPLES = {
    "sb3_maskable_ppo": Example(
        ("torch", "sb3_contrib"), "--steps 1024 --games 2 --out {folder}/ppo.zip", "mean reward against"
    ),
    "sb3_summary_ppo": Example(("torch", "sb3_contrib"), "--minutes 0.01 --games 2", "against random"),
    "rl_zoo3_train": Example(
        ("rl_zoo3",), "--conf-file {folder_of_examples}/rl_zoo3.yml -f {folder}", "ppo_mask", slow=True, has_curve=False
    ),
    "cleanrl_ppo": Example(("torch",), "--steps 2048", "2,048 decisions"),
    "torchrl_ppo": Example(("torchrl",), "--frames 1024", "1,024 decisions"),
    "tianshou_dqn": Example(("tianshou",), "--steps 400", "400 decisions"),
    "rllib_ppo": Example(("ray", "torch"), "--iterations 1", "steps of a game", slow=True),
    "agilerl_dqn": Example(("agilerl",), "--steps 600", "mean reward"),
    "rlcard_dqn": Example(("rlcard", "torch"), "--games 10 --measured 1", "mean payoff"),
    "openspiel_games": Example(("pyspiel",), "--simulations 2 --show", "mean return", has_curve=False),
    "reasoning_gym_puzzles": Example(
        ("reasoning_gym",), "--size 2", "score 1.00 of the right answers", has_curve=False, games=("oldtown",)
    ),
    "textarena_games": Example(("textarena",), "--players 3", "The scores are", has_curve=False),
    "openenv_server": Example(("openenv",), "--opponents greedy", "reward", has_curve=False),
    "verifiers_games": Example(("verifiers",), "--puzzles 1", "won 0.00", has_curve=False),
    "trl_grpo": Example(("trl",), "--steps 2 --puzzles 2 --out {folder}/grpo", "8 decisions", games=("oldtown",)),
}


@pytest.mark.parametrize(("name", "game"), [
    pytest.param(name, game, marks=[pytest.mark.slow] * example.slow, id=f"{name}-{game}")
    for name, example in EXAMPLES.items()
    for game in example.games
])  # fmt: skip
def test_example_runs_with_its_library(name: str, game: str, tmp_path: Path) -> None:
    example = EXAMPLES[name]
    for module in example.needs:
        if importlib.util.find_spec(module) is None:
            pytest.skip(f"{module} is not installed")
    options = example.options.format(folder_of_examples=FOLDER, folder=tmp_path).split()
    if name == "rl_zoo3_train":
        options += ["--algo", "ppo_mask", "--env", IDS[game], "-n", "600", "--eval-freq", "-1"]
    else:
        options += ["--seed", "3", *(["--game", game] if example.games == GAMES else [])]
    if example.has_curve:
        options += ["--device", "cpu", "--curve", str(tmp_path / "curve.csv")]
    done = forked.run(FOLDER / f"{name}.py", *options, folder=tmp_path)
    assert done.returncode == 0, done.stdout[-1000:] + done.stderr[-3000:]
    assert example.prints in done.stdout
    if example.has_curve:
        rows = list(csv.DictReader((tmp_path / "curve.csv").open()))
        assert {"decisions", "cpu_seconds"} < rows[0].keys()
        assert int(rows[-1]["decisions"]) > 0


def test_every_example_has_a_test_and_a_line_in_the_list() -> None:
    listed = (FOLDER / "README.md").read_text()
    tests = list(Path(__file__).parent.glob("test_*.py"))
    named = "\n".join(path.read_text() for path in tests)
    tested = {*EXAMPLES, *(path.stem.removeprefix("test_") for path in tests)}
    for example in FOLDER.glob("*.py"):
        assert f"]({example.name})" in listed, example.name
        assert example.stem in {*tested, "common"} or f'"{example.stem}' in named, example.name
