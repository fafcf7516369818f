"""The process that an agent of somebody else lives in: `python -m oddville_training.guest SETTINGS`.

It is told where a game begins, is asked for moves, and answers nothing but whole numbers. It never meets the true game:
what nobody can know has been dealt anew in the state that it gets.
"""

import ctypes
import json
import os
import signal
import struct
import sys
import traceback
from collections.abc import Callable
from typing import IO, Any, get_args

import numpy as np

from oddville_agents import Agent, AgentError, make_agent
from oddville_env.game import Game
from oddville_env.observation import Encoding, make_encoder, observe
from oddville_env.rules import batch
from oddville_env.settings import make_box

BEGIN, MOVE = b"B", b"M"
ASKED = struct.Struct("<qqQ")  # behind BEGIN: seat, players, seed; behind MOVE: a state
ANSWER = struct.Struct("<q")
DONE, NO_MOVE, RAISED, OUT_OF_MEMORY = 0, -1, -2, -3
LARGEST = 2**63  # no answer may be so large
MEGABYTE = 2**20
DIE_WITH_PARENT = 1  # prctl's PR_SET_PDEATHSIG


def main(settings: dict[str, Any]) -> None:
    """Load the agent, and answer until nobody asks any more."""
    asked, answers = os.fdopen(settings["asked"], "rb"), settings["answers"]
    for pipe in (asked.fileno(), answers):
        os.set_inheritable(pipe, False)
    die_with_parent()
    limit_memory(settings["memory_mb"] * MEGABYTE)
    try:
        agent = make_agent(settings["spec"])
    except AgentError as error:
        sys.exit(str(error))
    warm_up()
    print(agent.version, flush=True)  # all that is ever read of what it writes is the last line
    os.write(answers, ANSWER.pack(DONE))
    players = 0
    while kind := asked.read(1):
        if kind == BEGIN:
            seat, players, seed = ASKED.unpack(asked.read(ASKED.size))
            answer = guarded(agent.reset, seat, players, seed)
        else:
            answer = guarded(move, agent, settings, players, asked)
        os.write(answers, ANSWER.pack(answer))


def warm_up() -> None:
    """Load the compiled rules, which no agent's clock should have to pay for."""
    game = Game(seed=0)
    game.push(int(game.mask.argmax()))
    for encoding in get_args(Encoding):
        encoder = make_encoder(game.box, encoding)
        observe(game.box, game.state, 0, 0, encoding, np.zeros(encoder.size, np.uint8))
    game.sample_unseen(np.random.default_rng(0))


def move(agent: Agent, settings: dict[str, Any], players: int, asked: IO[bytes]) -> int:
    """The agent's move in the state that follows."""
    box = make_box(players, settings["table"], settings["max_rounds"], settings["cards"])
    games = np.frombuffer(bytearray(asked.read(box.games.itemsize)), box.games)
    mask = np.zeros(box.layout.size, np.bool_)
    batch.legal(box.record, games, 0, mask)
    return agent.act_on(box, games, 0, mask)


def guarded(ask: Callable[..., int | None], *told: Any) -> int:
    """What the agent says, or how it failed; the reason goes to the error output."""
    try:
        answer = ask(*told)
        return DONE if answer is None else int(answer) if 0 <= int(answer) < LARGEST else NO_MOVE
    except MemoryError:
        return OUT_OF_MEMORY
    except BaseException:
        traceback.print_exc()
        return RAISED


def die_with_parent() -> None:
    """Where the system can (Linux), end this process when the one that started it is gone."""
    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    if prctl is not None:
        prctl(DIE_WITH_PARENT, signal.SIGKILL)


def limit_memory(size: int) -> None:
    """No more bytes of data than these, and no picture of them on disk when the process dies."""
    import resource

    resource.setrlimit(resource.RLIMIT_DATA, (size, size))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
