"""What environments refuse: calls after an interrupt or before a reset, what is no id, wrong arguments."""

from functools import partial
from inspect import signature
from typing import Any

import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from oddville_agents import AgentError
from oddville_env import (
    IllegalMoveError,
    OddVilleEnv,
    OddVilleSeatVectorEnv,
    OddVilleSelfPlayEnv,
    SettingError,
    TextEnv,
    oddville_v0,
)
from oddville_env.envs.game_batch import GameBatch, Sampler
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oddville.settings import make_box
from support.environments import at_end, played
from support.helpers import told

MAKES = {
    "env": oddville_v0.env,
    "raw_env": oddville_v0.raw_env,
    "single": OddVilleEnv,
    "seats": partial(OddVilleSeatVectorEnv, opponents="random"),
    "all": partial(OddVilleSelfPlayEnv, num_envs=2),
    **{f"text of {game}": partial(TextEnv, game, players=2) for game in ("oddville", "oldtown")},
}


def interrupt_at(number: int) -> Any:
    """An agent that plays the first legal move, and meets Ctrl-C at one of its moves."""
    asked = [0]

    def agent(observation: np.ndarray, mask: np.ndarray) -> int:
        asked[0] += 1
        if asked[0] == number:
            raise KeyboardInterrupt
        return int(mask.argmax())

    return agent


def play_on(env: Any) -> None:
    while True:
        env.step(env.action_masks().argmax(-1))


@pytest.mark.parametrize(("make", "number"), [("single", 3), ("single", 9), ("seats", 9), ("seats", 17), ("seats", 26)])
def test_after_an_interrupt_games_are_refused_until_a_reset(make: str, number: int) -> None:
    one, agent = make == "single", interrupt_at(number)
    env: Any = OddVilleEnv(agent, seat=0) if one else OddVilleSeatVectorEnv(4, agent, seat=0)
    state = lambda: told(env.game) if one else env.batch.games.tobytes()  # noqa: E731
    env.reset(seed=1)
    with pytest.raises(KeyboardInterrupt):
        play_on(env)
    before = state()
    with pytest.raises(ResetNeeded, match="call was interrupted"):
        env.step(env.action_masks().argmax(-1))
    assert state() == before
    env.reset(seed=1)
    env.step(env.action_masks().argmax(-1))


def test_nothing_is_played_or_shown_before_a_reset_nor_played_when_the_game_is_over() -> None:
    raw, single = oddville_v0.raw_env(render_mode="ansi"), OddVilleEnv("random", render_mode="ansi")
    calls = [lambda: raw.step(0), lambda: raw.observe("player_0"), raw.state, raw.view, raw.render, lambda: raw.game]
    calls += [lambda: single.step(0), single.view, single.render, lambda: single.game]
    calls += [lambda: OddVilleSelfPlayEnv(2).step(np.zeros(2, int))]
    calls += [lambda: OddVilleSeatVectorEnv(2, "random").step(np.zeros(2, int))]
    for call in calls:
        with pytest.raises(ResetNeeded, match="reset\\(\\) comes first: no game has been dealt yet"):
            call()
    single, raw = OddVilleEnv("random", max_rounds=1), at_end(oddville_v0.raw_env(max_rounds=1))
    single.reset(seed=1)
    while not any(single.step(int(single.action_masks().argmax()))[2:4]):
        pass
    while raw.agents:
        raw.step(None)
    for env, action in ((single, 0), (raw, None)):
        with pytest.raises(ResetNeeded, match="the game is over"):
            env.step(action)
        assert env.game.is_over


NO_IDS = [1.0, "0", True, [0], np.array([0]), np.float32(2), np.True_, {}]


@pytest.mark.parametrize("make", ["env", "raw_env", "single"])
def test_what_is_no_legal_id_is_refused_and_changes_nothing(make: str) -> None:
    env = MAKES[make]()
    env.reset(seed=1)
    before = told(env.unwrapped.game)
    for action in [*NO_IDS, *([-1, 10**6, None, 471, np.int64(471)] if make == "raw_env" else [])]:
        no_move = "is not a move on this table, expected a whole number from 0 to 471"
        with pytest.raises(IllegalMoveError, match="is not legal now" if action == 471 else no_move):
            env.step(action)
        assert told(env.unwrapped.game) == before
    assert [env.unwrapped.word(action) for action in (0, 57, 471)] == ["setup:wood", "build:1:0,0", "done"]
    with pytest.raises(IllegalMoveError, match="expected a whole number from 0 to 471"):
        env.unwrapped.word(472)


@pytest.mark.parametrize("make", ["seats", "all"])
def test_what_is_no_legal_id_is_refused_in_many_games(make: str) -> None:
    env = MAKES[make](num_envs=2)
    env.reset(seed=1)
    before = env.batch.games.tobytes()
    no_ids = [[1.0, 1.0], ["0", "0"], [True, True], [[0], [0, 1]], None, "00", [None, 0], np.ones(2), []]
    refused = [(actions, "expected a whole number for each game, the id of a move, not ") for actions in no_ids]
    refused += [(actions, "expected 2 actions, one for each game") for actions in ([0], [0, 0, 0], [[0, 0]], 0)]
    refused += [([0, 471], r"game 1: action 471 \(done\) is not legal now"), ([0, 9999], "game 1: action 9999")]
    for actions, sentence in refused:
        with pytest.raises(IllegalMoveError, match=sentence):
            env.step(actions)
        assert env.batch.games.tobytes() == before


WRONG: dict[str, tuple[str, tuple[Any, ...]]] = {
    "players": ("a whole number from 2 to 4, not", (1, 5, 7, "2")),
    "encoding": ("one of features, ids, summary, entities, not", ("pixels", "", None, 3, ["features"])),
    "reward": ("one of outcome, rank, margin or a function, not", ("fame", None, ["outcome"])),
    "seat": ("a whole number from 0 to 1, not", (-1, 2, "0", 1.0, True)),
    "opponents": ("one agent or 1, one for each other seat, not", ([], ["random"] * 2)),
    "tries": ("a whole number from 1 to 100, not", (0, 2.0)),
    "num_envs": ("a whole number from 1 to 10000000, not", (0, 2.0, True)),
    "threads": ("a whole number from 1 to 1024, not", (0,)),
    "max_rounds": ("a whole number from 1 to 30000, not", (0,)),
    "render_mode": ("one of ansi, rgb_array, human or None, not|None, not", ("film",)),
}


@pytest.mark.parametrize(("name", "value"), [(name, value) for name, (_, values) in WRONG.items() for value in values])
def test_a_wrong_argument_is_refused_in_a_sentence(name: str, value: Any) -> None:
    makes = [make for make in MAKES.values() if name in signature(make).parameters]
    assert len(makes) > 1
    for make in makes:
        with pytest.raises(SettingError, match=f"{name} must be ({WRONG[name][0]}) "):
            make(**{name: value})


def test_what_does_not_exist_is_an_error_with_its_name_and_without_an_encoder_no_batch_steps() -> None:
    for make in MAKES.values():
        with pytest.raises(TypeError, match="plyers"):
            make(plyers=3)
    with pytest.raises(SettingError, match="no game 'chess'"):
        TextEnv("chess")
    for opponents in ("nobody", "", ["nobody"], [None], [5]):
        with pytest.raises(AgentError):
            OddVilleEnv(opponents)
    batch = GameBatch(ODDVILLE, make_box(2), None, 3)
    batch.deal(1)
    with pytest.raises(SettingError, match="a batch without an encoder does not step"):
        batch.step(Sampler(3).sample(batch))


@pytest.mark.parametrize("make", ["env", "raw_env", "single", "seats"])
def test_wrong_seeds_and_options_of_reset_are_refused(make: str) -> None:
    env = MAKES[make]()
    for seed in (-1, "1", 1.5, True):
        if make in ("env", "raw_env"):  # Gymnasium's own `reset` refuses them first
            with pytest.raises(SettingError, match="seed must be"):
                env.reset(seed=seed)
    for options in (5, "deck", [1], True):
        with pytest.raises(SettingError, match="options"):
            env.reset(seed=1, options=options)
    if make != "seats":
        for wrong in ({"first": 2}, {"deck": [1, 2]}, {"piles": {}}):
            with pytest.raises(SettingError):
                env.reset(options=wrong)


def test_a_refused_reset_leaves_the_game_as_it_was_and_unknown_options_cause_a_warning() -> None:
    env = oddville_v0.raw_env()
    for number, _ in enumerate(played(env, 1)):
        if number == 30:
            break
    before = told(env.game)
    with pytest.raises(SettingError):
        env.reset(2, options={"first": 9})
    assert told(env.game) == before
    with pytest.warns(UserWarning, match="option 'frist' is not known, expected deck, piles, first"):
        env.reset(1, options={"frist": 1})
