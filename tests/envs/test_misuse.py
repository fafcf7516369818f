"""What agents, learners and people do wrong: nobody reaches the rules' own arrays, and every mistake is told."""

from collections.abc import Callable
from functools import partial
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.error import ResetNeeded

from helpers import told
from oddville_agents import Agent, AgentFaultError, BatchAgent, make_agent
from oddville_agents.play import play
from oddville_env import (
    Game,
    IllegalMoveError,
    OddVilleEnv,
    OddVilleSeatVectorEnv,
    OddVilleSelfPlayEnv,
    SettingError,
    oddville_v0,
)
from oddville_env.core.view import BatchView, View
from oddville_env.envs.game_batch import Sampler
from oddville_env.envs.live_game import LiveGame
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oddville.settings import make_box
from oddville_env.oldtown.game_type import OLDTOWN
from oddville_training.tournament.evaluate import evaluate

DONE = 471  # the id of a move that no game begins with
NO_IDS = [1.0, "0", True, [0], np.array([0]), np.float32(2), np.True_, {}]

every_no_id = pytest.mark.parametrize("action", NO_IDS, ids=repr)


def allow_all(mask: np.ndarray) -> None:
    """Try to make every move legal."""
    mask.flags.writeable = True
    mask[:] = True


def cheat(observation: np.ndarray, mask: np.ndarray) -> int:
    """A function that allows itself everything."""
    allow_all(mask)
    return DONE


class Cheat(Agent):
    """An agent that allows itself everything."""

    name = "cheat"

    def act(self, view: View) -> int:
        allow_all(view.mask)
        return DONE


class ManyCheats(Cheat):
    """The same at many tables at once."""

    def batch_agent(self, tables: int) -> BatchAgent:
        return CheatAtAll()


class CheatAtAll(BatchAgent):
    def act(self, view: BatchView, actions: np.ndarray) -> None:
        allow_all(view.masks)
        actions[view.tables] = DONE


CHEATS = [cheat, Cheat(), ManyCheats()]

every_cheat = pytest.mark.parametrize("agent", CHEATS, ids=lambda agent: type(agent).__name__)


# Agents


def test_the_mask_of_a_view_is_its_own() -> None:
    game = Game(2, seed=1)
    mask = game.mask.copy()
    allow_all(View(ODDVILLE, game.box, game.state, 0, mask).mask)
    assert (mask == game.mask).all()


@every_cheat
def test_an_agent_that_writes_into_its_mask_is_at_fault_in_a_game(agent: Any) -> None:
    with pytest.raises(AgentFaultError, match=r"'cheat': illegal move: done"):
        play(LiveGame(ODDVILLE, make_box(2)), [make_agent(agent), make_agent("random")], 1)


@every_cheat
def test_an_agent_that_writes_into_its_mask_is_at_fault_in_an_evaluation(agent: Any) -> None:
    with pytest.raises(AgentFaultError, match=r"'cheat': illegal move: done"):
        evaluate(agent, against=["random"], games=4, progress=False)


def resets(env: Any) -> None:
    """Begin games, in some of which the opponent is first."""
    for seed in range(5):
        env.reset(seed=seed)


@every_cheat
def test_an_opponent_that_writes_into_its_mask_is_at_fault(agent: Any) -> None:
    for env in (OddVilleEnv(agent, 3), OddVilleSeatVectorEnv(8, agent, 3)):
        with pytest.raises(AgentFaultError, match=r"'cheat': illegal move: done"):
            resets(env)


@pytest.mark.parametrize("answer", [10**6, -1, 3.5, "3", True, None], ids=repr)
def test_an_opponents_answer_that_is_no_legal_move_is_its_fault(answer: Any) -> None:
    with pytest.raises(AgentFaultError, match="illegal move"):
        OddVilleSeatVectorEnv(20, lambda observation, mask: answer).reset(seed=1)


class Raising(ManyCheats):
    name = "raising"

    def batch_agent(self, tables: int) -> BatchAgent:
        return RaisingAtAll()


class RaisingAtAll(BatchAgent):
    def act(self, view: BatchView, actions: np.ndarray) -> None:
        raise OSError("no more")


def test_an_opponent_at_many_tables_that_raises_is_named() -> None:
    with pytest.raises(AgentFaultError, match="agent 'raising': raised: OSError: no more"):
        OddVilleSeatVectorEnv(8, Raising()).reset(seed=1)


class Spoils(Agent):
    """Writes into all that it is handed, behind its own move, at one table or at many."""

    name = "spoils"
    at_once = False

    def act(self, view: View) -> int:
        action, game = int(view.actions[0]), view.game()
        for array in (view.box.record, view.state, view.mask, game.state, game.mask, game.box.record):
            array.view(np.uint8)[:] = 99
        return action

    def batch_agent(self, tables: int) -> BatchAgent:
        return SpoilsMany() if self.at_once else super().batch_agent(tables)


class SpoilsMany(BatchAgent):
    def act(self, view: BatchView, actions: np.ndarray) -> None:
        actions[view.tables] = view.masks[view.tables].argmax(1)
        for array in (view.box.record, view.states, view.masks):
            array.view(np.uint8)[:] = 99


class SpoilsAtOnce(Spoils):
    at_once = True


class First(Agent):
    """The same moves without any mischief."""

    name = "spoils"

    def act(self, view: View) -> int:
        return int(view.actions[0])


@pytest.mark.parametrize("spoils", [Spoils(), SpoilsAtOnce()], ids=["at one table", "at many"])
@pytest.mark.parametrize("game", [ODDVILLE, OLDTOWN], ids=lambda game: game.name)
def test_what_an_agent_writes_into_its_view_changes_nobodys_game(spoils: Agent, game: Any) -> None:
    def json_of(agent: Agent) -> str:
        return evaluate(agent, ["greedy", "random"], games=12, seed=5, game=game, progress=False).to_json()

    as_it_should_be = json_of(First())
    greedy = evaluate("greedy", ["random"], games=12, game=game, progress=False)

    assert json_of(spoils) == as_it_should_be
    assert evaluate("greedy", ["random"], games=12, game=game, progress=False) == greedy


def test_an_agent_that_spoils_the_masks_of_other_tables_makes_nobody_move_illegally() -> None:
    env = OddVilleSeatVectorEnv(30, [SpoilsAtOnce(), SpoilsAtOnce()], 3)
    env.reset(seed=1)
    sampler = Sampler(30)
    for _ in range(60):
        env.step(sampler.sample(env.batch))


# Learners


@pytest.mark.parametrize("make", [OddVilleSelfPlayEnv, lambda games: OddVilleSeatVectorEnv(games, "random")])
def test_a_learner_that_writes_into_the_masks_of_many_games_changes_nothing(make: Any) -> None:
    env = make(4)
    _, info = env.reset(seed=1)
    info["action_mask"].flags.writeable = True
    info["action_mask"][:] = 1
    before = env.batch.games.copy()

    with pytest.raises(IllegalMoveError, match=r"game 0: action 471 \(done\) is not legal now"):
        env.step(np.full(4, DONE))

    assert np.array_equal(env.batch.games, before)
    env.step(Sampler(4).sample(env.batch))


def test_a_learner_that_writes_into_the_mask_of_one_game_changes_nothing() -> None:
    env = OddVilleEnv("random")
    _, info = env.reset(seed=1)
    allow_all(env.action_masks())
    info["action_mask"][:] = 1

    assert env.step(DONE)[1:3] == (-1.0, True)

    aec = oddville_v0.raw_env()
    aec.reset(1)
    for mask in (aec.infos[aec.agent_selection]["action_mask"], aec.last()[0]["action_mask"], aec.live.mask):
        allow_all(mask)
        with pytest.raises(IllegalMoveError):
            aec.step(DONE)


def test_a_learner_that_writes_into_the_masks_of_stable_baselines_changes_nothing() -> None:
    pytest.importorskip("stable_baselines3")
    from oddville_env import OddVilleVecEnv

    env = OddVilleVecEnv(OddVilleSeatVectorEnv(4, "random"))
    env.reset()
    for mask in env.env_method("action_masks"):
        allow_all(mask)

    with pytest.raises(IllegalMoveError):
        env.step(np.full(4, DONE))


@pytest.mark.parametrize("settings", [{}, {"copy": True}], ids=["in place", "copies"])
def test_a_learner_that_changes_its_observations_spoils_no_later_ones(settings: dict[str, Any]) -> None:
    env, other = OddVilleSelfPlayEnv(6, **settings), OddVilleSelfPlayEnv(6)
    seen, again = env.reset(seed=1)[0], other.reset(seed=1)[0]
    sampler = Sampler(6)
    for _ in range(150):
        if settings:
            seen //= 2
        else:
            with pytest.raises(ValueError, match="read-only"):
                seen //= 2
            with pytest.raises(ValueError, match="WRITEABLE"):
                seen.flags.writeable = True
        actions = sampler.sample(other.batch)
        seen, again = env.step(actions)[0], other.step(actions)[0]
        assert np.array_equal(seen, again)


def test_a_learner_that_changes_what_its_seats_see_spoils_no_later_observations() -> None:
    env, other = OddVilleSeatVectorEnv(6, "random"), OddVilleSeatVectorEnv(6, "random")
    seen, again = env.reset(seed=1)[0], other.reset(seed=1)[0]
    sampler = Sampler(6)
    for _ in range(100):
        seen[:] = 255
        actions = sampler.sample(other.batch)
        seen, again = env.step(actions)[0], other.step(actions)[0]
        assert np.array_equal(seen, again)


# Interrupts


def interrupt_at(number: int) -> Callable[[np.ndarray, np.ndarray], int]:
    """An agent that plays the first legal move, and where somebody presses Ctrl-C at one of its moves."""
    asked = [0]

    def agent(observation: np.ndarray, mask: np.ndarray) -> int:
        asked[0] += 1
        if asked[0] == number:
            raise KeyboardInterrupt
        return int(mask.argmax())

    return agent


def play_on(env: Any) -> None:
    """Play the first legal moves until something happens."""
    while True:
        env.step(env.action_masks().argmax(-1))


@pytest.mark.parametrize("number", range(9, 30, 4))
def test_after_an_interrupt_many_games_are_refused_until_a_reset(number: int) -> None:
    env = OddVilleSeatVectorEnv(4, interrupt_at(number), seat=0)
    env.reset(seed=1)
    with pytest.raises(KeyboardInterrupt):
        play_on(env)
    before = env.batch.games.copy()

    with pytest.raises(ResetNeeded, match="broken off in the middle"):
        env.step(env.action_masks().argmax(1))

    assert np.array_equal(env.batch.games, before)
    _, info = env.reset(seed=1)
    env.step(info["action_mask"].argmax(1))


@pytest.mark.parametrize("number", [3, 9])
def test_after_an_interrupt_a_single_game_is_refused_until_a_reset(number: int) -> None:
    env = OddVilleEnv(interrupt_at(number), seat=0)
    env.reset(seed=1)
    with pytest.raises(KeyboardInterrupt):
        play_on(env)
    before = told(env.game)

    with pytest.raises(ResetNeeded, match="broken off in the middle"):
        env.step(env.action_masks().argmax())

    assert told(env.game) == before


# People


def test_nothing_is_played_or_shown_before_a_reset() -> None:
    raw, single = oddville_v0.raw_env(render_mode="ansi"), OddVilleEnv("random", render_mode="ansi")
    calls = [lambda: raw.step(0), lambda: raw.observe("player_0"), raw.state, raw.view, raw.render, lambda: raw.game]
    calls += [lambda: single.step(0), single.view, single.render, lambda: single.game]
    calls += [lambda: OddVilleSelfPlayEnv(2).step(np.zeros(2, int))]
    calls += [lambda: OddVilleSeatVectorEnv(2, "random").step(np.zeros(2, int))]
    for call in calls:
        with pytest.raises(ResetNeeded, match="reset\\(\\) comes first: no game has been dealt yet"):
            call()


def test_a_game_that_is_over_is_refused_until_a_reset() -> None:
    single, raw = OddVilleEnv("random", max_rounds=1), oddville_v0.raw_env(max_rounds=1)
    single.reset(seed=1)
    while not any(single.step(int(single.action_masks().argmax()))[2:4]):
        pass
    with pytest.raises(ResetNeeded, match="the game is over"):
        single.step(0)
    assert single.game.is_over

    raw.reset(1)
    for agent in raw.agent_iter():
        done = raw.terminations[agent] or raw.truncations[agent]
        raw.step(None if done else int(raw.observe(agent)["action_mask"].argmax()))
    with pytest.raises(ResetNeeded, match="the game is over"):
        raw.step(None)
    assert raw.game.is_over


@every_no_id
def test_what_is_no_id_is_refused_with_a_sentence_and_changes_nothing(action: Any) -> None:
    expected = "is no move of this table, expected a whole number from 0 to"
    for env in (oddville_v0.raw_env(), OddVilleEnv("random")):
        env.reset(seed=1)
        before = told(env.game)
        with pytest.raises(IllegalMoveError, match=expected):
            env.step(action)
        assert told(env.game) == before


@every_no_id
def test_env_refuses_what_is_no_id_with_the_same_sentence(action: Any) -> None:
    env = oddville_v0.env()
    env.reset(seed=1)
    before = told(env.game)

    with pytest.raises(IllegalMoveError, match="is no move of this table, expected a whole number from 0 to"):
        env.step(action)

    assert told(env.game) == before


@pytest.mark.parametrize(
    "actions",
    [[1.0, 1.0], ["0", "0"], [True, True], [[0], [0, 1]], None, "00", [None, 0], np.ones(2)],
    ids=repr,
)
@pytest.mark.parametrize("make", [OddVilleSelfPlayEnv, lambda games: OddVilleSeatVectorEnv(games, "random")])
def test_what_is_no_id_is_refused_in_many_games(make: Any, actions: Any) -> None:
    env = make(2)
    env.reset(seed=1)
    before = env.batch.games.copy()

    with pytest.raises(IllegalMoveError, match="expected a whole number for each game, the id of a move, not "):
        env.step(actions)

    assert np.array_equal(env.batch.games, before)


@pytest.mark.parametrize("actions", [[0], [0, 0, 0], [[0, 0]], 0, [], np.zeros((2, 1), int)], ids=repr)
def test_the_wrong_number_of_ids_is_refused(actions: Any) -> None:
    env = OddVilleSelfPlayEnv(2)
    env.reset(seed=1)
    with pytest.raises(IllegalMoveError, match="expected "):
        env.step(actions)


@pytest.mark.parametrize("options", [5, "deck", [1], True], ids=repr)
@pytest.mark.parametrize(
    "env",
    [oddville_v0.raw_env(), oddville_v0.env(), OddVilleEnv("random"), OddVilleSeatVectorEnv(2, "random")],
    ids=["raw", "env", "single", "vector"],
)
def test_options_that_are_no_mapping_are_refused(env: Any, options: Any) -> None:
    with pytest.raises(SettingError, match="options"):
        env.reset(seed=1, options=options)


@pytest.mark.parametrize(
    ("wrong", "name"),
    [
        ({"num_envs": 0}, "num_envs"),
        ({"num_envs": 2.0}, "num_envs"),
        ({"num_envs": True}, "num_envs"),
        ({"threads": 0}, "threads"),
        ({"seat": 2}, "seat"),
        ({"players": 7}, "players"),
        ({"opponents": ["random", "random"]}, "opponents"),
        ({"reward": "fame"}, "reward"),
        ({"encoding": "pixels"}, "encoding"),
        ({"render_mode": "human"}, "render_mode"),
        ({"max_rounds": 0}, "max_rounds"),
    ],
    ids=str,
)
def test_make_vec_refuses_wrong_arguments_by_their_names(wrong: dict[str, Any], name: str) -> None:
    given = {"num_envs": 2, "opponents": "random", **wrong}
    with pytest.raises(SettingError, match=name):
        gymnasium.make_vec("oddville_env:OddVille-v0", vectorization_mode="vector_entry_point", **given)


@pytest.mark.parametrize(
    "make", [oddville_v0.env, oddville_v0.raw_env, OddVilleEnv, OddVilleSeatVectorEnv, partial(OddVilleSelfPlayEnv, 2)]
)
def test_a_setting_that_does_not_exist_is_a_type_error_with_its_name(make: Any) -> None:
    with pytest.raises(TypeError, match="plyers"):
        make(plyers=3)


def test_the_game_that_an_environment_shows_is_a_copy() -> None:
    env = oddville_v0.raw_env()
    env.reset(1)
    game: Game = env.game
    game.push(int(game.mask.argmax()))

    assert env.game.moves == []
