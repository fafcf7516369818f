"""The weights of greedy's value function: what each one means, and the sets of them that come with the package."""

import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from oddville_env.cards.words import Bonus, Character, Counts, Resource
from oddville_env.errors import OddVilleError
from oddville_env.rules.state import WORKER_CARDS

FOLDER = Path(__file__).resolve().parent / "weight_sets"
FORMAT, FORMAT_VERSION = "oddville-weights", 1

CARDS = tuple(str(card) for card in range(1, WORKER_CARDS + 1))


class WeightsError(OddVilleError):
    """A set of weights that is not there, or that does not name the weights there are."""


class Weight(NamedTuple):
    """A weight of the value function: one number, or one for each of `words`."""

    name: str
    text: str
    words: tuple[str, ...] = ()


WEIGHTS = (
    Weight("rivals", "the best rival's outlook counts against one's own"),
    Weight("schemes", "how much of a rival's hopes belongs to its outlook, beside its score"),
    Weight("hurry", "how much more a lead is worth at the end of the game than at its start"),
    Weight("win", "points for having won, lost for having not, when the game is over"),
    Weight("tempo", "points for being the next to play; the last to play has none"),
    Weight("pace", "turns that a building takes, from buying to building, when nothing is known of it"),
    Weight("end", "how surely a building that comes too late is lost, 0 to 1"),
    Weight("slack", "turns over which a building comes too late little by little"),
    Weight("fade", "how much of the worth of means goes as the game goes to its end, 0 to 1"),
    Weight("turn", "a building is worth this much of itself for each turn that it is away"),
    Weight("delay", "points that a turn costs, for each turn that a building is away"),
    Weight("second", "the second-best building counts so much beside the best"),
    Weight("queue", "how much of the best building's turns the second waits for"),
    Weight("shared", "how much of the best building's cost the second cannot use"),
    Weight("row", "a building of the row, which others may take, beside a held one"),
    Weight("wait", "turns for each missing resource", Resource.words()),
    Weight("short", "turns for each coin that is missing"),
    Weight("unplaced", "points promised by a building that fits nowhere yet"),
    Weight("growth", "cards that a formula will yet count, for each building that its owner may build", Counts.words()),
    Weight("ripe", "how much of the growth of a building that stands counts"),
    Weight("bonus", "points of a bonus, pending or promised", Bonus.words()),
    Weight("favour", "how much of the character that a guild's building brings counts for it"),
    Weight("loose", "how much of a character is in danger once its guild's pile is empty"),
    Weight("power", "points of a character's use, beside those printed on it", Character.words()),
    Weight("wane", "how much of a character's use goes as the game goes to its end, 0 to 1"),
    Weight("coin", "points of the first coin"),
    Weight("saving", "every further coin is worth this much of the one before"),
    Weight("card", "points of a worker card in hand", CARDS),
    Weight("hand", "points of so many cards in hand, beside their own", CARDS),
    Weight("spare", "points of a resource that no held building needs, beside its own", Resource.words()),
    Weight("flip", "points of turning a coin over, with room for one more building"),
    Weight("temperature", "points of lead that make winning e times as likely as losing", ("early", "late")),
)  # fmt: skip
WEIGHT_RECORD = np.dtype(
    (np.record, np.dtype([(weight.name, "f8", (len(weight.words),) if weight.words else ()) for weight in WEIGHTS]))
)


def weight_set(name: str, players: int) -> np.ndarray:
    """The weights [1] of the set `tuned` for so many players, of `simple`, or of a json file. Raises WeightsError."""
    if str(name).endswith(".json"):
        return _read(Path(name))
    path = FOLDER / f"{players if name == 'tuned' else name}.json"
    if name not in ("tuned", "simple"):
        raise WeightsError(f"there are no weights {name!r}: expected tuned, simple or a .json file")
    return _read(path)


@cache
def _read(path: Path) -> np.ndarray:
    try:
        plain = json.loads(path.read_bytes())
    except FileNotFoundError:
        raise WeightsError(f"there is no file {path}, expected weights of greedy") from None
    except (OSError, ValueError, RecursionError) as error:
        raise WeightsError(f"{path} is no JSON ({error}), expected weights of greedy") from None
    if not isinstance(plain, dict) or (plain.get("format"), plain.get("version")) != (FORMAT, FORMAT_VERSION):
        raise WeightsError(f"{path} holds no weights, expected format {FORMAT!r}, version {FORMAT_VERSION}")
    try:
        return as_record(plain["weights"])
    except (KeyError, WeightsError) as error:
        raise WeightsError(f"{path}: {error}") from None


def as_record(plain: Any) -> np.ndarray:
    """Weights [1] from {name: number, name: {word: number}}. Raises WeightsError where names or numbers are wrong."""
    record = np.zeros(1, WEIGHT_RECORD)
    _same_names("weights", plain, [weight.name for weight in WEIGHTS])
    for weight in WEIGHTS:
        given = plain[weight.name]
        if weight.words:
            _same_names(weight.name, given, weight.words)
            record[weight.name][0] = [_number(f"{weight.name}.{word}", given[word]) for word in weight.words]
        else:
            record[weight.name] = _number(weight.name, given)
    record.flags.writeable = False
    return record


def as_plain(record: np.ndarray) -> dict[str, Any]:
    """Weights [1] as {name: number, name: {word: number}}."""
    return {
        weight.name: dict(zip(weight.words, record[weight.name][0].tolist(), strict=True))
        if weight.words
        else float(record[weight.name][0])
        for weight in WEIGHTS
    }


def _same_names(what: str, plain: Any, names: Any) -> None:
    if not isinstance(plain, dict) or set(plain) != set(names):
        raise WeightsError(f"{what} must name exactly {', '.join(names)}")


def _number(name: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not np.isfinite(value):
        raise WeightsError(f"{name} must be a number, not {value!r}")
    return float(value)
