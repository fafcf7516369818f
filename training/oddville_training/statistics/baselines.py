"""Tables of learners over seeds, from the runs of `training/benchmarks/baselines.py`."""

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Any

import numpy as np

from oddville_training.statistics.intervals import Estimate, Floats
from oddville_training.statistics.seeds import interquartile_mean, probability_of_improvement, with_intervals

Run = Mapping[str, Any]
"""Of `game`, `learner` and `seed`: by minutes and opponent the share of wins in `found`, and how it was measured."""
NO_TIME = "0"  # minutes of agents that do not learn
PART = 100.0  # of a share: tables are in per cent


def opponents_of(runs: Sequence[Run]) -> list[str]:
    """The opponents of all runs, weakest first."""
    return list(next(against for run in runs for against in run["found"].values() if against))


def learners_of(runs: Sequence[Run]) -> list[str]:
    """The learners, in the order in which they began."""
    return list(dict.fromkeys(run["learner"] for run in runs if NO_TIME not in run["found"]))


def played(runs: Sequence[Run], learner: str, minutes: str) -> list[Mapping[str, Mapping[str, float]]]:
    """What each seed of a learner won by then, by opponent; seeds that had no agent yet are left out."""
    return [run["found"][minutes] for run in runs if run["learner"] == learner and run["found"].get(minutes)]


def scores(runs: Sequence[Run], learner: str, minutes: str) -> Floats:
    """Shares of wins by seed and opponent, float64 [S, T]; the weakest opponent, whom all beat, is left out."""
    counted = opponents_of(runs)[1:]
    found = played(runs, learner, minutes)
    return np.array([[against[each]["wins"] for each in counted] for against in found]).reshape(-1, len(counted))


def strength(runs: Sequence[Run], learner: str, minutes: str, opponent: str) -> Estimate:
    """The interquartile mean of what the seeds of a learner won from an opponent; one seed has its games' interval."""
    found = [against[opponent] for against in played(runs, learner, minutes)]
    if len(found) == 1:
        return Estimate(found[0]["wins"], found[0]["low"], found[0]["high"])
    return with_intervals(interquartile_mean, np.array([[each["wins"]] for each in found]))[0]


def strengths(runs: Sequence[Run]) -> dict[str, Any]:
    """Columns and rows: each agent against each opponent and all, with 95 % intervals, in per cent."""
    opponents, rows = opponents_of(runs), []
    for learner, group in groupby(runs_in_order(runs), lambda run: run["learner"]):
        for minutes in next(group)["found"]:
            found = scores(runs, learner, minutes)
            told = [f"`{learner}`", ""] if minutes == NO_TIME else [learner, minutes]
            if not len(found):
                rows.append([*told, 0, *["no agent yet"] * (len(opponents) + 1)])
                continue
            overall = with_intervals(interquartile_mean, found)[0]
            cells = [strength(runs, learner, minutes, opponent) for opponent in opponents]
            everything = cell(overall) if len(found) > 1 else round(PART * overall.value, 1)
            rows.append([*told, len(found), everything, *map(cell, cells)])
    return {"columns": ["agent", "CPU minutes", "seeds", "overall", *opponents], "rows": rows}


def runs_in_order(runs: Sequence[Run]) -> list[Run]:
    """All runs of a learner one after the other, in the order in which the learners began."""
    order = list(dict.fromkeys(run["learner"] for run in runs))
    return sorted(runs, key=lambda run: order.index(run["learner"]))


def improvements(runs: Sequence[Run]) -> dict[str, Any]:
    """Columns and rows: how probably a run of each learner beats one of each other after the longest budget."""
    found = {name: scores(runs, name, longest(runs)) for name in learners_of(runs)}
    found = {name: each for name, each in found.items() if len(each) > 1}
    rows = [[name, *(_improvement(mine, other) for other in found.values())] for name, mine in found.items()]
    return {"columns": ["run of", *(f"beats {name}" for name in found)], "rows": rows}


def _improvement(mine: Floats, other: Floats) -> Any:
    return "" if mine is other else cell(with_intervals(probability_of_improvement, mine, other)[0])


def longest(runs: Sequence[Run]) -> str:
    """The longest budget of all runs, in minutes."""
    budgets: set[str] = {minutes for run in runs for minutes in run["found"]}
    return max(budgets, key=float)


def cell(found: Estimate) -> list[float]:
    """An estimate in per cent, as `print_results.py` prints it."""
    return [round(PART * each, 1) for each in (found.value, found.low, found.high)]


def tables(runs: Sequence[Run]) -> dict[str, dict[str, Any]]:
    """All tables of each game by name, with how they were measured."""
    found = {}
    for game, group in groupby(sorted(runs, key=lambda run: run["game"]), lambda run: run["game"]):
        mine = list(group)
        told = partial(_told, mine)
        how = {
            "command": mine[-1]["command"],
            "date": f"{told('date')}, commit {told('commit')}",
            "machine": ", ".join(dict.fromkeys(run["machine"]["processor"] for run in mine)),
        }
        found[f"seeds_{game}"] = how | strengths(mine)
        if len((improved := improvements(mine))["rows"]) > 1:
            found[f"improvement_{game}"] = how | improved
    return found


def _told(runs: Sequence[Run], name: str) -> str:
    return ", ".join(dict.fromkeys(run[name] for run in runs))
