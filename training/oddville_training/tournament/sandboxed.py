"""The process that an agent of somebody else lives in: `python -m oddville_training.tournament.sandboxed SETTINGS`.

It is told where a game begins and is asked for moves. It answers with whole numbers, or with a line that says why it
cannot. It never meets the true game: what nobody can know has been dealt anew in the state that it gets.

The agent itself lives in a child of this process, which ends as its child ends: an agent that ends its parent ends
itself, and the tournament hears of it.
"""

import ctypes
import json
import os
import resource
import signal
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import IO, Any, get_args

import numpy as np

from oddville_agents import AgentError, make_agent
from oddville_agents.player import LONGEST_REASON, AgentFaultError, Player, one_line, reason_of
from oddville_env.core.view import View
from oddville_env.oddville.game import Game
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oddville.observation import Encoding, make_encoder, observe
from oddville_env.oddville.rules import batch
from oddville_env.oddville.settings import make_box

BEGIN, MOVE = b"B", b"M"
ASKED = struct.Struct("<qqQ")  # behind BEGIN: seat, players, seed; behind MOVE: a state
ANSWER = struct.Struct(f"<qq{4 * LONGEST_REASON}s")
"""The question's number; a move, DONE or FAILED; then words: a version, or the reason."""
DONE, FAILED = 0, -1
MEGABYTE = 2**20
DIE_WITH_PARENT = 1  # prctl's PR_SET_PDEATHSIG


def main(settings: dict[str, Any]) -> None:
    """Let a child load the agent and answer, and end as it ends."""
    die_with_parent()
    no_core_dumps()
    child = os.fork()
    if child == 0:
        serve(settings)
        return
    for pipe in (settings["asked"], settings["answers"]):
        os.close(pipe)
    _, status = os.waitpid(child, 0)
    end_as(os.waitstatus_to_exitcode(status))


def serve(settings: dict[str, Any]) -> None:
    """Load the agent, and answer until nobody asks any more.

    Reasons go through the pipe too: what the agent prints, and where to, is its own affair. A process that the agent
    made of this one (by fork) does not answer.
    """
    asked, answers = os.fdopen(settings["asked"], "rb"), settings["answers"]
    for pipe in (asked.fileno(), answers):
        os.set_inheritable(pipe, False)
    die_with_parent()
    limit_memory(settings["memory_mb"] * MEGABYTE)
    agent, own, number = SandboxedAgent(settings, asked), os.getpid(), 0
    os.write(answers, answered(number, agent.load))
    while kind := asked.read(1):
        number += 1
        answer = answered(number, agent.begin if kind == BEGIN else agent.move)
        if os.getpid() != own:
            os._exit(0)
        os.write(answers, answer)


def end_as(code: int) -> None:
    """End this process by the exit code of another one, or by the signal that ended it."""
    if code < 0:
        with suppress(OSError):  # some signals cannot be left to the system, as they already are
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


class SandboxedAgent:
    """An agent and what it is asked; every answer is a whole number and words."""

    def __init__(self, settings: dict[str, Any], asked: IO[bytes]) -> None:
        self._settings, self._asked = settings, asked

    def load(self) -> tuple[int, str]:
        """Load the agent; the words are its version."""
        spec = self._settings["spec"]
        try:
            self._player = Player(make_agent(spec))
        except AgentError as error:
            raise AgentFaultError(spec, str(error)) from None
        warm_up()
        return DONE, one_line(str(self._player.agent.version))

    def begin(self) -> tuple[int, str]:
        """Tell the agent that a game begins; what its `reset` returns means nothing."""
        seat, self._players, seed = ASKED.unpack(self._asked.read(ASKED.size))
        self._player.begin(seat, self._players, seed)
        return DONE, ""

    def move(self) -> tuple[int, str]:
        """The agent's move in the state that follows."""
        told = self._settings
        box = make_box(self._players, told["table"], told["max_rounds"], told["cards"])
        games = np.frombuffer(bytearray(self._asked.read(box.games.itemsize)), box.games)
        mask = np.zeros(box.layout.size, np.bool_)
        batch.legal(box.record, games, 0, mask)
        return self._player.move(View(ODDVILLE, box, games, 0, mask)), ""


def answered(question: int, ask: Callable[[], tuple[int, str]]) -> bytes:
    """The answer to a question by its number, or why there is none, as it goes through the pipe."""
    try:
        number, words = ask()
    except AgentFaultError as fault:
        number, words = FAILED, one_line(fault.reason)
    except BaseException as error:
        number, words = FAILED, reason_of(error)
    return ANSWER.pack(question, number, words.encode())


def warm_up() -> None:
    """Load the compiled rules, which no agent's clock should have to pay for."""
    game = Game(seed=0)
    game.push(int(game.mask.argmax()))
    for encoding in get_args(Encoding):
        encoder = make_encoder(game.box, encoding)
        observe(game.box, game.state, 0, 0, encoding, np.zeros(encoder.size, np.uint8))
    game.sample_unseen(None, np.random.default_rng(0))


def die_with_parent(by: int = signal.SIGKILL) -> None:
    """Where the system can (Linux), end this process by a signal when the one that started it is gone."""
    prctl = getattr(ctypes.CDLL(None), "prctl", None)
    if prctl is not None:
        prctl(DIE_WITH_PARENT, by)


def limit_memory(size: int) -> None:
    """No more bytes of data than these."""
    resource.setrlimit(resource.RLIMIT_DATA, (size, size))


def no_core_dumps() -> None:
    """No picture of the memory on disk when this process or a child dies."""
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


if __name__ == "__main__":
    main(json.loads(sys.argv[1]))
