"""verifiers: puzzles in a single turn, and games against an agent in many turns.

    python examples/verifiers_games.py --game oldtown --opponents greedy

The module is a plug-in with a task set, an environment and a harness of one id: `vf-eval verifiers_games
--env.agent.harness.id verifiers_games --env.agent.runtime.type subprocess`, with this folder in PYTHONPATH. Run as a
program, it plays with a stand-in of a model: a server on this computer that names the first legal word.
"""

import asyncio
import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from typing import Annotated, Any

import typer
import verifiers.v1 as vf
from common import GameName, Opponents, Seed
from openai import AsyncOpenAI
from verifiers.v1.dialects.chat import message_to_wire

from oddville_agents import ask, make_agent
from oddville_env.core.game.game_type import game_type
from oddville_env.core.game.prompt import prompt_of, read_answer, rules_digest
from oddville_env.oldtown.solo.dataset import entries, score

__all__ = ["ChatHarness", "GamesTaskset", "TableEnv"]
ID = "verifiers_games"
TRIES = 3


class GameData(vf.TaskData):
    """A puzzle, which is a prompt with its entry, or a game: its name, seed and opponent."""

    entry: dict[str, Any] | None = None
    game: str = ""
    seed: int = 0
    opponent: str = ""


class GameTask(vf.Task[GameData]):
    """A puzzle has the share of right lots as its reward; the environment rewards games."""

    @vf.reward(weight=1.0)
    async def lots(self, trace: vf.Trace) -> float:
        """Return the share of lots that are right; 0 in games."""
        return score(trace.last_reply, self.data.entry) if self.data.entry else 0.0


class GamesConfig(vf.TasksetConfig):
    """Numbers of puzzles and of games, and their settings."""

    puzzles: int = 100
    level: str = "easy"
    games: int = 0
    game: str = "oddville"
    opponent: str = "greedy"
    seed: int = 0


class GamesTaskset(vf.Taskset[GameTask, GamesConfig]):
    """Puzzles, then games."""

    def load(self) -> Iterator[GameTask]:
        """Yield the tasks, the same ones for the same seed."""
        config = self.config
        for entry in islice(entries(config.level, config.seed), config.puzzles):
            yield GameTask(GameData(prompt=entry["question"], entry=entry), config.task)
        for number in range(config.games):
            data = GameData(game=config.game, seed=config.seed + number, opponent=config.opponent)
            yield GameTask(data, config.task)


class TableConfig(vf.EnvConfig):
    """One agent."""

    agent: vf.AgentConfig = vf.AgentConfig()


class TableEnv(vf.Env[TableConfig]):
    """Puzzles are answered at once. In a game of two the agent has seat 0 and answers prompts."""

    async def run(self, task: GameTask, agents: vf.Agents) -> None:
        """Play a task."""
        if task.data.entry:
            await agents.agent.run(task)
            return
        async with agents.agent.interaction(task) as talk:
            won = await play(task.data, talk)
        talk.trace.record_reward("won", won)


async def play(data: GameData, talk: vf.Interaction) -> float:
    """Play a game by words; returns 1 for a win, and 0 for a loss or after three answers without a legal move."""
    game = game_type(data.game).game(2, seed=data.seed)
    opponent, before, tries = make_agent(data.opponent, data.game), rules_digest(data.game), 0
    while not game.is_over:
        view = game.view()
        if view.seat != 0:
            game.push(ask(opponent, view))
            continue
        segment = await talk.turn(f"{before}\n{prompt_of(view)}")
        answer = read_answer(segment.last_reply, view)
        tries = tries + 1 if answer.action is None else 0
        if segment.terminated or tries == TRIES:
            return 0.0
        before = answer.problem
        if answer.action is not None:
            game.push(answer.action)
    return game.outcome.win_share(0)


class ChatHarness(vf.Harness[vf.HarnessConfig]):
    """Sends the messages to the model in this process; the built-in harness `null` does so in a program of its own."""

    APPENDS_SYSTEM_PROMPT = SUPPORTS_RESUME = True
    EXECUTES_CODE = NEEDS_CONTAINER = False

    async def launch(
        self,
        ctx: vf.ModelContext,
        trace: vf.Trace,
        runtime: vf.Runtime,
        endpoint: str,
        secret: str,
        mcp_urls: dict[str, str],
        data: vf.TaskData,
    ) -> vf.ProgramResult:
        """Ask the model once."""
        system, prompt = self.resolve_prompt(data)
        asked = [{"role": "user", "content": prompt}] if isinstance(prompt, str) else map(message_to_wire, prompt)
        messages = [*([{"role": "system", "content": system}] if system else []), *asked]
        async with AsyncOpenAI(base_url=endpoint, api_key=secret) as client:
            await client.chat.completions.create(model=ctx.model, messages=messages)
        return vf.ProgramResult(0, "", "")


class StandIn(BaseHTTPRequestHandler):
    """An endpoint that answers with the first legal word, or that a Bank stood on every lot."""

    def do_POST(self) -> None:
        """Answer a request of the chat protocol."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        text = asked["messages"][-1]["content"]
        words = text.partition("Legal words:\n")[2].split()
        said = words[0] if words else "\n".join(f"{lot}: Bank" for lot in range(1, 17))
        choice = {"index": 0, "message": {"role": "assistant", "content": said}, "finish_reason": "stop"}
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        answer = {"id": "1", "object": "chat.completion", "created": 0, "model": "stand-in", "usage": usage}
        body = json.dumps({**answer, "choices": [choice]}).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: Any) -> None:
        """Print nothing."""


async def evaluate(settings: dict[str, Any], url: str) -> list[vf.Episode]:
    """Run all tasks of the task set with a model behind an endpoint."""
    agent = {"harness": {"id": ID}, "runtime": {"type": "subprocess"}}
    env = vf.load_environment(vf.resolve_env_config({"taskset": {"id": ID, **settings}, "agent": agent}))
    client = vf.EvalClientConfig(base_url=url, api_key_var="NO_KEY")
    context = vf.ModelContext(model="stand-in", client=client, sampling=vf.SamplingConfig())
    async with env.serving():
        return [await env.run_episode(task, context) for task in env.taskset]


def main(
    game: GameName = "oddville",
    opponents: Opponents = "greedy",
    puzzles: Annotated[int, typer.Option(help="Number of puzzles.")] = 2,
    games: Annotated[int, typer.Option(help="Number of games.")] = 1,
    seed: Seed = 0,
) -> None:
    """Evaluate a stand-in."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), StandIn)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    settings = {"puzzles": puzzles, "games": games, "game": game, "opponent": opponents, "seed": seed}
    for episode in asyncio.run(evaluate(settings, f"http://127.0.0.1:{server.server_port}/v1")):
        (trace,) = episode.traces
        rewards = ", ".join(f"{name} {reward.score:.2f}" for name, reward in trace.rewards.items())
        errors = " ".join(error.message for error in [*episode.errors, *trace.errors])
        typer.echo(f"{trace.num_turns} turns, {rewards}{errors}")
    server.shutdown()


if __name__ == "__main__":
    typer.run(main)
