"""Records of games: JSON whose fields are checked before anything is replayed, and held to what was replayed."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import Any, NamedTuple

from oddville_env.core.checked import OBJECT, ValueKind, several, text, whole
from oddville_env.core.disk.reading import parse_json
from oddville_env.core.errors import RecordError, SettingError, shown

RESULTS = dict.fromkeys(("scores", "ranks"), several(whole()).or_none())
"""The fields of a game's end that every record has; null where the game is not over."""
MOVES = several(text())


class RecordFormat(NamedTuple):
    """A game's records: the format's name and version, and the kinds of the other fields."""

    name: str
    version: int
    fields: Mapping[str, ValueKind]
    """With `moves` and RESULTS."""
    dealt: tuple[str, ...] = ()
    """The fields that a game is made from."""
    compared: tuple[str, ...] = ()
    """The fields that must be as the replayed game has them."""

    @property
    def head(self) -> dict[str, Any]:
        """The fields that say what a file holds."""
        return {"format": self.name, "version": self.version}

    def read(self, record: object) -> Mapping[str, Any]:
        """A record, or the one in a line of JSON, with every field of its kind; raises RecordError."""
        if isinstance(record, str):
            try:
                record = parse_json(record)
            except ValueError as error:
                raise RecordError(f"this is not JSON ({error}): the record may have been cut off") from None
        if not isinstance(record, Mapping):
            raise RecordError(f"a record is {OBJECT.expected} of JSON, not {shown(record)}")
        if record.get("format") != self.name:
            raise RecordError(f"field format: expected {self.name!r}, not {shown(record.get('format'))}")
        if not whole(self.version, self.version).holds(record.get("version")):
            raise RecordError(f"field version: this is version {shown(record.get('version'))}, expected {self.version}")
        for name, kind in self.fields.items():
            if name not in record:
                raise RecordError(f"field {name} is missing")
            if not kind.holds(record[name]):
                raise RecordError(f"field {name}: {kind.fault(record[name])}")
        return record


def game_of_record(
    form: RecordFormat,
    told: object,
    make_game: Callable[..., Any],
    check: Callable[[Any, Mapping[str, Any], int], None] = lambda game, record, number: None,
    **data: Any,
) -> Any:
    """The game of a record (or its line of JSON), made by the class for games and compared with what the record says.

    data: what a record does not hold. check: called with game, record and the number of each move, from 1, behind it.
    Raises RecordError.
    """
    record = form.read(told)
    try:
        game = make_game(seed=0, **{name: record[name] for name in form.dealt}, **data)
    except SettingError as error:
        raise RecordError(f"the record has no deal that can be played: {error}") from None
    push_all(game, record["moves"], partial(check, game, record))
    compare(record, game, form.compared)
    return game


def push_all(game: Any, words: Iterable[str], check: Callable[[int], None] = lambda number: None) -> None:
    """Play the moves of a record; check: called with the number of each, from 1, behind it. Raises RecordError."""
    for number, word in enumerate(words, 1):
        try:
            game.push(word)
        except ValueError as error:
            raise RecordError(f"move {number}: {error}") from None
        check(number)


def compare(record: Mapping[str, Any], game: Any, names: Iterable[str]) -> None:
    """Raises RecordError for the first of some fields that is not as the game has it, which has been replayed."""
    played = game.record()
    if not game.is_over and record["scores"] is not None:
        last = f"after move {len(record['moves'])}, the record's last"
        raise RecordError(f"the game is not over {last}: it may have been cut off")
    for name in names:
        if record[name] != played[name]:
            raise RecordError(f"{name}: the record says {shown(record[name])}, the game has {shown(played[name])}")
