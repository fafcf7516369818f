"""Every command with the core alone: it works, or says in a sentence which extra it lacks. Also where Python lacks what
Windows lacks.
"""

import itertools
import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path
from textwrap import indent

import pytest
from typer.main import get_command

from oddville_env.cli.app import make_app
from oddville_env.core.errors import SettingError
from oddville_env.core.game.game_type import game_type, known_games
from oddville_env.core.system.extras import PACKAGES, extra_of, needs_extra
from support.helpers import random_game

ROOT = Path(__file__).parents[2]
NOT_IN_USE = {"all", "docs", "notebooks", "test"}  # extras that bring nothing of their own that a command needs
CALLED = {"pillow": "PIL"}  # packages that are imported by another name

CORE_ALONE = """
import sys
from importlib.abc import MetaPathFinder

class NotInstalled(MetaPathFinder):
    def find_spec(self, name, path=None, target=None):
        if name.partition(".")[0] in {missing!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)

sys.meta_path.insert(0, NotInstalled())
"""
RUN = """
import shlex
import sys
import traceback
from oddville_env.cli.main import main, oldtown

for line in sys.stdin:
    name, *words = shlex.split(line)
    sys.argv, code = [name, *words], 0
    try:
        {"oddville": main, "oldtown": oldtown}[name]()
    except SystemExit as end:
        code = end.code or 0
    except BaseException as error:
        code = type(error).__name__
        traceback.print_exc()
    print(f"\\n== {code} {line}", end="", flush=True)
    print(f"\\n== {line}", end="", file=sys.stderr, flush=True)
"""
WORKS = """
oddville simulate --agents random,greedy --games 1 --out a.jsonl
oddville simulate --agents champion,search:sims=2 --games 1
oddville evaluate greedy --against random --games 2
oddville watch --agents random,random --delay 0 --max-rounds 1
oddville agents
oddville verify games.jsonl
oddville replay games.jsonl
oddville draw games.jsonl --out a.svg
oddville film games.jsonl --out a.html
oddville dataset games.jsonl --out rows.npz
oddville analyse games.jsonl --move 2 --agent search:sims=4
oddville questions --count 1
oddville perft --depth 1
oddville tables features
oddville cards check
oddville cards copy mine
oddville cards draw drawn
oddville play --terminal --seats random,random --max-rounds 1
oddville doctor
oddville --version
oldtown simulate --agents champion,heuristic --games 1
oldtown cards copy mine.json
oldtown solve 1
oldtown puzzles generate --count 1
oldtown puzzles print --out a.html
"""
LACKS = {
    "oddville sweep --config sweep.toml --folder run": "sweep",
    "oddville train --folder run": "train",
    "oddville train --folder run --resume": "train",
    "oddville selfplay --folder run": "train",
    "oddville exploit random --folder run": "train",
    "oddville imitate random --out data --games 1": "train",
    "oddville evaluate model.safetensors": "train",
    "oddville export champion --out a.onnx": "onnx",
    "oddville tournament random greedy --blocks 1 --out cup": "tournament",
    "oddville ladder --blocks 1": "tournament",
    "oddville benchmark random": "tournament",
    "oddville report oddville_cup": "tournament",
    "oddville simulate --agents chat:model=a,url=http://b,random --games 1": "chat",
    "oddville draw games.jsonl --out a.png": "render",
    "oddville film games.jsonl --out a.gif": "render",
    "oddville dataset games.jsonl --out rows.parquet": "data",
    "oddville questions --out a.parquet": "data",
    "oddville play": "web",
    "oddville view games.jsonl": "web",
    "oldtown puzzles play": "web",
}
LONG = {"warm", "bench"}  # commands that take minutes: what they lack they leave out


def test_every_package_of_an_extra_has_its_import_name_and_the_table_every_command() -> None:
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["optional-dependencies"]
    names = {extra: [each.partition(">=")[0] for each in extras[extra]] for extra in extras.keys() - NOT_IN_USE}
    called = {name: CALLED.get(name, name.replace("-", "_")) for wanted in names.values() for name in wanted}
    assert {extra: tuple(called[name] for name in wanted) for extra, wanted in names.items()} == PACKAGES
    known = {line.split()[1] for line in [*WORKS.split("\n")[1:-1], *LACKS]} | LONG
    for name in known_games():
        assert set(get_command(make_app(game_type(name))).commands) <= known


def test_import_that_fails_for_another_reason_is_no_missing_extra() -> None:
    assert extra_of(ModuleNotFoundError(name="fcntl"), "train") is None
    assert extra_of(ImportError("cannot import"), "train") is None
    assert extra_of(ModuleNotFoundError(name="matplotlib.axes"), "tournament") == "tournament"
    assert extra_of(ModuleNotFoundError(name="polars"), "train") == "tournament"
    with pytest.raises(SettingError, match=r"oddville-env\[web\]"), needs_extra("training needs", "train"):
        raise ImportError("No module named 'starlette'", name="starlette")


def prepared(folder: Path) -> Path:
    (folder / "oddville_cup").mkdir()
    about = {"format": "oddville-tournament", "version": 1, "game": "oddville"}
    (folder / "oddville_cup" / "manifest.json").write_text(json.dumps(about))
    (folder / "games.jsonl").write_text(json.dumps(random_game(2, 1).record()) + "\n")
    (folder / "model.safetensors").write_bytes(b"")
    return folder


def ran(folder: Path, prelude: str, lines: list[str]) -> tuple[dict[str, str], dict[str, str]]:
    """How the commands ended, and what each wrote to standard error."""
    (folder / "programs.py").write_text(prelude + "\nif __name__ == '__main__':\n" + indent(RUN, "    "))
    command, wide = [sys.executable, "programs.py"], {**os.environ, "COLUMNS": "200"}
    told = "".join(f"{line}\n" for line in lines)
    done = subprocess.run(command, input=told, cwd=folder, env=wide, capture_output=True, text=True, timeout=550)
    codes = [line.split(maxsplit=2) for line in done.stdout.splitlines() if line.startswith("== ")]
    parts = done.stderr.split("\n== ")
    said = {after.splitlines()[0]: before for before, after in itertools.pairwise(parts)}
    assert len(codes) == len(lines), done.stderr
    return {line: code for _, code, line in codes}, said


def test_with_the_core_alone_every_command_works_or_reports_which_extra_it_lacks(tmp_path: Path) -> None:
    missing = sorted({package for packages in PACKAGES.values() for package in packages})
    works = WORKS.split("\n")[1:-1]
    codes, said = ran(prepared(tmp_path), CORE_ALONE.format(missing=missing), [*works, *LACKS])
    assert {line: (codes[line], said.get(line)) for line in works if codes[line] != "0"} == {}
    for line, extra in LACKS.items():
        errors = [each for each in said[line].splitlines() if each.split("\n== ")[0].startswith("error: ")]
        assert (codes[line], len(errors)) == ("1", 1), (line, codes[line], said[line])
        assert f"oddville-env[{extra}]'" in errors[0], (line, errors[0])
        assert "Traceback" not in said[line]
        if extra == "train":
            assert errors[0].index("pip install torch==2.13.0") < errors[0].index("pip install 'oddville-env[train]'")


def test_extra_train_suffices_for_training(tmp_path: Path) -> None:
    pytest.importorskip("sb3_contrib", reason="the extra train is not installed")
    foreign = ["polars", "ray", "resvg_py", "pygame", "starlette", "uvicorn", "websockets", "jsonschema"]
    (tmp_path / "plan.toml").write_text("warm_games = [21]\ngames = [21]\nrounds = 1\nevaluation = 12\nbatch = 64\n")
    lines = [
        "oddville train --folder run --against random --envs 2 --steps 128",
        "oddville evaluate run/model.safetensors --against random --games 4",
        "oddville selfplay --folder self --config plan.toml --workers 1",
    ]
    codes, said = ran(tmp_path, CORE_ALONE.format(missing=foreign), lines)
    assert codes == dict.fromkeys(lines, "0"), said
