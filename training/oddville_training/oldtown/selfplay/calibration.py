"""How true the chances are that a network says: the log loss, and a reliability table (Murphy and Winkler 1977)."""

from typing import Any

import numpy as np

BINS = 10  # of the table, equally wide
LEAST_CHANCE = 1e-6  # that is counted as such, lest one row decide all


def log_loss(said: np.ndarray, wins: np.ndarray) -> float:
    """The mean log loss of chances [N] that were said, where the parts [N] of a win came."""
    said = np.clip(said, LEAST_CHANCE, 1 - LEAST_CHANCE)
    return float(-(wins * np.log(said) + (1 - wins) * np.log1p(-said)).mean())


def calibration(said: np.ndarray, wins: np.ndarray) -> dict[str, Any]:
    """The log loss of chances [N], that of always saying the mean, and who won where which chance was said.

    error: how far the chances are from what was won, in the mean over the rows of the table (expected calibration
    error, Naeini et al. 2015). A chance without rows has no line in the table.
    """
    bins = np.minimum((said * BINS).astype(np.int64), BINS - 1)
    table = [_line(said[bins == each], wins[bins == each]) for each in np.unique(bins)]
    error = sum(line["rows"] * abs(line["said"] - line["won"]) for line in table) / len(said)
    even = log_loss(np.full(len(wins), wins.mean()), wins)
    return {"log_loss": log_loss(said, wins), "even_log_loss": even, "error": error, "table": table}


def _line(said: np.ndarray, wins: np.ndarray) -> dict[str, float]:
    return {"rows": len(said), "said": float(said.mean()), "won": float(wins.mean())}
