"""The folder of a run: which files lie in it, and what a killed process left there is cleared away."""

from pathlib import Path

from oddville_env.core.disk.files import remove_unfinished

MANIFEST, RESULTS, GAMES = "manifest.json", "results.parquet", "games.jsonl.gz"
LINES, RECORDS = "journal.jsonl", "records.part"
"""The journal: they go when the results are there, the lines first."""


def clear(folder: Path) -> None:
    """Remove what a run that was killed began to write, and the records of a journal that has gone."""
    remove_unfinished(folder, MANIFEST)
    if (folder / MANIFEST).exists():
        remove_unfinished(folder, RESULTS)
        remove_unfinished(folder, GAMES)
        if not (folder / LINES).exists():
            (folder / RECORDS).unlink(missing_ok=True)


def is_finished(folder: Path) -> bool:
    """The results of the run in a folder are all there."""
    return (folder / RESULTS).exists() and not (folder / LINES).exists()


def is_begun(folder: Path) -> bool:
    """Something was played by the run in a folder."""
    lines = folder / LINES
    return (folder / RESULTS).exists() or (lines.exists() and lines.stat().st_size > 0)
