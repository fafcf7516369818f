"""What 0.1.0 stored and published: later versions number, deal, tell and play the same, byte for byte.

The modules beside this one ask today's code; `data/frozen` holds what 0.1.0 answered, and files that it wrote. Who
changes a fact on purpose gives it a new version beside the old one.
"""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from importlib import import_module
from pathlib import Path

import gymnasium
import numpy as np
import pettingzoo
import pytest

from frozen.agents import (
    SIMULATED,
    SIMULATED_MODELS,
    analysed,
    anchored,
    benchmark,
    evaluated,
    ladder,
    printed,
    simulated,
    suite,
    weights,
)
from frozen.doors import DATA, PROGRAM, Fact, done, hash_of_bytes, oddville, text_of
from frozen.environments import aec, all_seats, for_baselines, many_seats, one_seat
from frozen.games import GAMES, LARGE_GAMES, along, cards, deals, golden, moves, observations, with_records
from frozen.tournaments import more_tournaments, tournaments
from oddville_env import Game, IllegalMoveError, oddville_v0

FACTS: dict[str, Callable[[], Fact]] = {
    fact.__name__: fact
    for fact in (
        moves, cards, observations, deals, golden, aec, one_seat, all_seats, many_seats, for_baselines,
        weights, suite, anchored, evaluated, analysed, printed, tournaments, more_tournaments, ladder, benchmark,
    )
}  # fmt: skip
FACTS |= {
    "games": partial(along, GAMES),
    "large_games": partial(along, LARGE_GAMES),
    "simulated": partial(simulated, SIMULATED),
    "model_games": partial(simulated, SIMULATED_MODELS),
}
SLOW = ("large_games", "more_tournaments", "ladder", "benchmark")
NEEDS = {
    **dict.fromkeys(("suite", "anchored", "tournaments", "more_tournaments", "ladder", "benchmark"), "polars"),
    **dict.fromkeys(("for_baselines", "evaluated", "model_games"), "sb3_contrib"),
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if name in SLOW else []) for name in FACTS]
)
@pytest.mark.filterwarnings("ignore")
def test_a_fact_is_as_it_was(name: str) -> None:
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    frozen, found = (DATA / f"{name}.json").read_text(), text_of(FACTS[name]())
    assert json.loads(found) == json.loads(frozen)
    assert found == frozen


# Records


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_recorded_as_it_was(name: str) -> None:
    (settings, line), *_ = [(settings, line) for each, settings, line in with_records() if each == name]
    game = Game(**settings, moves=json.loads(line)["moves"])
    again = Game.from_record(line, settings.get("cards"))
    assert json.dumps(game.record()) == json.dumps(again.record()) == line
    assert again.position() == game.position()


def test_an_id_is_told_by_the_word_it_had() -> None:
    words = (DATA / "words" / "17x9.txt").read_text().split()
    env = oddville_v0.raw_env()
    env.reset(seed=0)
    legal = env.observe(env.agent_selection)["action_mask"]
    for action in np.flatnonzero(legal == 0).tolist():
        with pytest.raises(IllegalMoveError, match=re.escape(f"action {action} ({words[action]}) is not legal")):
            env.step(action)


def test_the_program_is_beside_python() -> None:
    program = Path(sys.executable).with_name(PROGRAM)
    command = [program, "simulate", "--agents", "random,random", "--games", "20", "--seed", "3", "--out", "a.jsonl"]
    subprocess.run(command, check=True, capture_output=True)
    frozen = json.loads((DATA / "simulated.json").read_text())
    assert hash_of_bytes(Path("a.jsonl").read_bytes()) == frozen["random,random"]["records"]


def test_commands_take_the_options_they_took() -> None:
    for command, options in json.loads((DATA / "options.json").read_text()).items():
        assert set(options) <= set(options_of(command)), command


def commands() -> list[str]:
    """The names of all commands."""
    shown = oddville("--help").out
    return re.findall(r"^\W*([a-z]+)  ", shown.split("Commands")[-1], re.MULTILINE)


def options_of(command: str) -> list[str]:
    """The long options that the help of a command names."""
    return sorted(set(re.findall(r"--[a-z][a-z-]*", done(*command.split(), "--help"))))


def test_the_addresses_of_the_readme_are_there() -> None:
    """README.md, agents/README.md and training/README.md publish these."""
    for extra in ("sb3_contrib", "polars", "matplotlib"):
        pytest.importorskip(extra)
    addresses = json.loads((DATA / "addresses.json").read_text())
    for module, names in addresses.items():
        assert [name for name in names if not hasattr(import_module(module), name)] == [], module


def test_the_environments_have_their_names() -> None:
    assert "OddVille-v0" in gymnasium.registry
    if hasattr(pettingzoo, "register"):
        assert "oddville_v0" in {name.replace("-", "_") for name in pettingzoo.aec_registry}
