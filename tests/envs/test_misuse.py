"""What agents and learners do wrong: none reaches the rules' own arrays, and every mistake is reported."""

from collections.abc import Callable
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

from oddville_agents import Agent, AgentFaultError, BatchAgent, make_agent
from oddville_agents.agent import StatelessBatchAgent
from oddville_agents.play import play
from oddville_env import Game, IllegalMoveError, OddVilleEnv, OddVilleSeatVectorEnv, OddVilleSelfPlayEnv, oddville_v0
from oddville_env.core.game.view import BatchView, View
from oddville_env.envs.game_batch import Sampler
from oddville_env.envs.live_game import LiveGame
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oddville.settings import make_box
from oddville_env.oldtown.game_type import OLDTOWN
from oddville_training.tournament.evaluate import evaluate

DONE = 471  # the id of a move that no game begins with
ActMany = Callable[[BatchView, np.ndarray], None]


class Faulty(Agent):
    """An agent made of functions: one answers at one table, the other, if there is one, at many."""

    name = "faulty"

    def __init__(self, act: Callable[[View], int], act_many: ActMany | None = None) -> None:
        self._act, self._act_many = act, act_many

    def act(self, view: View) -> int:
        return self._act(view)

    def batch_agent(self, tables: int) -> BatchAgent:
        return StatelessBatchAgent(self._act_many) if self._act_many else super().batch_agent(tables)


def allow_all(mask: np.ndarray) -> None:
    mask.flags.writeable = True
    mask[:] = True


def cheat(view: View) -> int:
    allow_all(view.mask)
    return DONE


def cheat_many(view: BatchView, actions: np.ndarray) -> None:
    allow_all(view.masks)
    actions[view.tables] = DONE


def faulty(observation: np.ndarray, mask: np.ndarray) -> int:
    """A function that allows itself everything."""
    allow_all(mask)
    return DONE


def first(view: View) -> int:
    return int(view.actions[0])


def first_many(view: BatchView, actions: np.ndarray) -> None:
    actions[view.tables] = view.masks[view.tables].argmax(1)


def spoil(view: View) -> int:
    """Write into everything, behind an own legal move."""
    action, game = first(view), view.game()
    for array in (view.box.record, view.state, view.mask, game.state, game.mask, game.box.record):
        array.view(np.uint8)[:] = 99
    return action


def spoil_many(view: BatchView, actions: np.ndarray) -> None:
    first_many(view, actions)
    for array in (view.box.record, view.states, view.masks):
        array.view(np.uint8)[:] = 99


def answer_for_all(view: BatchView, actions: np.ndarray) -> None:
    """Answer at every table of the batch, and allow every move at all of them."""
    legal = view.masks[view.tables].argmax(1)
    actions[:] = 0
    actions[view.tables] = legal
    allow_all(view.masks)


def raise_error(view: BatchView, actions: np.ndarray) -> None:
    raise OSError("no more")


def test_the_mask_of_a_view_is_its_own() -> None:
    game = Game(2, seed=1)
    mask = game.mask.copy()
    allow_all(View(ODDVILLE, game.box, game.state, 0, mask).mask)
    assert (mask == game.mask).all()


def resets(env: Any) -> None:
    """Begin games, in some of which the opponent is first."""
    for seed in range(5):
        env.reset(seed=seed)


@pytest.mark.parametrize("agent", [faulty, Faulty(cheat), Faulty(cheat, cheat_many)], ids=["function", "one", "many"])
def test_an_agent_that_writes_into_its_mask_is_at_fault(agent: Any) -> None:
    live = LiveGame(ODDVILLE, make_box(2))
    for asks in (
        lambda: play(live, [make_agent(agent), make_agent("random")], 1),
        lambda: evaluate(agent, against=["random"], games=4, progress=False),
        lambda: resets(OddVilleEnv(agent, 3)),
        lambda: resets(OddVilleSeatVectorEnv(8, agent, 3)),
    ):
        with pytest.raises(AgentFaultError, match=r"'faulty': illegal move: done"):
            asks()


@pytest.mark.parametrize("answer", [10**6, -1, 3.5, "3", True, None], ids=repr)
def test_an_opponents_answer_that_is_no_legal_move_is_its_fault(answer: Any) -> None:
    with pytest.raises(AgentFaultError, match="illegal move"):
        OddVilleSeatVectorEnv(20, lambda observation, mask: answer).reset(seed=1)


@pytest.mark.parametrize(("act_many", "sentence"), [
    (raise_error, "agent 'faulty': raised: OSError: no more"),
    (lambda view, actions: None, "'faulty': illegal move: -1 is not a move on this table"),
], ids=["error", "no answer"])  # fmt: skip
def test_an_opponent_at_many_tables_that_does_not_answer_is_named(act_many: ActMany, sentence: str) -> None:
    with pytest.raises(AgentFaultError, match=sentence):
        resets(OddVilleSeatVectorEnv(8, Faulty(first, act_many)))


def test_opponents_that_write_into_all_arrays_play_as_those_that_do_not() -> None:
    def games(*opponents: Any) -> list[bytes]:
        env, sampler, found = OddVilleSeatVectorEnv(16, [*opponents], 3), Sampler(16), []
        env.reset(seed=1)
        for _ in range(40):
            *_, info = env.step(sampler.sample(env.batch))
            assert np.array_equal(info["action_mask"], env.batch._legal)
            found.append(env.batch.games.tobytes())
        return found

    honest = Faulty(first, first_many)
    assert games("greedy", Faulty(first, answer_for_all)) == games("greedy", honest)
    assert games(*[Faulty(spoil, spoil_many)] * 2) == games(honest, honest)


@pytest.mark.parametrize("spoils", [Faulty(spoil), Faulty(spoil, spoil_many)], ids=["at one table", "at many"])
@pytest.mark.parametrize("game", [ODDVILLE, OLDTOWN], ids=lambda game: game.name)
def test_what_an_agent_writes_into_its_view_changes_no_other_game(spoils: Agent, game: Any) -> None:
    def json_of(agent: Agent) -> str:
        return evaluate(agent, ["greedy", "random"], games=12, seed=5, game=game, progress=False).to_json()

    greedy = evaluate("greedy", ["random"], games=12, game=game, progress=False)
    assert json_of(spoils) == json_of(Faulty(first))
    assert evaluate("greedy", ["random"], games=12, game=game, progress=False) == greedy


@pytest.mark.parametrize("make", [OddVilleSelfPlayEnv, lambda games: OddVilleSeatVectorEnv(games, "random")])
def test_a_learner_that_writes_into_the_masks_of_many_games_changes_nothing(make: Any) -> None:
    env = make(4)
    _, info = env.reset(seed=1)
    allow_all(info["action_mask"])
    before = env.batch.games.copy()
    with pytest.raises(IllegalMoveError, match=r"game 0: action 471 \(done\) is not legal now"):
        env.step(np.full(4, DONE))
    assert np.array_equal(env.batch.games, before)
    env.step(Sampler(4).sample(env.batch))
    if isinstance(env, OddVilleSeatVectorEnv) and find_spec("stable_baselines3"):
        from oddville_env import OddVilleVecEnv

        many = OddVilleVecEnv(env)
        for mask in many.env_method("action_masks"):
            allow_all(mask)
        with pytest.raises(IllegalMoveError):
            many.step(np.full(4, DONE))


def test_a_learner_that_writes_into_what_it_sees_of_one_game_changes_nothing() -> None:
    env = OddVilleEnv("random")
    _, info = env.reset(seed=1)
    allow_all(env.action_masks())
    info["action_mask"][:] = 1
    assert env.step(DONE)[1:3] == (-1.0, True)
    aec = oddville_v0.raw_env()
    aec.reset(1)
    seen = aec.last()[0]["observation"].copy()
    aec.last()[0]["observation"][:] = 0
    assert np.array_equal(aec.last()[0]["observation"], seen)
    for mask in (aec.infos[aec.agent_selection]["action_mask"], aec.last()[0]["action_mask"], aec.live.mask):
        allow_all(mask)
        with pytest.raises(IllegalMoveError):
            aec.step(DONE)
    game = aec.game
    game.push(int(game.mask.argmax()))
    assert aec.game.moves == []


@pytest.mark.parametrize("how", ["in place", "copies", "seats"])
def test_a_learner_that_changes_its_observations_spoils_no_later_ones(how: str) -> None:
    makes = {"copies": lambda: OddVilleSelfPlayEnv(6, copy=True), "seats": lambda: OddVilleSeatVectorEnv(6, "random")}
    make = makes.get(how, lambda: OddVilleSelfPlayEnv(6))
    env, other = make(), makes["seats"]() if how == "seats" else OddVilleSelfPlayEnv(6)
    seen, again = env.reset(seed=1)[0], other.reset(seed=1)[0]
    sampler = Sampler(6)
    for _ in range(100):
        if how == "in place":
            with pytest.raises(ValueError, match="read-only"):
                seen[:] = 255
            with pytest.raises(ValueError, match="WRITEABLE"):
                seen.flags.writeable = True
        else:
            seen[:] = 255
        actions = sampler.sample(other.batch)
        seen, again = env.step(actions)[0], other.step(actions)[0]
        assert np.array_equal(seen, again)
