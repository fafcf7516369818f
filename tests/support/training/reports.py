"""Results of tournaments to be reported, and the folders that they lie in."""

import json
from pathlib import Path

import polars as pl

from support.training.synthetic import results

EVIL = "<script>alert('1')</script>|`$x$*_[a](b)\n# \x07 \N{CAT FACE}"
STRENGTHS = {"greedy": 400.0, "random": 0.0, EVIL: 200.0}
MANIFEST = {
    "format": "oddville-tournament",
    "version": 1,
    "agents": [{"name": name, "spec": name, "version": "1"} for name in STRENGTHS],
    "players": [2, 3],
    "blocks": 8,
    "seed": 5,
    "machine": {"cpu": "<i>fast</i>", "cores": 2},
    "wall_seconds": 12.34,
}


def mixed_rows() -> pl.DataFrame:
    """Games of two and of three, with an illegal move in some."""
    both = pl.concat([results(STRENGTHS, 2, 8), results(STRENGTHS, 3, 4, first_block=100)])
    lost = (pl.col("agent") == "random") & (pl.col("rank") == pl.col("players")) & (pl.col("game") % 5 == 0)
    return both.with_columns(failure=pl.when(lost).then(pl.lit("illegal move: <b>done</b>")))


def folder_of(rows: pl.DataFrame, folder: Path, manifest: object = None) -> Path:
    folder.mkdir(exist_ok=True)
    rows.write_parquet(folder / "results.parquet")
    if manifest is not None:
        (folder / "manifest.json").write_text(json.dumps(manifest))
    return folder


def contents(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}
