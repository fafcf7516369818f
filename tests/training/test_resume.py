"""Runs that are killed, interrupted, damaged or untrusted: given again, a command ends as if nothing had happened."""

import builtins
import io
import json
import os
import re
import shutil
import signal
from collections.abc import Callable
from dataclasses import replace
from hashlib import sha256
from math import inf, nan
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from oddville_agents import AgentError
from oddville_agents.oddville.policy import Sizes
from oddville_agents.policies.models import ModelError
from oddville_agents.spec import check_spec_from_file
from oddville_env.core.disk import files
from oddville_env.core.disk.locks import alone_in
from oddville_env.core.errors import GameError
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oldtown.game_type import OLDTOWN
from oddville_training.learning import data_set, imitation
from oddville_training.learning.config import TrainConfig, TrainError
from oddville_training.learning.learner import network_of
from oddville_training.learning.meter import ProgressMeter
from oddville_training.learning.run_folder import saved_config
from oddville_training.learning.train import Update, train
from oddville_training.learning.train import run as run_training
from oddville_training.oddville.selfplay.stages import run as selfplay
from oddville_training.oldtown.selfplay.stages import run as oldtown
from oddville_training.processes.pools import here as in_this_process
from oddville_training.tournament.config import tournament_config
from oddville_training.tournament.results import read_results
from support.training.small_runs import LAST, OLDTOWN_TINY, TINY, rewrite, rewrite_config, said
from support.training.small_selfplay import networks
from support.training.tournaments import TIMES
from support.training.tournaments import run as play

OWN_CODE = ("evil.py:Bot", "os:system:command=touch touched", "./model.zip", "evil.py:Bot:weights=x.safetensors")


@pytest.mark.parametrize("spec", OWN_CODE)
def test_run_against_external_agents_is_resumed_only_if_they_are_named(copy: Path, spec: str, workdir: Path) -> None:
    (workdir / "evil.py").write_text("open('touched', 'w')\nBot = lambda: None\n")
    rewrite_config(copy / LAST / "model.safetensors", opponents=[spec])
    with pytest.raises(AgentError, match=r"(?s)model\.json.*on the command line|on the command line.*model\.json"):
        saved_config(copy)
    assert saved_config(copy, [spec]).opponents == (spec,)
    with pytest.raises(TrainError, match="was trained against"):
        saved_config(copy, ["random"])
    assert not (workdir / "touched").exists()


def test_files_may_name_built_in_agents_and_models_of_weights_and_nothing_else() -> None:
    for spec in ("random", "greedy:weights=simple", "search:sims=5", "runs/a/model.safetensors"):
        assert check_spec_from_file(spec, Path("file.json")) == spec
    for other in (*OWN_CODE, "chat:model=a,url=http://b", "", None, ["random"], "mine:Bot", "x" * 10**5):
        with pytest.raises(AgentError, match=r"file\.json") as error:
            check_spec_from_file(other, Path("file.json"))
        assert len(str(error.value)) < 500


class Stop(BaseException):
    """A run that is killed."""


@pytest.mark.parametrize("tiny", [TINY, OLDTOWN_TINY], ids=lambda config: config.game.name)
def test_killed_run_resumes_to_same_weights(tiny: TrainConfig, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    config = replace(tiny, checkpoint=128, steps=384, opponents=("random", "greedy"))
    seen: dict[str, list[Update]] = {"whole": [], "killed": []}

    def kill(update: Update) -> None:
        seen["killed"].append(update)
        if update.steps == 192:
            raise Stop

    whole = train(config, tmp_path / "whole", progress=False, callback=seen["whole"].append)
    with pytest.raises(Stop):
        train(config, tmp_path / "killed", progress=False, callback=kill)
    stored = saved_config(tmp_path / "killed", game=config.game)
    again = train(stored, tmp_path / "killed", resume=True, progress=False, callback=seen["killed"].append)
    assert again.read_bytes() == whole.read_bytes()
    after = {name: [each[:2] for each in updates if each.steps > 128] for name, updates in seen.items()}
    assert after["killed"][1:] == after["whole"]


def test_saving_over_a_checkpoint_never_takes_it_away(copy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(path: Path, **_: object) -> None:
        assert path.name == ".unfinished"

    monkeypatch.setattr(shutil, "rmtree", refuse)
    before = networks(copy / LAST)
    train(TINY, copy, resume=True, progress=False)  # its limit of steps is reached already
    assert networks(copy / LAST) == before


def test_ctrl_c_saves_everything_is_returned_and_names_the_option_to_continue(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert not run_training(TINY, tmp_path / "whole", progress=False).interrupted
    monkeypatch.setattr(ProgressMeter, "show", lambda *_: signal.raise_signal(signal.SIGINT))
    trained = run_training(replace(TINY, steps=None), tmp_path / "run")
    assert trained.interrupted
    assert said(trained.model)["steps"] == 64  # one update
    assert "resume" in capsys.readouterr().err


def test_weights_that_diverge_end_a_run_and_are_not_saved(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from sb3_contrib import MaskablePPO

    def diverge(learner: MaskablePPO) -> None:
        network_of(learner).value.weight.data.fill_(np.nan)

    monkeypatch.setattr(MaskablePPO, "train", diverge)
    with pytest.raises(TrainError, match="diverged after 64 steps"):
        train(TINY, tmp_path / "run", progress=False)
    assert not list(tmp_path.rglob("model.*"))


WRONG_SETTINGS: dict[str, object] = {
    "seed": 2**32,
    "cards": 5,
    "players": 2.0,
    "opponents": ["random"] * 5,
    "network": {"card": -1, "cell": 4, "hidden": 8},
    "lives": 3,
}


def test_settings_that_are_none_are_told_in_a_sentence_with_their_file(copy: Path) -> None:
    model = copy / LAST / "model.safetensors"
    plain = said(model)["config"]
    for name, value in WRONG_SETTINGS.items():
        rewrite(model, config={**plain, name: value})
        with pytest.raises(TrainError, match=rf"model\.json: .*{'card' if name == 'network' else name}"):
            saved_config(copy)
    for number in (nan, inf):
        rewrite(model, config={**plain, "clip": number})
        with pytest.raises(GameError, match=r"model\.json"):
            saved_config(copy)
    for config in (None, [], {}):
        rewrite(model, config=config)
        with pytest.raises(TrainError, match="invalid settings"):
            saved_config(copy)
    for name, count in (("steps", -5), ("updates", 1.5), ("updates", True)):
        rewrite(model, **{"config": plain, "steps": 128, "updates": 2, name: count})
        with pytest.raises(ModelError, match=f"is damaged: {name}"):
            train(TINY, copy, resume=True, progress=False)


WRONG: dict[str, Callable[[torch.Tensor], torch.Tensor]] = {
    "NaN": lambda tensor: tensor * np.nan,
    "infinite": lambda tensor: tensor + np.inf,
    "float32 numbers, not complex64": lambda tensor: tensor.to(torch.complex64),
    "float32 numbers, not float64": lambda tensor: tensor.double(),
    "should be": lambda tensor: tensor.flatten()[:1],
    "is not within 0": lambda tensor: tensor - 1,
}


@pytest.mark.parametrize(
    ("name", "tensor"), [("model", ""), ("optimizer", "exp_avg/"), ("optimizer", "exp_avg_sq/"), ("games", "random")]
)
def test_tensors_that_are_no_numbers_are_refused(copy: Path, name: str, tensor: str) -> None:
    path = copy / LAST / f"{name}.safetensors"
    if name == "games":
        save_file({"random": torch.ones(4, 4)}, path)
    tensors = load_file(path)
    damaged = next(each for each in sorted(tensors) if each.startswith(tensor) and tensors[each].numel() > 1)
    for message, change in WRONG.items():
        if message == "is not within 0" and tensor != "exp_avg_sq/":
            continue
        save_file(tensors | {damaged: change(tensors[damaged]).contiguous()}, path)
        with pytest.raises(ModelError, match=message) as error:
            train(replace(TINY, steps=256), copy, resume=True, progress=False)
        assert str(path) in str(error.value)


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
        imitation.fit(folder, imitation.Imitate(epochs=1), Sizes(4, 4, 8), progress=False)


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
def test_kill_loses_nothing(name: str, everywhere: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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


BEGIN = {name: command.begin for name, command in COMMANDS.items()} | {
    "selfplay": lambda folder: selfplay(ODDVILLE, folder, {"workers": 1}, False, None),
    "oldtown": lambda folder: oldtown(OLDTOWN, folder, {"workers": 1}, False, None),
}


@pytest.mark.parametrize("begin", BEGIN.values(), ids=BEGIN)
def test_two_runs_in_one_folder_do_not_mix(begin: Callable[[Path], object], tmp_path: Path) -> None:
    with (
        alone_in(tmp_path / "run", GameError),
        pytest.raises(GameError, match=r"another process is at work in .*run: wait for it, or end it"),
    ):
        begin(tmp_path / "run")
    assert not (tmp_path / "run").exists()
