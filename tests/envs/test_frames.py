"""Frames: all of a game have one size, so that libraries can make films of them and learn from them."""

import gymnasium
import numpy as np
import pytest
from gymnasium.wrappers import AddRenderObservation

from oddville_env import Game, oddville_v0
from oddville_env.oddville.svg import draw
from support.environments import every_number
from support.helpers import walk

pytestmark = pytest.mark.usefixtures("render_extra")


def size_of(svg: str) -> tuple[str, str]:
    """Width and height that a picture says it has."""
    words = svg.split(">", 1)[0].split('"')
    return words[words.index(" width=") + 1], words[words.index(" height=") + 1]


@every_number
@pytest.mark.parametrize("table", [(17, 9), (9, 17), (3, 3)], ids=str)
def test_all_pictures_of_fixed_size_are_equally_large(players: int, table: tuple[int, int]) -> None:
    game = Game(players, 1, table=table)
    positions = [each.position() for number, each in enumerate(walk(game, 1)) if number % 12 == 0]
    sizes = {size_of(draw(position, game.box.cards, fixed=True)) for position in positions}

    assert len(sizes) == 1
    assert all(int(number) % 2 == 0 for number in sizes.pop()), "films want even numbers"


def test_a_fixed_picture_shows_all_that_the_other_one_shows() -> None:
    for number, game in enumerate(walk(Game(4, 2), 2)):
        if number % 6:
            continue
        words = [draw(game.position(), game.box.cards, fixed=fixed) for fixed in (False, True)]
        shown, fixed = ([part.split("</text>")[0].split(">")[-1] for part in svg.split("<text")[1:]] for svg in words)
        assert shown == fixed


@pytest.mark.parametrize("players", [2, 4])
def test_frames_have_one_size_from_the_first_to_the_last(players: int) -> None:
    env = oddville_v0.raw_env(players=players, render_mode="rgb_array", max_rounds=12)
    env.reset(1)
    shapes, rng = set(), np.random.default_rng(1)
    for number, agent in enumerate(env.agent_iter()):
        done = env.is_done(agent)
        if done or number % 80 == 0:
            shapes.add(env.render().shape)
        env.step(None if done else rng.choice(env.view().actions))

    assert len(shapes) == 1


@pytest.mark.usefixtures("small_pictures")
def test_frames_are_observations_of_their_space() -> None:
    env = AddRenderObservation(
        gymnasium.make("oddville_env:OddVille-v0", opponents="random", render_mode="rgb_array"), render_only=False
    )
    seen, info = env.reset(seed=1)
    for _ in range(12):
        assert env.observation_space.contains(seen)
        seen, _, terminated, truncated, info = env.step(int(info["action_mask"].argmax()))
        if terminated or truncated:
            seen, info = env.reset()
