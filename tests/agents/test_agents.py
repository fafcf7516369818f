"""Agents: the spec that names one, what goes wrong with it, and how the built-in ones play."""

from collections import Counter

import numpy as np
import pytest

from oddville_agents import Agent, GameAgent, make_agent
from oddville_agents.oddville.greedy import GreedyAgent
from oddville_agents.play import agent_seed, play
from oddville_agents.player import AgentFaultError, Player
from oddville_agents.policies.baselines import RandomAgent
from oddville_env import Game
from oddville_env.envs.live_game import LiveGame
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oddville.observation import make_encoder
from oddville_env.oddville.settings import make_box
from support.helpers import many_states, told

every_number = pytest.mark.parametrize("players", [2, 3, 4])


# Playing


@every_number
def test_the_greedy_agent_plays_legal_moves_and_always_the_same(players: int) -> None:
    live, agents = LiveGame(ODDVILLE, make_box(players)), [GreedyAgent() for _ in range(players)]
    for seed in range(12):
        assert play(live, agents, seed).trigger is not None
        record = live.game.record()
        play(live, [GreedyAgent() for _ in range(players)], seed)
        assert live.game.record() == record


@pytest.mark.parametrize("table", [(5, 3), (1, 1)], ids=str)
def test_the_greedy_agent_plays_on_small_tables_too(table: tuple[int, int]) -> None:
    live = LiveGame(ODDVILLE, make_box(3, table, 15))
    for seed in range(5):
        play(live, [GreedyAgent(), RandomAgent(), GreedyAgent()], seed)
        assert live.outcome is not None


@every_number
def test_thinking_does_not_change_the_game(players: int) -> None:
    for game in many_states(30, players):
        if not game.is_over:
            before = told(game)
            assert game.mask[GreedyAgent().act(game.view())]
            assert game.mask[RandomAgent().act(game.view())]
            assert told(game) == before


def test_the_greedy_agent_can_go_from_one_table_to_another() -> None:
    agent, fresh = GreedyAgent(), GreedyAgent()
    for seed in range(4):
        for players in (2, 4, 3):
            game = Game(players, seed, table=(7, 5) if seed % 2 else (17, 9))
            for _ in range(30):
                action = agent.act(game.view())
                assert action == GreedyAgent().act(game.view())
                game.push(action)
    assert fresh.name == agent.name


@pytest.mark.parametrize(("players", "games", "share"), [(2, 120, 0.97), (4, 80, 0.9)])
def test_greedy_beats_random_players(players: int, games: int, share: float) -> None:
    live, won = LiveGame(ODDVILLE, make_box(players)), 0
    for game in range(games):
        deal, seat = divmod(game, players)
        agents: list[Agent] = [RandomAgent() for _ in range(players)]
        agents[seat] = GreedyAgent()
        won += play(live, agents, deal).winner == seat
    assert won / games >= share


def test_random_is_reproducible_and_another_seed_plays_otherwise() -> None:
    def moves(deal: int) -> list[str]:
        play(live, [RandomAgent(), RandomAgent()], deal)
        return live.game.record()["moves"]

    live = LiveGame(ODDVILLE, make_box(2))
    assert moves(1) == moves(1)
    assert moves(1) != moves(2)
    assert len({agent_seed(deal, seat, name) for deal in range(9) for seat in range(4) for name in ("a", "b")}) == 72


def test_random_plays_every_legal_move_equally_often() -> None:
    agent, mask = RandomAgent(), np.zeros(100, np.bool_)
    mask[[0, 3, 50, 51, 99]] = True
    agent.reset(0, 2, 7)
    view = Game(2, seed=1).view()
    view.mask = mask
    times = Counter(agent.act(view) for _ in range(10_000))
    assert set(times) == {0, 3, 50, 51, 99}
    assert max(times.values()) - min(times.values()) < 250


def test_watcher_is_called_before_every_move() -> None:
    live = LiveGame(ODDVILLE, make_box(3))
    seen: list[tuple[int, int]] = []
    play(live, [RandomAgent()] * 3, 4, lambda at, action: seen.append((at.to_move, action)))
    game = Game(3, 4)
    for seat, action in seen:
        assert game.to_move == seat
        game.push(action)
    assert game.record() == live.game.record()


def test_play_does_not_let_an_illegal_move_pass() -> None:
    with pytest.raises(AgentFaultError, match="agent '<lambda>': illegal move: -1 is no move of this table"):
        play(LiveGame(ODDVILLE, make_box(2)), [make_agent(lambda observation, mask: -1), RandomAgent()], 0)


@every_number
def test_a_function_gets_the_observation_of_its_own_seat(players: int) -> None:
    def look(observation: np.ndarray, mask: np.ndarray) -> int:
        seen.append((observation.copy(), mask.copy()))
        return int(mask.argmax())

    seen: list[tuple[np.ndarray, np.ndarray]] = []
    agent = make_agent(look)
    for game in many_states(10, players):
        if not game.is_over:
            agent.act(game.view())
            encoder = make_encoder(game.box, "features")
            own = encoder.observation(game.box.record, game.state, 0, game.to_move)
            assert np.array_equal(seen[-1][0], own)
            assert np.array_equal(seen[-1][1], game.mask)


class Thinker(GameAgent):
    """Remembers what it was shown."""

    name = "thinker"

    def think(self, game: Game) -> int:
        """The first legal move."""
        self.shown = game
        return int(game.mask.argmax())


def test_a_thinking_agent_gets_a_game_of_its_own_in_the_same_position() -> None:
    agent = Thinker()
    player = Player(agent)
    player.begin(0, 3, 5)
    for game in many_states(8, 3):
        if not game.is_over:
            before = told(game)
            player.move(game.view())
            assert agent.shown.position() == game.position()
            assert agent.shown.legal_moves.words() == game.legal_moves.words()
            agent.shown.push(next(iter(agent.shown.legal_moves)))
            agent.shown.pop()
            assert told(game) == before
