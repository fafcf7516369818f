"""The weights of greedy's value function: what each one means, and the sets of them that come with the package.

`python -m oddville_agents.oddville.value.formula.weights` prints the table that README.md of OddVille's agents shows.
"""

from pathlib import Path
from typing import Any, NamedTuple, cast

import numpy as np

from oddville_agents.tensors import WeightFiles, WeightsError, read_only
from oddville_env.core.checked import check, number
from oddville_env.core.parts.printed import markdown
from oddville_env.oddville.cards.words import PLAYERS, Bonus, Character, Counts, Resource
from oddville_env.oddville.rules.state import WORKER_CARDS

FOLDER = Path(__file__).resolve().parent / "weight_sets"
SETS = {"tuned": "{players}.json", "search": "search-{players}.json", "simple": "simple.json"}
WEIGHTS_TEXT = f"the formula's weights: {', '.join(SETS)}, or a `.json` file"
MOST = 1e9  # of any weight
CARDS = tuple(str(1 + worker) for worker in range(WORKER_CARDS))


class Weight(NamedTuple):
    """A weight of the value function: one number, or one for each of `words`, in low..high.

    step: how large a change is worth a try, 0 for a weight that tuning leaves alone.
    """

    name: str
    text: str
    words: tuple[str, ...] = ()
    step: float = 0.1
    low: float = 0.0
    high: float = MOST


WEIGHTS = (
    Weight("rivals", "weight of the best rival's value"),
    Weight("schemes", "part of a rival's expected gain that counts"),
    Weight("hurry", "how much more a lead is worth at the end", low=-1),
    Weight("win", "points for a won game, lost for a lost one", step=0),
    Weight("pace", "turns that an unknown building takes", step=0.5, low=1),
    Weight("end", "how surely a building after the end is lost", step=0.15, high=1),
    Weight("slack", "turns after the end over which a building is lost", step=0.3, low=0.1),
    Weight("fade", "part of the worth of assets gone at the end", step=0.15, high=1),
    Weight("turn", "discount of a building for each turn", step=0.03, low=0.1, high=1),
    Weight("delay", "points that each turn costs a building", step=0.2),
    Weight("second", "weight of the second-best building", step=0.08, high=1),
    Weight("shared", "part of the best building's cost that the second cannot use", step=0.12, high=1),
    Weight("row", "weight of a building of the row", high=2),
    Weight("wait", "turns for each missing resource", Resource.words(), step=0.15),
    Weight("short", "turns for each missing coin", step=0.12),
    Weight("unplaced", "least points of a building", step=0.4),
    Weight("growth", "cards that a formula will yet count, for each further building", Counts.words(), 0.06),
    Weight("bonus", "points of a bonus", Bonus.words(), step=0.25, low=-5),
    Weight("favour", "weight of the character that a guild's building brings", step=0.12),
    Weight("loose", "part of a character lost while its guild's pile is empty", step=0.12),
    Weight("power", "points of a character's power, beside the printed ones", Character.words(), step=0.5, low=-5),
    Weight("coin", "points of the first coin", step=0.12, low=-5),
    Weight("saving", "worth of each further coin, relative to the one before", step=0.08, high=2),
    Weight("card", "points of a worker card in hand", CARDS, step=0.12, low=-5),
    Weight("spare", "points of a resource that no held building needs", Resource.words(), 0.2, -5),
    Weight("flip", "points of a flip, with room for a building", step=0.4, low=-5),
    Weight("certainty", "log odds for each point of value", ("early", "late"), 0, -1),
    Weight("tempo", "log odds of having the next turn, at the end", step=0, low=-5),
)
WEIGHT_RECORD = np.dtype(
    (np.record, np.dtype([(weight.name, "f8", (len(weight.words),) if weight.words else ()) for weight in WEIGHTS]))
)


def as_record(plain: Any) -> np.ndarray:
    """Weights [1] from {name: number, name: {word: number}}. Raises WeightsError where names or numbers are wrong."""
    record = np.zeros(1, WEIGHT_RECORD)
    _same_names("weights", plain, [weight.name for weight in WEIGHTS])
    for weight in WEIGHTS:
        given = plain[weight.name]
        if weight.words:
            _same_names(weight.name, given, weight.words)
            record[weight.name][0] = [_number(weight, f"{weight.name}.{word}", given[word]) for word in weight.words]
        else:
            record[weight.name] = _number(weight, weight.name, given)
    return record


def as_plain(record: np.ndarray) -> dict[str, Any]:
    """Weights [1] as {name: number, name: {word: number}}."""
    values = ((weight, record[weight.name][0].tolist()) for weight in WEIGHTS)
    return {each.name: dict(zip(each.words, of, strict=True)) if each.words else of for each, of in values}


def vector(record: np.ndarray) -> np.ndarray:
    """Weights [1] as float64 [N], N being all their numbers: a copy."""
    return record.view(np.float64).copy()


def from_vector(numbers: np.ndarray) -> np.ndarray:
    """Float64 [N] as weights [1] to play with: a view."""
    return read_only(numbers.view(WEIGHT_RECORD))


def bounds(name: str) -> np.ndarray:
    """The `step`, the `low` or the `high` of every number: float64 [N]."""
    record = np.zeros(1, WEIGHT_RECORD)
    for weight in WEIGHTS:
        record[weight.name] = getattr(weight, name)
    return vector(record)


def write_weights(path: Path, record: np.ndarray, made: dict[str, Any]) -> None:
    """Write weights [1] to a file, with how they were made."""
    FILES.write(path, {"made": made, "weights": as_plain(record)})


def _same_names(what: str, plain: Any, names: Any) -> None:
    if not isinstance(plain, dict) or set(plain) != set(names):
        raise WeightsError(f"{what} must name exactly {', '.join(names)}")


def _number(weight: Weight, name: str, value: object) -> float:
    check({name: value}, {name: number(weight.low, weight.high)}, WeightsError)
    return float(cast(float, value))


FILES = WeightFiles("oddville-weights", FOLDER, SETS, lambda plain: as_record(plain.get("weights")))
weight_set, how_made = FILES.weight_set, FILES.how_made


def weights_table() -> str:
    """Return what every weight means, as markdown."""
    texts = {weight: weight.text + (f": {', '.join(weight.words)}" if weight.words else "") for weight in WEIGHTS}
    return markdown(("weight", "meaning"), [(f"`{weight.name}`", text) for weight, text in texts.items()])


def results_table() -> str:
    """The results of the tuned sets: against `simple` in all other seats, and as forecasts beside equal chances."""
    rows: list[tuple[object, ...]] = []
    for players in PLAYERS:
        made = how_made("tuned", players)
        games, fit = made["against_simple"], made["chances"]
        share = f"{games['won']:.1%} ({games['low']:.1%} to {games['high']:.1%})"
        forecasts = [f"{fit[name]:.3f} ({fit[f'even_{name}']:.3f})" for name in ("log_loss", "brier")]
        rows.append((players, made["games"], games["games"], share, *forecasts))
    head = ("players", "games to tune", "games against simple", "won (95 %)", "log loss (even)", "Brier (even)")
    return markdown(head, rows)


if __name__ == "__main__":
    print(weights_table(), results_table(), sep="\n\n")
