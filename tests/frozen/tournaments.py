"""Facts about the folders of tournaments."""

import gzip
import json
from collections.abc import Mapping
from pathlib import Path

from frozen.doors import Fact, hash_of, hash_of_bytes, here, oddville

TOURNAMENTS: dict[str, tuple[object, ...]] = {
    "match": ("greedy", "random", "--sprt", "0,20", "--blocks", 400, "--seed", 9),
    "mine": ("./mine.py:Lucky", "./mine.py:Cheats", "--blocks", 2, "--moves", "--limit-s", 30),
}
MORE_TOURNAMENTS: dict[str, tuple[object, ...]] = {
    "round robin": ("greedy", "random", "search:sims=40", "--players", "2,3", "--blocks", 2, "--seed", 1, "--moves"),
    "all seatings": (
        *("greedy", "random", "random", "--players", 3, "--blocks", 2, "--full", "--moves"),
        *("--table", 7, 7, "--max-rounds", 12),
    ),
    "gauntlet": (
        *("./mine.py:Lucky", "./mine.py:Cheats", "greedy:weights=mine.json", "--players", "2,4", "--blocks", 2),
        *("--challenger", "./mine.py:Lucky", "--moves", "--limit-s", 30),
    ),
}
PASSING = ("machine", "wall_seconds", "package")
NEW = ("game",)  # what manifests say since then
TIMES = ("think_ms", "slowest_ms")


def tournaments() -> Fact:
    """What is in the folders of two small tournaments."""
    return _tournaments(TOURNAMENTS)


def more_tournaments() -> Fact:
    """What is in the folders of others, whose reports take their time."""
    return _tournaments(MORE_TOURNAMENTS)


def _tournaments(played: Mapping[str, tuple[object, ...]]) -> Fact:
    here()
    told = {}
    for name, words in played.items():
        said = oddville("tournament", *words, "--workers", 1, "--out", name)
        told[name] = {"code": said.code} | finished(Path(name))
    return told


def finished(folder: Path) -> Fact:
    """A tournament's results, records and manifest; of what differs from run to run only that it is there."""
    import polars as pl

    results, manifest = pl.read_parquet(folder / "results.parquet"), json.loads((folder / "manifest.json").read_text())
    rows = results.drop(TIMES).rows()
    told = {
        "files": sorted(path.name for path in folder.iterdir()),
        "manifest": {name: None if name in PASSING else value for name, value in manifest.items() if name not in NEW},
        "schema": {name: str(kind) for name, kind in results.schema.items()},
        "rows": len(rows),
        "first rows": rows[:8],
        "all rows": hash_of(rows),
    }
    if (folder / "games.jsonl.gz").exists():
        told["records"] = hash_of_bytes(gzip.decompress((folder / "games.jsonl.gz").read_bytes()))
    return told
