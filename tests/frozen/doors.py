"""How the frozen facts ask today's code: through public doors, and a few inner names that all stand here."""

import io
import json
import os
import re
import shutil
import sys
from collections.abc import Mapping
from contextlib import redirect_stderr, redirect_stdout
from hashlib import sha256
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock

import numpy as np

from oddville_env import Game

# All that is asked of modules inside the packages stands here. `test_an_address_is_there` holds published ones.
SELF_PLAY = "oddville_env"
SB3 = "oddville_env"
SUITE = "oddville_training.tournament.suite"


def layout_digest(game: Game) -> str:
    """What manifests and models store of the moves' numbering."""
    return game.box.layout.digest


def observation_pieces(env: Any, vector: np.ndarray) -> Mapping[str, np.ndarray]:
    """The named pieces of an observation."""
    return env.unwrapped.encoder.views(vector)


DATA = Path(__file__).parent / "data"
GOLDEN = tuple(Path(__file__).parents[1] / game / "data" for game in ("oddville", "agents"))

Fact = dict[str, Any]

PROGRAM = "oddville"
STRIDE = 7  # of the rule that chooses moves; odd, so that it meets all of them
HALF = 2

MINE = """
import numpy as np
from oddville_agents import Agent, GameAgent


def first(observation, mask):
    return int(mask.argmax())


class Lucky(Agent):
    name, version, encoding = "lucky", "7", "ids"

    def reset(self, seat, players, seed):
        self.rng = np.random.default_rng([seat, players, seed])

    def act(self, observation, mask):
        return int(self.rng.choice(np.flatnonzero(mask)))


class Thinker(GameAgent):
    name = "thinker"

    def think(self, game):
        seat, best, most = game.to_move, 0, -1
        for move in game.legal_moves:
            game.push(move)
            worth = 100 * game.scores[seat] + sum(game.position()["row"]) % 100
            game.pop()
            if worth > most:
                best, most = game.action(move), worth
        return best


class Cheats(Agent):
    def act(self, observation, mask):
        return 471
"""


class Said(NamedTuple):
    """How a run of the program ended."""

    code: int
    out: str
    err: str


def oddville(*words: object) -> Said:
    """Run the program in this process, with these words behind its name."""
    program = next(iter(entry_points(group="console_scripts", name=PROGRAM))).load()
    out, err, code = io.StringIO(), io.StringIO(), 0
    with (
        mock.patch.object(sys, "argv", [PROGRAM, *map(str, words)]),
        mock.patch.dict(os.environ, {"COLUMNS": "200", "TERMINAL_WIDTH": "200"}),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            program()
        except SystemExit as end:
            code = int(end.code or 0)
    return Said(code, out.getvalue(), err.getvalue())


def done(*words: object) -> str:
    """Run the program, which must succeed; what it prints."""
    said = oddville(*words)
    assert said.code == 0, said.err
    return said.out


class Digest:
    """A hash of many values: of arrays their dtype, shape and bytes, of anything else its JSON."""

    def __init__(self) -> None:
        self._hash = sha256()

    def add(self, *values: Any) -> "Digest":
        for value in values:
            if isinstance(value, np.ndarray):
                self._hash.update(f"{value.dtype.str}{value.shape}".encode() + np.ascontiguousarray(value).tobytes())
            else:
                self._hash.update(json.dumps(value).encode())
        return self

    def __str__(self) -> str:
        return self._hash.hexdigest()


def hash_of(*values: Any) -> str:
    return str(Digest().add(*values))


def hash_of_bytes(data: bytes) -> str:
    return sha256(data).hexdigest()


def unnamed(svg: str) -> str:
    """A drawing without what pages find its parts by: `data-` attributes, and groups that have nothing else."""
    kept, dropped = [], []
    for piece in re.split(r"(<g\b[^>]*>|</g>)", svg):
        if piece == "</g>":
            kept.append("" if dropped.pop() else piece)
            continue
        bare = re.sub(r' data-[a-z-]+="[^"]*"', "", piece)
        is_name = bare == "<g>" != piece
        if piece.startswith("<g"):
            dropped.append(is_name)
        kept.append("" if is_name else bare)
    return "".join(kept)


def text_of(fact: Fact) -> str:
    """A fact as its file has it."""
    return json.dumps(fact, indent=1) + "\n"


def chosen(mask: np.ndarray, number: int) -> int:
    """A legal id by a rule without luck, another one every time."""
    legal = np.flatnonzero(mask)
    return int(legal[number * STRIDE % len(legal)])


def here() -> None:
    """Lay agents of one's own, weights and a model into the working folder."""
    Path("mine.py").write_text(MINE)
    shutil.copy(DATA / "mine.json", "mine.json")
    for name in ("model.safetensors", "model.json"):
        shutil.copy(DATA / "training" / name, name)
