"""How the facts are asked for: by public names and the two programs."""

import io
import json
import os
import shutil
import sys
from contextlib import redirect_stderr, redirect_stdout
from hashlib import sha256
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any
from unittest import mock

import numpy as np

from oddville_env import Game, OldTown, oddville_v0, oldtown_v0

DATA = Path(__file__).parent / "data"
RECORDS = DATA / "games.jsonl"
MODEL = DATA / "model.safetensors"

GAMES: dict[str, Any] = {"oddville": Game, "oldtown": OldTown}
ENVIRONMENTS: dict[str, Any] = {"oddville": oddville_v0, "oldtown": oldtown_v0}
ENCODINGS = {"oddville": ("features", "ids", "summary"), "oldtown": ("features", "memoryless", "summary")}
STRIDE = 7  # of the rule that chooses moves; odd, so that it meets all of them

Fact = Any


def program(name: str, *words: object) -> str:
    """Run `oddville` or `oldtown` in this process, which must succeed; what it prints."""
    main = next(iter(entry_points(group="console_scripts", name=name))).load()
    out, err, code = io.StringIO(), io.StringIO(), 0
    with (
        mock.patch.object(sys, "argv", [name, *map(str, words)]),
        mock.patch.dict(os.environ, {"COLUMNS": "200", "TERMINAL_WIDTH": "200"}),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            main()
        except SystemExit as end:
            code = int(end.code or 0)
    assert code == 0, err.getvalue()
    return out.getvalue()


class Digest:
    """A hash of many values: of arrays their dtype, shape and bytes, of files their bytes, of the rest their JSON."""

    def __init__(self, *values: Any) -> None:
        self._hash = sha256()
        self.add(*values)

    def add(self, *values: Any) -> None:
        for value in values:
            if isinstance(value, np.ndarray):
                self._hash.update(f"{value.dtype.str}{value.shape}".encode() + np.ascontiguousarray(value).tobytes())
            elif isinstance(value, Path):
                self._hash.update(value.read_bytes())
            else:
                self._hash.update(json.dumps(value, default=_plain).encode())

    def __str__(self) -> str:
        return self._hash.hexdigest()[:32]


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, np.ndarray | np.generic) else str(value)


def digest(*values: Any) -> str:
    return str(Digest(*values))


def chosen(mask: np.ndarray, number: int) -> int:
    """A legal id by a rule without chance, another one every time."""
    legal = np.flatnonzero(mask)
    return int(legal[number * STRIDE % len(legal)])


def stored_run(run: Path) -> None:
    """Lay a training run that 1.0.0 stored after 128 steps into a folder."""
    checkpoint = run / "checkpoints" / "0000000128"
    checkpoint.mkdir(parents=True)
    for name in ("model.safetensors", "model.json", "optimizer.safetensors", "games.safetensors"):
        shutil.copy(DATA / name, checkpoint)
    for path in (MODEL, MODEL.with_suffix(".json")):
        shutil.copy(path, run)
