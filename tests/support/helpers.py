"""What several tests do: games between random players, to their end or on the way there, and examples that run."""

import sys
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest
from hypothesis import settings
from numba import config

from oddville_env import Game
from oddville_env.core.parts.entries import count_lines
from oddville_env.oddville.rules.actions import Kind, Layout

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"
LIKED = {Kind.BUILD: 30.0, Kind.RETURN: 0.2, Kind.DONE: 0.2}  # without it guilds and characters are rare
DEEPEST = 4 if config.DISABLE_JIT else None
"""How many moves deep lines of play are counted, all that a test names if None: what is not compiled is slow."""

PLAYERS = (2, 3, 4)
every_number = pytest.mark.parametrize("players", PLAYERS)
steady = settings(deadline=None, derandomize=True)
"""Examples of hypothesis that are the same in every run; give a test its own `max_examples`."""


@cache
def weights(layout: Layout) -> np.ndarray:
    """How much each id is liked: float [A]."""
    liked = np.ones(layout.size)
    for kind, weight in LIKED.items():
        liked[layout.starts[kind] : layout.starts[kind + 1]] = weight
    return liked


def random_move(game: Any, rng: np.random.Generator) -> int:
    """The id of a random legal move of either game; in OddVille a build more often than others."""
    ids = np.flatnonzero(game.mask)
    if not isinstance(game.box.layout, Layout):
        return int(rng.choice(ids))
    sums = weights(game.box.layout)[ids].cumsum()
    return int(ids[np.searchsorted(sums, rng.random() * sums[-1], side="right")])


def example_module(name: str) -> ModuleType:
    """One of the examples, as a module that has not run before."""
    description = spec_from_file_location(name, EXAMPLES / f"{name}.py")
    module = module_from_spec(description)
    with pytest.MonkeyPatch.context() as patch:
        patch.setitem(sys.modules, name, module)
        patch.syspath_prepend(EXAMPLES)
        description.loader.exec_module(module)
    return module


def walk(game: Any, seed: int = 0) -> Iterator[Any]:
    """The game itself before every move of a random player, and when it is over."""
    rng = np.random.default_rng(seed)
    while not game.is_over:
        yield game
        game.push(random_move(game, rng))
    yield game


def example(prompt: str) -> str:
    """A stand-in for a language model: it answers the example of a prompt, marked up and after some thinking."""
    return f"<think>done</think> I play **{prompt.split('Example: ')[1].split()[0].upper()}**."


def told(game: Any) -> tuple[Any, ...]:
    """All that a game holds, to compare it with another one or with itself at another time."""
    fields = game.state.dtype.names or ()
    return {name: game.state[0][name].tolist() for name in fields}, game.mask.tolist(), game.record()


def random_game(players: int = 2, seed: int = 0, moves: int | None = None, make: Any = Game, **settings: Any) -> Any:
    """A game of random players, to its end or after so many moves."""
    game = make(players, seed, **settings)
    for number, _ in enumerate(walk(game, seed)):
        if number == moves:
            break
    return game


def lines_of_play(game: Any, words: Iterable[str], most: int) -> list[int]:
    """How many lines of 1, 2, ... moves there are when these words were played."""
    for word in words:
        game.push(word)
    return [count_lines(game, depth) for depth in range(1, most + 1)]


def assert_replays(game: Any, record: dict[str, Any], look: Callable[[Any], None]) -> None:
    """The moves of a record lead through possible states, at each of which `look` looks, to the end that it tells."""
    for word in record["moves"]:
        look(game)
        game.push(word)
        assert game.problems() == []
    assert game.record() == record


def many_states(number: int, players: int = 2, seed: int = 0, make: Any = Game, **settings: Any) -> Iterator[Any]:
    """The same game again and again, in as many states as asked for, early and late; then the next one."""
    every = 7
    while number > 0:
        for decision, game in enumerate(walk(make(players, seed, **settings), seed)):
            if decision % every == 0 and number > 0:
                yield game
                number -= 1
        seed += 1
