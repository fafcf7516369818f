"""The process of an external agent: `python -m oddville_training.processes.sandboxed` PIPES.

It is told where a game begins and is asked for moves. It answers with whole numbers, or with a line that says why it
cannot. It never gets the true game: everything hidden has been dealt anew in its states.

The agent itself lives in a child of this process, which ends as its child ends: an agent that ends its parent ends
itself, and the tournament hears of it.
"""

import ctypes
import os
import pickle
import signal
import struct
import sys
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import IO, Any, NamedTuple

import numpy as np

from oddville_agents import AgentError, make_agent
from oddville_agents.player import LONGEST_REASON, AgentFaultError, Player, one_line, reason_of
from oddville_env.core.game.game_type import GameType
from oddville_env.core.game.view import View
from oddville_env.core.system.interrupts import listening
from oddville_env.envs.live_game import LiveGame

SIZE = struct.Struct("<Q")  # of what follows: the values of a Setup, pickled
BEGIN, MOVE = b"B", b"M"
ASKED = struct.Struct("<qqQ")  # behind BEGIN: seat, players, seed; behind MOVE: a state
ANSWER = struct.Struct(f"<qq{4 * LONGEST_REASON}s")
"""The question's number; a move, DONE or FAILED; then words: a version, or the reason."""
DONE, FAILED = 0, -1
MEGABYTE = 2**20
DIE_WITH_PARENT = 1  # prctl's PR_SET_PDEATHSIG


class Setup(NamedTuple):
    """The setup of the process: the agent, and the settings of its games."""

    spec: str
    game: GameType
    settings: Any
    memory_mb: int
    path: list[str]
    """The folders of modules, behind those of this process."""


def main(asked: int, answers: int) -> None:
    """Let a child load the agent and answer, and end as it ends; asked and answers are pipes."""
    die_with_parent()
    limit("RLIMIT_CORE", 0)  # no picture of the memory on disk when this process or a child dies
    child = os.fork()
    if child == 0:
        serve(asked, answers)
        return
    for pipe in (asked, answers):
        os.close(pipe)
    _, status = os.waitpid(child, 0)
    code = os.waitstatus_to_exitcode(status)
    if code < 0:
        with suppress(OSError):  # some signals cannot be left to the system, as they already are
            signal.signal(-code, signal.SIG_DFL)
        os.kill(os.getpid(), -code)
    os._exit(code)


def serve(asked: int, answers: int) -> None:
    """Load the agent, and answer until the pipe closes.

    Reasons go through the pipe too: what the agent prints, and where to, is its own affair. A process that the agent
    made of this one (by fork) does not answer.
    """
    for pipe in (asked, answers):
        os.set_inheritable(pipe, False)
    die_with_parent()
    questions = os.fdopen(asked, "rb")
    setup = Setup(*pickle.loads(questions.read(*SIZE.unpack(questions.read(SIZE.size)))))
    sys.path += [folder for folder in setup.path if folder not in sys.path]
    limit("RLIMIT_DATA", setup.memory_mb * MEGABYTE)
    agent, own, number = SandboxedAgent(setup, questions), os.getpid(), 0
    with listening():
        os.write(answers, answered(number, agent.load))
        while kind := questions.read(1):
            number += 1
            answer = answered(number, agent.begin if kind == BEGIN else agent.move)
            if os.getpid() != own:
                os._exit(0)
            os.write(answers, answer)


class SandboxedAgent:
    """An agent and what it is asked; every answer is a whole number and words."""

    def __init__(self, setup: Setup, questions: IO[bytes]) -> None:
        self._setup, self._questions = setup, questions

    def load(self) -> tuple[int, str]:
        """Load the agent; the words are its version."""
        setup = self._setup
        try:
            self._player = Player(make_agent(setup.spec, setup.game.name))
        except AgentError as error:
            raise AgentFaultError(setup.spec, str(error)) from None
        warm_up(setup.game, setup.settings)
        return DONE, one_line(str(self._player.agent.version))

    def begin(self) -> tuple[int, str]:
        """Tell the agent that a game begins; what its `reset` returns means nothing."""
        seat, players, seed = ASKED.unpack(self._questions.read(ASKED.size))
        self._box = self._setup.game.box(replace(self._setup.settings, players=players))
        self._player.begin(seat, players, seed)
        return DONE, ""

    def move(self) -> tuple[int, str]:
        """The agent's move in the state that follows."""
        game, box = self._setup.game, self._box
        states = np.frombuffer(bytearray(self._questions.read(box.games.itemsize)), box.games)
        mask = np.zeros(box.layout.size, np.bool_)
        game.entries.legal(box.record, states, 0, mask)
        return self._player.move(View(game, box, states, 0, mask)), ""


def answered(question: int, ask: Callable[[], tuple[int, str]]) -> bytes:
    """The answer to a question by its number, or why there is none, as it goes through the pipe."""
    try:
        number, words = ask()
    except AgentFaultError as fault:
        number, words = FAILED, one_line(fault.reason)
    except BaseException as error:
        number, words = FAILED, reason_of(error)
    return ANSWER.pack(question, number, words.encode())


def warm_up(game: GameType, settings: Any) -> None:
    """Load the compiled rules, which no agent's clock should have to pay for."""
    live = LiveGame(game, game.box(settings))
    live.deal(0)
    view = live.view()
    for encoding in game.encodings:
        view.observation(encoding)
    view.game().push(int(view.actions[0]))


def die_with_parent(by: int | None = None) -> None:
    """On Linux, end this process by a signal when the one that started it is gone: by SIGKILL."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(DIE_WITH_PARENT, signal.SIGKILL if by is None else by)


def limit(what: str, size: int) -> None:
    """Let this process and its children have at most so many bytes of a resource, such as `RLIMIT_DATA`."""
    import resource  # not every system has it

    resource.setrlimit(getattr(resource, what), (size, size))


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))
