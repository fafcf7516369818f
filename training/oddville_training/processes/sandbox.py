"""A player for external agents: the agent lives in a process of its own, which can be ended at any time."""

import os
import pickle
import select
import signal
import subprocess
import sys
from contextlib import suppress
from hashlib import sha256
from time import monotonic
from typing import Any

import numpy as np

from oddville_agents.player import OUT_OF_MEMORY, AgentError, AgentFaultError, one_line
from oddville_env.core.compiled.arrays import copied
from oddville_env.core.game.game_type import GameType
from oddville_env.core.game.view import View
from oddville_env.core.system.processes import python
from oddville_training.processes.sandboxed import ANSWER, ASKED, BEGIN, FAILED, MOVE, SIZE, Setup, warm_up

START_S = 120.0  # seconds until an agent must have been loaded
LAST_GASP_S = 2.0  # until a process that answers no more has ended by itself
MOST_TALK, MOST_READS = 2**16, 16  # bytes that are read at once of what a process writes, and how often
TAIL = 4096  # bytes that are kept of it, to look for the reason of a failure
INTRUDED = "raised: it wrote into the pipe to the game"
SIGNS_OF_MEMORY = ("MemoryError", "bad_alloc", "out of memory", "Cannot allocate memory", "LLVM ERROR")


class Sandbox:
    """An agent that is loaded in a process with a limit of time for each move and a limit of memory.

    The process gets states in which what cannot be known has been dealt anew, and answers with whole numbers or with
    why it cannot. It is started when it is needed, and anew after it had to be ended.
    """

    def __init__(self, spec: str, game: GameType, settings: Any, limit_s: float, memory_mb: int) -> None:
        """settings: of the game, with any number of players; limit_s: for a move."""
        self._spec, self._limit_s = spec, limit_s
        self._setup = Setup(spec, game, settings, memory_mb, sys.path)
        self._process: subprocess.Popen[bytes] | None = None
        self._seed = self._moves = 0

    def begin(self, seat: int, players: int, seed: int) -> None:
        """A game begins; the process is started if there is none. Raises AgentFaultError."""
        if self._process is None:
            try:
                self.start()
            except AgentError as error:
                raise self._fault(one_line(f"raised: {error}")) from None
        self._seed, self._moves = seed, 0
        self._ask(BEGIN + ASKED.pack(seat, players, one_way_seed("agent", seed)))

    def move(self, view: View) -> int:
        """The agent's move; it gets a state with all that its seat cannot know dealt anew. Raises AgentFaultError."""
        self._moves += 1
        state, seed = copied(view.state), one_way_seed("sample", self._seed, self._moves)
        view.game_type.entries.sample_unseen(view.box.record, state, 0, view.seat, np.uint64(seed))
        action = self._ask(MOVE + state.tobytes())
        if not (0 <= action < len(view.mask) and view.mask[action]):  # the process checks what the agent answers
            raise self._lost(INTRUDED)
        return action

    @property
    def is_open(self) -> bool:
        """There is a process."""
        return self._process is not None

    def start(self) -> str:
        """Start the process and wait until the agent is loaded; returns the agent's version. Raises AgentError."""
        if not hasattr(os, "fork"):
            raise AgentError(
                f"agent {self._spec!r} runs its own code, which needs a supervised process: use Linux or macOS"
            )
        asked, self._questions = os.pipe()
        os.set_blocking(self._questions, False)
        self._answers, answers = os.pipe()
        self._talk, talk = os.pipe()
        self._open, self._said, self._number = [self._answers, self._talk], b"", 0
        self._process = subprocess.Popen(
            python("-m", "oddville_training.processes.sandboxed", str(asked), str(answers)),
            stdin=subprocess.DEVNULL,
            stdout=talk,
            stderr=talk,
            pass_fds=(asked, answers),
            start_new_session=True,
        )
        for pipe in (asked, answers, talk):
            os.close(pipe)
        setup = pickle.dumps(tuple(self._setup))
        try:
            self._write(SIZE.pack(len(setup)) + setup, START_S, "to be loaded")
            _, version = self._answer(START_S, "to be loaded")
        except AgentFaultError as fault:
            self.close()
            reason = fault.reason.removeprefix("raised: ").removeprefix(f"agent {self._spec!r}: ")
            raise AgentError(f"agent {self._spec!r}: {reason}") from None
        self._catch_up()
        self._said = b""  # what was said while it was loaded is no reason for what comes later
        return version

    def version(self) -> str:
        """The version that the agent names, once it is loaded; its process is ended then. Raises AgentError."""
        warm_up(self._setup.game, self._setup.settings)  # here, outside any time limit
        try:
            return self.start()
        finally:
            self.close()

    def close(self) -> None:
        """End the process, and whatever it has started."""
        if self._process is not None:
            with suppress(ProcessLookupError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
            self._process = None
            for pipe in (self._questions, self._answers, self._talk):
                os.close(pipe)

    def _ask(self, question: bytes) -> int:
        self._number += 1
        self._write(question, self._limit_s, "for a move")
        return self._answer(self._limit_s, "for a move")[0]

    def _write(self, question: bytes, limit_s: float, what: str) -> None:
        """Send a question; raises AgentFaultError where it is not read in time."""
        left, until = memoryview(question), monotonic() + limit_s
        try:
            while left:
                if not select.select([], [self._questions], [], max(until - monotonic(), 0))[1]:
                    raise self._lost(f"timed out: more than {limit_s:g} s {what}")
                left = left[os.write(self._questions, left) :]
        except BrokenPipeError:
            raise self._ended() from None

    def _answer(self, limit_s: float, what: str) -> tuple[int, str]:
        """The next answer, a whole number and words. Raises AgentFaultError."""
        question, number, packed = ANSWER.unpack(self._packed_answer(limit_s, what))
        words = one_line(packed.rstrip(b"\0").decode("utf-8", "replace"))
        if question != self._number:
            raise self._lost(INTRUDED)
        if number == FAILED:
            raise self._lost(words) if words == OUT_OF_MEMORY else self._fault(words)
        return number, words

    def _fault(self, reason: str) -> AgentFaultError:
        return AgentFaultError(self._spec, reason)

    def _lost(self, reason: str) -> AgentFaultError:
        """End the process; why the agent loses."""
        self.close()
        return self._fault(reason)

    def _packed_answer(self, limit_s: float, what: str) -> bytes:
        """The next answer as it comes; ends the process where none comes in time. Raises AgentFaultError."""
        answer, until = b"", monotonic() + limit_s
        while len(answer) < ANSWER.size:
            left = until - monotonic()
            ready = self._ready(max(left, 0))
            if self._answers in ready:
                part = os.read(self._answers, ANSWER.size - len(answer))
                if not part:
                    raise self._ended()
                answer += part
            elif ready and left > 0:
                self._listen()
            else:  # output without an answer counts as silence
                raise self._lost(f"timed out: more than {limit_s:g} s {what}")
        return answer

    def _ready(self, seconds: float) -> list[int]:
        """The pipes from the process in which there is something, or that it has just closed."""
        return select.select(self._open, [], [], seconds)[0]

    def _listen(self) -> None:
        """Read on in what the process writes, of which only the end is kept."""
        talk = os.read(self._talk, MOST_TALK)
        self._said = (self._said + talk)[-TAIL:]
        if not talk:
            self._open.remove(self._talk)

    def _ended(self) -> AgentFaultError:
        assert self._process is not None
        with suppress(subprocess.TimeoutExpired):  # it may have closed its pipe, and live on
            self._process.wait(LAST_GASP_S)
        self._catch_up()
        lines = [line for line in self._said.decode("utf-8", "replace").split("\n") if line.strip()]
        code, said = self._process.poll(), lines[-1] if lines else ""
        self.close()
        if code is None:
            return self._fault("raised: it closed the pipe to the game")
        if any(sign in said for sign in SIGNS_OF_MEMORY):
            return self._fault(OUT_OF_MEMORY)
        how = f"its process was ended by signal {-code}" if code < 0 else f"its process ended with code {code}"
        return self._fault(one_line(f"raised: {how}, its last words: {said}" if said else f"raised: {how}"))

    def _catch_up(self) -> None:
        """Read what the process has written so far."""
        for _ in range(MOST_READS):
            if self._talk in self._ready(0):
                self._listen()


def one_way_seed(use: str, *numbers: int) -> int:
    """A seed derived one-way from numbers: the seed of a deal would reveal its whole deck."""
    return int.from_bytes(sha256(repr((use, *numbers)).encode()).digest()[:8], "little")
