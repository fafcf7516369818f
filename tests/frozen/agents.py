"""Facts about agents, the suite and what commands print."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from zlib import crc32

import numpy as np

import oddville_agents
from frozen.doors import DATA, SUITE, Fact, done, hash_of, hash_of_bytes, here, oddville, unnamed
from frozen.tournaments import finished
from oddville_env import Game

SIMULATED: dict[str, tuple[object, ...]] = {
    "random,random": (20,),
    "random,random,random": (10,),
    "random,random,random,random": (10,),
    "greedy,random": (10,),
    "greedy,greedy:weights=simple,random": (6,),
    "greedy,greedy,greedy,greedy:weights=tuned": (3,),
    "search:sims=40,greedy": (2,),
    "search:sims=40,search:sims=40,greedy": (1,),
    "search:sims=40,random,greedy,search:sims=40": (1,),
    "search:sims=40,threads=2,greedy": (1,),
    "search:sims=40,weights=simple,greedy:weights=search": (1,),
    "greedy:weights=mine.json,greedy": (4,),
    "./mine.py:Lucky,./mine.py:Thinker,./mine.py:first": (2,),
    "random,greedy,random": (6, "--table", 5, 3, "--max-rounds", 6, "--cards", "other"),
}
SIMULATED_MODELS: dict[str, tuple[object, ...]] = {
    "./model.safetensors,greedy": (3,),
    "random,./model.safetensors,./model.safetensors:sample=true,greedy": (3,),
}


def simulate(agents: str, games: object, *more: object, seed: int = 3) -> bytes:
    """The records of some games, as a file has them."""
    words = [DATA / "cards" if word == "other" else word for word in more]
    out = Path("simulated.jsonl")
    done("simulate", "--agents", agents, "--games", games, "--seed", seed, "--out", out, *words)
    if "--cards" not in more:
        assert f"{games} of {games} records replay to the same end" in done("verify", out)
    return out.read_bytes()


def simulated(played: Mapping[str, tuple[object, ...]]) -> Fact:
    """Games that agents play."""
    here()
    told = {}
    for agents, words in played.items():
        text = simulate(agents, *words)
        scores = ["-".join(map(str, json.loads(line)["scores"])) for line in text.splitlines()]
        told[agents] = {"scores": " ".join(scores), "records": hash_of_bytes(text)}
    return told


def weights() -> Fact:
    """The sets of weights that come with the package."""
    home = Path(oddville_agents.__file__).parent / "oddville"
    return {path.name: hash_of_bytes(path.read_bytes()) for path in sorted(home.rglob("weight_sets/*.json"))}


def suite() -> Fact:
    """The benchmark suite, and fingerprints of games that the ladder's agents play."""
    frozen = import_module(SUITE).SUITE
    anchors = [anchor._replace(spec=anchor.name)._asdict() for anchor in frozen.anchors]
    for anchor in anchors:
        del anchor["called"]
    told: Fact = {"suite": {**frozen._asdict(), "anchors": anchors}}
    for spec in ("random", "greedy:weights=simple", "greedy", "search:sims=200"):
        ids = []
        for players in (2, 3):
            record = json.loads(simulate(",".join([spec] * players), 1, seed=0))
            game = Game(players)
            ids += [game.action(word) for word in record["moves"]]
        told[spec] = f"{crc32(np.array(ids, np.int16).tobytes()):08x}"
    return told


def anchored() -> Fact:
    """The first games of two that the suite plays with its search."""
    from oddville_training.tournament.executors import Here
    from oddville_training.tournament.tournament import run

    config = next(found for spec, found in import_module(SUITE).runs("greedy").items() if spec.startswith("search"))
    schedule = replace(config.schedule, sections=config.schedule.sections[:1], number=3)
    run(replace(config, schedule=schedule), Path("anchored"), Here, lambda *_: None)
    told = finished(Path("anchored"))
    return {name: told[name] for name in ("rows", "first rows", "all rows")}


def ladder() -> Fact:
    """The built-in agents against each other."""
    done("ladder", "--players", "2,3", "--blocks", 2, "--seed", 6, "--workers", 1, "--out", "ladder")
    return finished(Path("ladder"))


def benchmark() -> Fact:
    """An agent's row in the table of the suite."""
    said = oddville("benchmark", "random", "--workers", 1)
    return {"code": said.code, "row": said.out.splitlines(), "head": said.err.splitlines()[-2:]}


EVALUATED: tuple[tuple[object, ...], ...] = (
    ("greedy", "--against", "random", "greedy:weights=simple", "--games", 20, "--seed", 5),
    ("random", "--against", "greedy", "random", "--games", 12, "--players", 3, "--max-rounds", 20),
    ("search:sims=20", "--against", "greedy", "--games", 4, "--players", 4, "--seed", 2, "--table", 9, 17),
)


def evaluated() -> Fact:
    """The figures of evaluations, as the file has them."""
    told = {}
    for words in EVALUATED:
        done("evaluate", *words, "--json", "figures.json")
        told[" ".join(map(str, words))] = json.loads(Path("figures.json").read_text())
    return told


def analysed() -> Fact:
    """What search thinks of a recorded decision."""
    told = {}
    for index, move in ((0, 33), (1, 20), (2, 41)):
        words = ("--index", index, "--move", move, "--agent", "search:sims=150", "--seed", 4)
        done("analyse", DATA / "games.jsonl", *words, "--json", "thoughts.json", "--out", "thoughts.svg")
        thoughts = json.loads(Path("thoughts.json").read_text())
        best = [thoughts["candidates"][0][name] for name in ("word", "visits")]
        drawn = hash_of_bytes(unnamed(Path("thoughts.svg").read_text()).encode())
        del thoughts["seconds"]
        told[f"{index}, {move}"] = {"names": list(thoughts), "best": best, "all": hash_of(thoughts), "drawn": drawn}
    return told


def printed() -> Fact:
    """What other commands print and draw of a record."""
    done("draw", DATA / "games.jsonl", "--index", 2, "--move", 40, "--out", "table.svg")
    counts = done("perft", "--depth", 4, "--players", 3, "--seed", 2)
    return {
        "drawn": hash_of_bytes(unnamed(Path("table.svg").read_text()).encode()),
        "replay": hash_of(done("replay", DATA / "games.jsonl", "--index", 1)),
        "positions": hash_of(done("replay", DATA / "games.jsonl", "--index", 1, "--positions")),
        "perft": re.findall(r"depth \d+: [\d,]+ lines", counts),
        "tables": {name: hash_of(done("tables", name)) for name in ("actions", "features", "ids")},
    }
