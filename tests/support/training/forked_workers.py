"""Workers and sandboxes as forks of a process that is ready to play: for tests of what they do, not of how they start.

A start takes half a second of a processor. What the product starts is still met in the tests that run a program, in
sandboxes that a worker starts, and in those of Ray.
"""

import multiprocessing
import os
import signal
import subprocess
import sys
from functools import cache
from multiprocessing import forkserver, popen_forkserver
from multiprocessing.connection import Connection
from multiprocessing.forkserver import ForkServer
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from oddville_env.core.system.processes import variable
from oddville_training.processes import pools, sandbox, sandboxed

READY = "support.training.ready_to_play"  # the module that is loaded before the forks


@cache
def _server() -> ForkServer:
    """The process that forks, one for all tests of this one; `forked.py` has another, which holds far more."""
    server = ForkServer()
    server.set_forkserver_preload([READY])
    places = filter(None, (str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH")))
    with variable("PYTHONPATH", os.pathsep.join(places)):
        server.ensure_running()
    return server


def _connections() -> SimpleNamespace:
    """The server, as `popen_forkserver` asks for it."""
    return SimpleNamespace(connect_to_new_process=_server().connect_to_new_process, read_signed=forkserver.read_signed)


def patch_starts(patch: pytest.MonkeyPatch) -> None:
    """Let this process fork its workers and sandboxes."""
    patch.setattr(popen_forkserver, "forkserver", _connections())
    context = multiprocessing.get_context("forkserver")
    patch.setattr(pools, "multiprocessing", SimpleNamespace(get_context=lambda _: context))
    patch.setattr(sandbox, "subprocess", SimpleNamespace(**{**vars(subprocess), "Popen": ForkedSandbox}))


class Forked:
    """A fork that does some work, with what is needed of a `subprocess.Popen`."""

    def __init__(self, work: Any, *arguments: object) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(popen_forkserver, "forkserver", _connections())
            self._process = multiprocessing.get_context("forkserver").Process(target=work, args=arguments)
            self._process.start()
        multiprocessing.process._children.discard(self._process)  # who has to fail does not wait for it
        self.pid = self._process.pid

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        """Its exit code when it has ended. Raises TimeoutExpired."""
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired(READY, timeout or 0)
        return self._process.exitcode


class ForkedSandbox(Forked):
    """The process of a sandbox, given the words of a `subprocess.Popen`."""

    def __init__(self, _: object, *, stdout: int, pass_fds: tuple[int, int], **__: object) -> None:
        super().__init__(_serve, *(Connection(os.dup(number)) for number in (*pass_fds, stdout)))


def program(words: str) -> None:
    """The command line of OddVille, where it hears Ctrl-C."""
    from oddville_env.cli import main

    signal.signal(signal.SIGINT, signal.default_int_handler)
    sys.argv = ["oddville", *words.split()]
    main()


def _serve(asked: "Connection[Any, Any]", answers: "Connection[Any, Any]", talk: "Connection[Any, Any]") -> None:
    """What the fork does: it holds the files that a new process would."""
    os.setsid()
    nothing = os.open(os.devnull, os.O_RDONLY)
    for number, file in enumerate((nothing, talk.fileno(), talk.fileno())):
        os.dup2(file, number)
    for number in map(int, os.listdir("/proc/self/fd")):
        if number > 2 and number not in (asked.fileno(), answers.fileno()):
            try:
                os.close(number)
            except OSError:  # it was that of the list
                continue
    sandboxed.main(asked.fileno(), answers.fileno())
    os._exit(0)
