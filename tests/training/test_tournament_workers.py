"""Workers in processes and on a cluster: those that die are replaced."""

import subprocess
import sys
from pathlib import Path

import pytest

from oddville_agents import AgentError
from oddville_env.core.errors import SettingError
from oddville_training.tournament import executors, tournament
from oddville_training.tournament.config import tournament_config
from oddville_training.tournament.executors import Executor
from oddville_training.work.pools import Job, ProcessPool, WorkerError
from support.training.tournaments import run, same, unwatched

pytestmark = pytest.mark.usefixtures("here", "forked")


def test_a_finished_run_is_left_as_it_is() -> None:
    config = tournament_config(["random", "greedy"], [2], 5, moves=True)
    run("a", config)
    before = {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in Path("a").iterdir()}
    run("a", config)
    assert {path: (path.stat().st_mtime_ns, path.read_bytes()) for path in Path("a").iterdir()} == before


# Workers


def test_a_worker_that_is_killed_is_replaced_and_its_work_done_again() -> None:
    config = tournament_config(["random", "greedy"], [2], 40)
    alone = run("a", config)

    class Loses(ProcessPool):
        lost = False

        def submit(self, job: Job, losses: int = 0) -> None:
            super().submit(job, losses)
            if not self.lost and job.arguments[-1].blocks[0] > 1:
                Loses.lost = True
                next(iter(self._busy.values()))[0].process.kill()

    tournament.run(config, Path("b"), lambda config: Executor(config, Loses(2)), unwatched)
    assert Loses.lost
    assert same(tournament.read_results(Path("b")), alone)


def test_a_cluster_that_does_not_answer_is_told() -> None:
    pytest.importorskip("ray", reason="Ray is not installed: pip install 'oddville-env[ray]'")
    with pytest.raises(WorkerError, match="there is no cluster at nowhere that could be used"):
        executors.on_ray(address="nowhere")(tournament_config(["random", "greedy"]))


def test_ray_that_is_not_installed_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "ray", None)
    with pytest.raises(SettingError, match=r"Ray needs the extra ray: pip install 'oddville-env\[ray\]'"):
        executors.on_ray()


def test_workers_that_die_again_and_again_end_the_run() -> None:
    class Loses(ProcessPool):
        def submit(self, job: Job, losses: int = 0) -> None:
            super().submit(job, losses)
            for worker, _, _ in self._busy.values():
                worker.process.kill()

    with pytest.raises(WorkerError, match="4 workers died one after the other, the last with exit code -9"):
        tournament.run(
            tournament_config(["random", "greedy"], [2], 4),
            Path("a"),
            lambda config: Executor(config, Loses(2)),
            unwatched,
        )


ENDED_IN_A_DEL = """
import os, signal
from oddville_training.work import pools

class Ends:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGTERM)
        print("still here")

class Pipe:
    def recv(self):
        Ends()
        print("and here")
        raise EOFError

    def send(self, played):
        pass

pools.ENDINGS.append(lambda: print("closed", flush=True))
pools.work(Pipe())
"""


def test_a_worker_that_is_ended_says_nothing_and_leaves_nothing_behind() -> None:
    words = [sys.executable, "-c", ENDED_IN_A_DEL]
    done = subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "closed\n", "")


def test_a_mistake_in_a_worker_is_told() -> None:
    run("a", tournament_config(["random", "./mine.py:First"], [2], 2), workers=2)
    with pytest.raises(AgentError, match="no agent is called 'nobody'"):
        run("b", tournament_config(["random", "nobody"], [2], 2), workers=2)
