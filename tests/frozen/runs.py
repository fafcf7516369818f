"""Facts about agents, commands, tournaments and training."""

import gzip
import json
import re
import shutil
from collections.abc import Callable
from importlib import import_module
from pathlib import Path

from llvmlite.binding import get_host_cpu_name

from frozen.ask import MODEL, RECORDS, Fact, digest, program

# Agents and commands

SIMULATED: dict[str, tuple[tuple[str, int], ...]] = {
    "oddville": (
        ("random,random", 10),
        ("greedy,random,greedy:weights=simple", 3),
        ("champion,casual", 2),
        ("champion,greedy,greedy,greedy", 1),
        ("champion:reply=false,casual", 2),
        ("search:sims=40,greedy", 1),
        ("search:sims=40,threads=2,greedy", 1),
        ("search:sims=40,value=formula,greedy,random,random", 1),
        ("./model.safetensors,greedy", 2),
        ("./model.safetensors:sample=true,random,greedy", 2),
    ),
    "oldtown": (
        ("random,random", 10),
        ("greedy,random,casual", 3),
        ("heuristic,heuristic:weights=champion", 2),
        ("champion,greedy,greedy,heuristic", 2),
        ("champion:turns=4,greedy,greedy,heuristic", 2),
        ("search:sims=20,greedy", 1),
    ),
}


def agents(name: str) -> Fact:
    shutil.copy(MODEL, "model.safetensors")
    shutil.copy(MODEL.with_suffix(".json"), "model.json")
    found = {}
    for seated, games in SIMULATED[name]:
        program(name, "simulate", "--agents", seated, "--games", games, "--seed", 3, "--out", "played.jsonl")
        lines = [json.loads(line) for line in Path("played.jsonl").read_text().splitlines()]
        found[seated] = [" ".join("-".join(map(str, line["scores"])) for line in lines), digest(Path("played.jsonl"))]
    return found


def options(name: str) -> Fact:
    """The options that the help of each command names."""
    listed = re.findall(r"^│ ([a-z]+) {2}", program(name, "--help"), re.MULTILINE)
    return {each: sorted(set(re.findall(r"--[a-z][a-z-]*", program(name, each, "--help")))) for each in listed}


def commands(name: str) -> Fact:
    """What commands write as JSON and print of records."""
    games = Path("games.jsonl")
    games.write_text("".join(line + "\n" for line in RECORDS.read_text().splitlines() if (f"{name}-" in line[:40])))
    looked = ("--index", 0, "--move", 20, "--agent", "search:sims=60", "--seed", 4)
    asked: dict[str, tuple[object, ...]] = {
        "simulate": ("simulate", "--agents", "greedy,random", "--games", 3),
        "evaluate": ("evaluate", "greedy", "--against", "random", "--games", 12, "--seed", 5),
        "analyse": ("analyse", games, *looked),
        "verify": ("verify", games),
    }
    found: Fact = {}
    for command, words in asked.items():
        program(name, *words, "--json", "said.json")
        found[command] = _lasting(json.loads(Path("said.json").read_text()))
    found["positions"] = digest(program(name, "replay", games, "--index", 0, "--positions"))
    found["perft"] = [line.split(" lines")[0] for line in program(name, "perft", "--depth", 3).splitlines()]
    if name == "oldtown":
        program(name, "solve", 7, "--json", "said.json")
        found["solve"] = digest(json.loads(Path("said.json").read_text()))
    return found


PASSING = ("seconds", "machine", "wall_seconds", "package", "think_ms", "slowest_ms", "ms_per_move", "libraries")


def _lasting(value: Fact) -> Fact:
    """A JSON value without what differs from run to run; its numbers are hashed."""
    names = [key for key in value if key not in PASSING]
    return [names, digest(_without(value))]


def _without(value: Fact) -> Fact:
    if isinstance(value, dict):
        return {key: _without(each) for key, each in value.items() if key not in PASSING and "_ms" not in key}
    return [_without(each) for each in value] if isinstance(value, list) else value


# Tournaments and training

TOURNAMENTS: dict[str, tuple[object, ...]] = {
    "match": ("greedy", "random", "--sprt", "0,20", "--blocks", 100, "--seed", 9),
    "round robin": ("greedy", "random", "search:sims=20", "--players", "2,3", "--blocks", 1, "--seed", 1, "--moves"),
}


def tournaments(name: str) -> Fact:
    """Results, records, manifest and ratings of small tournaments."""
    import polars as pl

    found = {}
    for label, words in TOURNAMENTS.items():
        folder = Path(label)
        program(name, "tournament", *words, "--workers", 1, "--out", folder)
        results = pl.read_parquet(folder / "results.parquet")
        told = {
            "files": sorted(path.name for path in folder.iterdir()),
            "manifest": _lasting(json.loads((folder / "manifest.json").read_text())),
            "columns": digest({column: str(kind) for column, kind in results.schema.items()}),
            "rows": [len(results), digest(results.drop("think_ms", "slowest_ms").rows())],
        }
        if (folder / "games.jsonl.gz").exists():
            told["records"] = digest(gzip.decompress((folder / "games.jsonl.gz").read_bytes()).decode())
        found[label] = told
    return found


PLAN = {
    "oddville": "rounds = 1\nwarm_games = [8]\ngames = [8]\nbatch = 64\nepochs = 1\nevaluation = 12\n",
    "oldtown": "rounds = 1\nwarm_games = [8]\ngames = [8]\nbatch = 64\nevaluation = 12\n",
}


def training(name: str) -> Fact:
    """Files and tensors of a short run of each way of training."""
    train = ("--steps", 128, "--envs", 4, "--taught", 200, "--against", "random")
    Path("plan.toml").write_text(PLAN[name])
    return {
        "train": _run(lambda: program(name, "train", "--folder", "train", *train), Path("train")),
        "selfplay": _run(
            lambda: program(name, "selfplay", "--folder", "selfplay", "--config", "plan.toml", "--workers", 1),
            Path("selfplay"),
        ),
    }


def _run(begin: Callable[[], str], folder: Path) -> Fact:
    """Files and tensors that a run leaves; the weights by machine, for another one rounds otherwise."""
    begin()
    read = import_module("safetensors.numpy").load_file
    files = sorted(path for path in folder.rglob("*") if path.is_file() and "tensorboard" not in path.parts)
    networks = [path for path in files if path.suffix == ".safetensors"]
    shapes = {
        str(path.relative_to(folder)): {key: [list(each.shape), str(each.dtype)] for key, each in read(path).items()}
        for path in networks
    }
    told = [_without(json.loads(path.read_text())) for path in files if path.name in ("model.json", "plan.json")]
    return {
        "files": [str(path.relative_to(folder)) for path in files],
        "told": digest(told),
        "tensors": digest(shapes),
        "weights": {machine(): digest(*networks)},
    }


def machine() -> str:
    """What decides how a sum is rounded: the kind of processor, as LLVM names it, and the library that adds."""
    return f"{get_host_cpu_name()}, torch {import_module('torch').__version__}"
