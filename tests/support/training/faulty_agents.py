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


class Raises(First):
    def act(self, view):
        raise ValueError("no [red]idea[/]\x1b")


class Cheats(First):
    def act(self, view):
        return 471


class BeyondAll(First):
    def act(self, view):
        return 10**30


class BelowAll(First):
    def act(self, view):
        return -7


class Mute(First):
    def act(self, view):
        return None


class Fraction(First):
    def act(self, view):
        return 0.5


class Wordy(First):
    def act(self, view):
        sys.stderr = open(os.devnull, "w")  # noqa: SIM115  (it must not be closed)
        raise ValueError("shape mismatch\n  in layer 3\n")


class Wordless(First):
    def act(self, view):
        raise ValueError


class Talks(First):
    def act(self, view):
        while True:
            os.write(1, b"and " * 1000)


class Leaves(First):
    def act(self, view):
        os._exit(1)


class LeavesWord(First):
    def act(self, view):
        os.write(2, b"no licence\n")
        os._exit(1)


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


class Starts(First):
    def reset(self, seat, players, seed):
        with open("started", "a") as file:
            print(subprocess.Popen(["sleep", "1000"]).pid, file=file)


class Hangs(First):
    def act(self, view):
        time.sleep(1000)


class StartsAndHangs(Starts, Hangs):
    pass


class Eats(First):
    def act(self, view):
        self.full = [np.ones(10**7) for _ in range(10**5)]


class Exits(First):
    def act(self, view):
        os._exit(5)


class Dies(First):
    def act(self, view):
        os.kill(os.getpid(), signal.SIGSEGV)


class Closes(First):
    def act(self, view):
        os.closerange(3, 100)
        time.sleep(1000)


class Kills(First):
    def act(self, view):
        try:
            open("killed", "x").close()
        except FileExistsError:
            return int(view.mask.argmax())
        os.kill(worker(), signal.SIGKILL)
        time.sleep(1000)


class KillsItsWorker(First):
    def act(self, view):
        os.kill(worker(), signal.SIGKILL)
        time.sleep(1000)


class KillsItsParent(First):
    def act(self, view):
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(1000)


class Leaves0(First):
    def act(self, view):
        sys.exit(0)


class Interrupts(First):
    def act(self, view):
        raise KeyboardInterrupt


class Recurses(First):
    def act(self, view):
        return self.act(view)


class WritesBytes(First):
    def act(self, view):
        for pipe in pipes():
            os.write(pipe, b"\xff" * 5000)
        return int(view.mask.argmax())


class WritesAnswers(First):
    def act(self, view):
        for pipe in pipes():
            os.write(pipe, struct.pack("<qq800s", 0, 2**62, b""))
        return int(view.mask.argmax())


class WritesMoves(First):
    asked = 0

    def reset(self, seat, players, seed):
        type(self).asked += 1

    def act(self, view):
        type(self).asked += 1
        for pipe in pipes():
            os.write(pipe, struct.pack("<qq800s", self.asked, 2**62, b""))
        time.sleep(1000)


class Forks(First):
    def act(self, view):
        os.fork()
        return int(view.mask.argmax())


class Threads(First):
    def reset(self, seat, players, seed):
        threading.Thread(target=time.sleep, args=(1000,)).start()


class Truth(First):
    def act(self, view):
        return True


class Number(First):
    def act(self, view):
        return "5"


class Rounds(First):
    def act(self, view):
        return 5.0


class NumpyNumber(First):
    def act(self, view):
        return view.mask.argmax()


class Listed(First):
    def act(self, view):
        return [5]


class Binary(First):
    def act(self, view):
        os.write(1, b"\xff\xfe" * 10)
        os.write(2, b"\xff\xfe" * 10)
        return int(view.mask.argmax())


class Unspeakable(First):
    def act(self, view):
        class OddError(Exception):
            def __str__(self):
                raise ValueError("no words")

        raise OddError


class Surrogate(First):
    def act(self, view):
        raise ValueError("\ud800")


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


def worker():
    """The process that has started this one's parent."""
    with open(f"/proc/{os.getppid()}/stat") as file:
        return int(file.read().rpartition(")")[2].split()[1])


class BadStart(First):
    def reset(self, seat, players, seed):
        raise RuntimeError("not today")
