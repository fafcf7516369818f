"""What agents, learners and people do wrong: nobody reaches the rules' own arrays, and every mistake is told."""

from typing import Any

import numpy as np
import pytest

from oddville_agents import Agent, AgentFaultError, BatchAgent, make_agent
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


class AnswersForAll(First):
    """Moves for every table of the batch, and allows every move at all of them."""

    name = "answers for all"

    def batch_agent(self, tables: int) -> BatchAgent:
        return AnswersForAllAtOnce()


class AnswersForAllAtOnce(BatchAgent):
    def act(self, view: BatchView, actions: np.ndarray) -> None:
        legal = view.masks[view.tables].argmax(1)
        actions[:] = 0
        actions[view.tables] = legal
        allow_all(view.masks)


class AnswersNowhere(AnswersForAll):
    """Answers for no table at all from its second call on."""

    name = "answers nowhere"

    def batch_agent(self, tables: int) -> BatchAgent:
        return AnswersNowhereAtOnce()


class AnswersNowhereAtOnce(BatchAgent):
    asked = False

    def act(self, view: BatchView, actions: np.ndarray) -> None:
        if not self.asked:
            actions[view.tables] = view.masks[view.tables].argmax(1)
        self.asked = True


def test_batch_opponent_answers_for_its_own_tables_only() -> None:
    def played(last: Agent) -> list[bytes]:
        env, sampler, games = OddVilleSeatVectorEnv(16, ["greedy", last], 3), Sampler(16), []
        env.reset(seed=1)
        for _ in range(40):
            actions = sampler.sample(env.batch)
            _, _, _, _, info = env.step(actions)
            assert np.array_equal(info["action_mask"], env.batch._legal)
            games.append(env.batch.games.tobytes())
        return games

    assert played(AnswersForAll()) == played(First())


def test_batch_opponent_without_an_answer_is_at_fault() -> None:
    env = OddVilleSeatVectorEnv(4, AnswersNowhere(), seat=0)
    with pytest.raises(AgentFaultError, match="'answers nowhere': illegal move: -1 is no move of this table"):
        resets(env)


@pytest.mark.parametrize("spoils", [Spoils(), SpoilsAtOnce()], ids=["at one table", "at many"])
@pytest.mark.parametrize("game", [ODDVILLE, OLDTOWN], ids=lambda game: game.name)
def test_what_an_agent_writes_into_its_view_changes_nobodys_game(spoils: Agent, game: Any) -> None:
    def json_of(agent: Agent) -> str:
        return evaluate(agent, ["greedy", "random"], games=12, seed=5, game=game, progress=False).to_json()

    as_it_should_be = json_of(First())
    greedy = evaluate("greedy", ["random"], games=12, game=game, progress=False)

    assert json_of(spoils) == as_it_should_be
    assert evaluate("greedy", ["random"], games=12, game=game, progress=False) == greedy


def test_opponents_that_write_into_all_masks_play_as_those_that_do_not() -> None:
    def played(opponent: Agent) -> bytes:
        env, sampler = OddVilleSeatVectorEnv(30, [opponent, opponent], 3), Sampler(30)
        env.reset(seed=1)
        for _ in range(60):
            env.step(sampler.sample(env.batch))
        return env.batch.games.tobytes()

    assert played(SpoilsAtOnce()) == played(First())


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
