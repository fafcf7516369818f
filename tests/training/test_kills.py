"""A killed command loses nothing: given again, it ends as if nothing had happened. One process works in a folder."""

import builtins
import io
import json
import os
import re
import shutil
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import pytest

pytest.importorskip("sb3_contrib", reason="training needs the extra train")
pytest.importorskip("polars", reason="tournaments need the extra tournament")

from oddville_agents.oddville.policy import Sizes
from oddville_env.core.disk import files
from oddville_env.core.disk.locks import alone_in
from oddville_env.core.errors import GameError
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oldtown.game_type import OLDTOWN
from oddville_training.learning.imitation import data_set, fit
from oddville_training.learning.run_folder import saved_config
from oddville_training.learning.train import train
from oddville_training.oddville.selfplay.stages import run as selfplay
from oddville_training.oldtown.selfplay.stages import run as oldtown
from oddville_training.tournament.config import tournament_config
from oddville_training.tournament.store.results import read_results
from oddville_training.work.pools import here as in_this_process
from support.training.small_runs import TINY
from support.training.tournaments import TIMES
from support.training.tournaments import run as play

GONE = 2**22 + 1  # no process has such a number
TENSORBOARD = "tensorboard"  # its files bear the time, and it forgives whatever is cut off


class Command(NamedTuple):
    """A command in a folder, first and after a kill; what must be the same then, and its least operations on files."""

    begin: Callable[[Path], object]
    go_on: Callable[[Path], object]
    summary: Callable[[Path], object]
    least: int


def hashes(folder: Path) -> dict[str, str]:
    """All files with hashes of what they hold, times left out."""
    found = {}
    for path in sorted(path for path in folder.rglob("*") if path.is_file() and TENSORBOARD not in path.parts):
        plain = path.read_bytes()
        if path.suffix == ".json":
            told = json.loads(plain)
            plain = json.dumps({name: told[name] for name in told if "seconds" not in name}).encode()
        found[str(path.relative_to(folder))] = sha256(plain).hexdigest()
    return found


def games_of(folder: Path) -> tuple[str, bytes]:
    return read_results(folder).drop(TIMES).write_csv(), (folder / "games.jsonl.gz").read_bytes()


def tournament(folder: Path) -> None:
    play(str(folder), tournament_config(["random", "greedy"], [2], 3, moves=True))


def imitate(folder: Path, *numbers: int) -> None:
    for games in numbers or (5,):
        asked = data_set.DataSetSpec("random", games=games)
        data_set.make(folder, asked, in_this_process, progress=False)
        fit.fit(folder, fit.Imitate(epochs=1), Sizes(4, 4, 8), progress=False)


COMMANDS = {
    "tournament": Command(tournament, tournament, games_of, 25),
    "ppo": Command(
        lambda folder: train(TINY, folder, progress=False),
        lambda folder: train(saved_config(folder), folder, resume=True, progress=False),
        hashes,
        20,
    ),
    "imitate": Command(lambda folder: imitate(folder, 2, 5), imitate, hashes, 20),
}


def copy_before_operations(folder: Path, copies: Path, patch: pytest.MonkeyPatch) -> list[str]:
    """The list of operations on files of the folder, which grows; what a kill before each one leaves is copied."""
    noted: list[str] = []

    def watch(module: Any, name: str) -> None:
        work = getattr(module, name)

        def noting(path: Any, *how: Any, **more: Any) -> Any:
            asked = (*how, *more.values(), "r")[0]
            reads = name == "open" and not (
                asked & ~os.O_CLOEXEC if isinstance(asked, int) else set(asked) & set("wax+")
            )
            if not reads and str(path).startswith(str(folder)) and TENSORBOARD not in str(path):
                noted.append(f"{name} {path}")
                if folder.exists():
                    shutil.copytree(folder, copies / str(len(noted)))
            return work(path, *how, **more)

        patch.setattr(module, name, noting)

    for module in (builtins, io, os):
        watch(module, "open")
    for name in ("rename", "replace", "remove", "unlink", "mkdir", "rmdir", "truncate"):
        watch(os, name)
    patch.setattr(files, "unfinished_name", lambda path, name=files.unfinished_name: name(path, GONE))
    return noted


def one_of_each_kind(operations: list[str]) -> list[int]:
    """The numbers, from 1, of the last operation of each kind, where files differ by numbers alone."""
    return sorted({re.sub(r"\d+", "#", each): number for number, each in enumerate(operations, 1)}.values())


@pytest.mark.parametrize("name", ["tournament", pytest.param("ppo", marks=pytest.mark.slow), "imitate"])
@pytest.mark.parametrize("everywhere", [False, pytest.param(True, marks=pytest.mark.slow)], ids=["some", "all"])
def test_kill_before_an_operation_on_files_loses_nothing(
    name: str, everywhere: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(data_set, "SHARD", 4)
    command, folder, copies = COMMANDS[name], tmp_path / "run", tmp_path / "copies"
    with monkeypatch.context() as patch:
        operations = copy_before_operations(folder, copies, patch)
        command.begin(folder)
    expected, names = command.summary(folder), {path.name for path in folder.iterdir()}
    assert len(operations) >= command.least
    folder.rename(copies / "0")
    for number in (*(range(1, len(operations) + 1) if everywhere else one_of_each_kind(operations)), 0):
        shutil.rmtree(folder, ignore_errors=True)
        if (copies / str(number)).exists():
            (copies / str(number)).rename(folder)
        try:
            command.go_on(folder)
        except GameError as error:
            if "begin" not in str(error) and "there is no file" not in str(error):
                raise
            command.begin(folder)
        assert command.summary(folder) == expected, f"after a kill before operation {number}"
        assert {path.name for path in folder.iterdir()} == names
        assert not list(folder.rglob(".*"))


def shared(command: str, folder: Path) -> None:
    {
        "ppo": lambda: train(TINY, folder, progress=False),
        "selfplay": lambda: selfplay(ODDVILLE, folder, {"workers": 1}, False, None),
        "oldtown": lambda: oldtown(OLDTOWN, folder, {"workers": 1}, False, None),
        "imitate": lambda: imitate(folder, 2),
    }[command]()


@pytest.mark.parametrize("command", ["ppo", "selfplay", "oldtown", "imitate"])
def test_two_runs_in_one_folder_do_not_mix(command: str, tmp_path: Path) -> None:
    with (
        alone_in(tmp_path / "run", GameError),
        pytest.raises(GameError, match=r"another process is at work in .*run: wait for it, or end it"),
    ):
        shared(command, tmp_path / "run")
    assert not (tmp_path / "run").exists()
