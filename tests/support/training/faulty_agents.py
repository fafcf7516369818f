"""Agents that fail in every way that agents can, and some that only look as if they did."""

import fcntl
import os
import signal
import struct
import subprocess
import sys
import threading
import time

import numpy as np

from oddville_agents import Agent, GameAgent


class First(Agent):
    version = "7"

    def act(self, view):
        return int(view.mask.argmax())


class Thinker(GameAgent):
    def think(self, game):
        print("I talk" * 1000)
        return int(np.flatnonzero(game.mask)[-1])


def acting(do):
    return type("Acting", (First,), {"act": lambda self, view: do(view)})


def raising(error):
    """A class of agents that raise this."""

    def act(self, view):
        raise error

    return type("Raising", (First,), {"act": act})


def then(end):
    """A class of agents whose process waits, to be ended, behind this."""
    return acting(lambda view: (end(), time.sleep(1000)))


def doing(do):
    return acting(lambda view: (do(), int(view.mask.argmax()))[1])


Cheats = acting(lambda view: 471)
BeyondAll = acting(lambda view: 10**30)
Mute = acting(lambda view: None)
Truth = acting(lambda view: True)
Rounds = acting(lambda view: 5.0)
NumpyNumber = acting(lambda view: view.mask.argmax())
Raises = raising(ValueError("no [red]idea[/]\x1b"))
Wordless = raising(ValueError)
Surrogate = raising(ValueError("\ud800"))
Interrupts = raising(KeyboardInterrupt)
Leaves0 = raising(SystemExit(0))


class Wordy(First):
    def act(self, view):
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115  (it must not be closed)
        raise ValueError("shape mismatch\n  in layer 3\n")


class Unspeakable(First):
    def act(self, view):
        class OddError(Exception):
            def __str__(self):
                raise ValueError("no words")

        raise OddError


class Recurses(First):
    def act(self, view):
        return self.act(view)


class BadStart(First):
    def reset(self, seat, players, seed):
        raise RuntimeError("not today")


class ResetsToItself(First):
    def reset(self, seat, players, seed):
        return self


class InTurn(First):
    """Every game it is another one of these agents, in their order."""

    def __init__(self, names: str):
        self._left = names.split("+")

    def reset(self, seat, players, seed):
        self._now = globals()[self._left.pop(0)]()
        self._now.reset(seat, players, seed)

    def act(self, view):
        return self._now.act(view)


def worker():
    """The process that has started this one's parent."""
    with open(f"/proc/{os.getppid()}/stat") as file:
        return int(file.read().rpartition(")")[2].split()[1])


def pipes():
    """The pipes of this process that can be written into, but for the usual ones."""
    found = []
    for number in range(3, 64):
        try:
            if os.readlink(f"/proc/self/fd/{number}").startswith("pipe:") and fcntl.fcntl(number, fcntl.F_GETFL) & 1:
                found.append(number)
        except OSError:
            pass
    return found


Hangs = then(lambda: None)
Dies = then(lambda: os.kill(os.getpid(), signal.SIGSEGV))
Closes = then(lambda: os.closerange(3, 100))
KillsItsWorker = then(lambda: os.kill(worker(), signal.SIGKILL))
KillsItsParent = then(lambda: os.kill(os.getppid(), signal.SIGKILL))
LeavesWord = acting(lambda view: (os.write(2, b"no licence\n"), os._exit(1)))
Eats = acting(lambda view: [np.ones(10**7) for _ in range(10**5)])
Forks = doing(os.fork)
Binary = doing(lambda: [os.write(to, b"\xff\xfe" * 10) for to in (1, 2)])


class Talks(First):
    def act(self, view):
        while True:
            os.write(1, b"and " * 1000)


class Kills(First):
    def act(self, view):
        try:
            open("killed", "x").close()
        except FileExistsError:
            return int(view.mask.argmax())
        os.kill(worker(), signal.SIGKILL)
        time.sleep(1000)


class Starts(First):
    def reset(self, seat, players, seed):
        with open("started", "a") as file:
            print(subprocess.Popen(["sleep", "1000"]).pid, file=file)


class StartsAndHangs(Starts, Hangs):
    pass


class WritesAnswers(First):
    """Answers with the number of another question that it failed."""

    asked = 0

    def reset(self, seat, players, seed):
        type(self).asked += 1

    def act(self, view):
        type(self).asked += 1
        for pipe in pipes():
            os.write(pipe, struct.pack("<qq800s", *self.answer(), b""))
        return int(view.mask.argmax())

    def answer(self):
        return 0, -1


class WritesMoves(WritesAnswers):
    def answer(self):
        return self.asked, 2**62


class Threads(First):
    def reset(self, seat, players, seed):
        threading.Thread(target=time.sleep, args=(1000,)).start()
