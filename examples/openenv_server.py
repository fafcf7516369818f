"""OpenEnv: a server of games against an agent, and a client that plays by words.

    python examples/openenv_server.py --game oldtown --opponents greedy

An action is an answer of a language model, an observation the prompt of the next decision. The reward at the end is 1
for the winner and 0 for the others; an answer without a legal move has the reward -0.1 and is asked for again.
"""

import threading
import time
from functools import partial
from socket import socket
from typing import Any
from uuid import uuid4

import typer
import uvicorn
from common import GameName, Opponents, Seed
from openenv.core import GenericEnvClient
from openenv.core.env_server.http_server import create_fastapi_app
from openenv.core.env_server.interfaces import Environment
from openenv.core.env_server.types import Action, Observation, State

from oddville_agents import ask, make_agent
from oddville_env.core.game.game_type import game_type
from oddville_env.core.game.prompt import prompt_of, read_answer, rules_digest

UNREADABLE = -0.1  # reward of an answer without a legal move
HOST = "127.0.0.1"


class Answer(Action):
    """The answer of a language model."""

    text: str


class Prompt(Observation):
    """The prompt of a decision; empty at the end."""

    text: str = ""


class TableEnvironment(Environment):
    """Seat 0 of a game of two against an agent."""

    SUPPORTS_CONCURRENT_SESSIONS = True

    def __init__(self, game: str, opponent: str) -> None:
        super().__init__()
        self.game_type, self.opponent = game_type(game), make_agent(opponent, game)
        self.count = State()

    def reset(self, seed: int | None = None, episode_id: str | None = None, **_: Any) -> Prompt:
        """Deal a game."""
        self.game = self.game_type.game(2, seed=seed)
        self.count = State(episode_id=episode_id or str(uuid4()))
        return self._next(f"{rules_digest(self.game_type)}\n")

    def step(self, action: Answer, timeout_s: float | None = None, **_: Any) -> Prompt:
        """Play the last legal move of an answer, and the opponent's moves."""
        self.count.step_count += 1
        answer = read_answer(action.text, self.game.view())
        if answer.action is None:
            return Prompt(text=f"{answer.problem}\n{prompt_of(self.game.view())}", reward=UNREADABLE)
        self.game.push(answer.action)
        return self._next()

    def _next(self, before: str = "") -> Prompt:
        """Play the opponent's moves; return the prompt of the next decision, or the reward."""
        while not self.game.is_over and self.game.to_move != 0:
            self.game.push(ask(self.opponent, self.game.view()))
        if self.game.is_over:
            return Prompt(done=True, reward=self.game.outcome.win_share(0))
        return Prompt(text=before + prompt_of(self.game.view()), reward=0.0)

    @property
    def state(self) -> State:
        """The number of answers so far."""
        return self.count


def serve(game: str, opponent: str, port: int) -> uvicorn.Server:
    """Start a server in a thread; returns it when it listens."""
    app = create_fastapi_app(partial(TableEnvironment, game, opponent), Answer, Prompt, max_concurrent_envs=4)
    server = uvicorn.Server(uvicorn.Config(app, host=HOST, port=port, log_level="warning"))
    threading.Thread(target=server.run, daemon=True).start()
    while not server.started:
        time.sleep(0.05)
    return server


def free_port() -> int:
    """Return a port that is free now."""
    with socket() as found:
        found.bind((HOST, 0))
        return int(found.getsockname()[1])


def main(game: GameName = "oddville", opponents: Opponents = "greedy", seed: Seed = 0) -> None:
    """Serve a game and play it with a stand-in that names the last legal word."""
    port = free_port()
    server, answers = serve(game, opponents, port), 0
    with GenericEnvClient(base_url=f"http://{HOST}:{port}").sync() as client:
        result = client.reset(seed=seed)
        while not result.done:
            words = result.observation["text"].rpartition("Legal words:\n")[2].partition("\n\n")[0].splitlines()
            result = client.step({"text": words[-1].split()[0] if answers else "I pass."})
            answers += 1
    server.should_exit = True
    typer.echo(f"{game}: {answers} answers, reward {result.reward:g} against {opponents}")


if __name__ == "__main__":
    typer.run(main)
