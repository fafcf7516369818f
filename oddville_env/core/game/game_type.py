"""A game as one plain object of data and functions.

Environments, agents, tournaments and the command line take it as an argument; none of them names a game.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib import import_module
from importlib.metadata import EntryPoint
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple

from oddville_env.core.errors import SettingError, shown
from oddville_env.core.game.scene import Scene
from oddville_env.core.system.extras import entry_points
from oddville_env.core.system.interrupts import is_ctrl_c

NOBODY = -1  # of seats: no seat is to move
PLUG_INS = "oddville_env.games"
"""The entry-point group of other packages' games: a game's name = where its module has its `GameType`."""


class Outcome(NamedTuple):
    """The end of a game: scores and ranks (1 is best, equals share the better one) by seat.

    `truncated`: it was cut off by a limit. `trigger`: the seat that brought the end about, None where there is none.
    `end`: the law's word for how it ended, None where there is one way only.
    """

    scores: tuple[int, ...]
    ranks: tuple[int, ...]
    trigger: int | None = None
    truncated: bool = False
    end: str | None = None

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats of rank 1: several where the game knows ties."""
        return tuple(seat for seat, rank in enumerate(self.ranks) if rank == 1)

    @property
    def winner(self) -> int:
        """The first seat of rank 1: the winner, in games without ties."""
        return self.ranks.index(1)

    def win_share(self, seat: int) -> float:
        """1 for the winner, 0 for the others; winners share it."""
        return 1 / len(self.winners) if self.ranks[seat] == 1 else 0.0


class Option(NamedTuple):
    """A setting of a game as an option of commands; `data` are those that a record does not hold."""

    name: str
    kind: Any
    default: Any
    help: str
    data: bool = False


class CardSets(NamedTuple):
    """The card sets of a game: where the base set lies, what reads one (raises an error with `problems`), and what sums
    one up: name -> word -> how many.

    noun: what such a set is called; counted: what is counted in it; drawn: seed -> a set drawn at random, where there
    are such; files: set -> what the files of its folder hold, by their names.
    """

    base: Path
    load: Callable[[Path], Any]
    summary: Callable[[Any], dict[str, dict[str, int]]]
    noun: str = "card set"
    counted: str = "cards"
    drawn: Callable[[int], Any] | None = None
    files: Callable[[Any], Mapping[str, bytes]] | None = None


class Question(NamedTuple):
    """About a position. answer: words, separated by spaces; choices: all words, none where it is a number."""

    text: str
    answer: str
    choices: tuple[str, ...] = ()


class PromptTexts(NamedTuple):
    """What prompts for language models say of a game.

    digest: the rules in at most 900 words, with the ids of the law; left_out: the ids that it leaves out, each with the
    reason; meaning: the word of a move -> its meaning, in one line; card: (view, generator) -> a question about what a
    card does now, None where there is none; winners: position -> the seats that win if the game ends now; notes: view
    -> what prompts and questions say below the text of the position.
    """

    digest: str
    left_out: Mapping[str, str]
    meaning: Callable[[str], str]
    card: Callable[[Any, Any], Question | None]
    winners: Callable[[Mapping[str, Any]], list[int]]
    notes: Callable[[Any], str] = lambda view: ""


def at_first_use(path: str) -> Callable[[], Any]:
    """Returns a function that returns what lies at `module:name`; its first call imports the module."""
    module, _, name = path.partition(":")
    return lambda: getattr(import_module(module), name)


def of_cards(path: str) -> Callable[..., str]:
    """Returns a function (position, box, ...) that calls the function at `module:name` with the cards of the box."""
    found = at_first_use(path)
    return lambda position, box, *arguments, **more: found()(position, box.cards, *arguments, **more)


def dealing(
    orders: tuple[str, ...], check: Callable[..., Any], shuffled: Callable[[Any, Any, Any], Any]
) -> Callable[[Any, Any, Mapping[str, Any]], Any]:
    """Returns `deal` of a game: check(box, **orders) gives its deal, shuffled(box, seed, deal) the state."""
    return lambda box, seed, given: shuffled(box, seed, check(box, **{name: given.get(name) for name in orders}))


def _no_state(box: Any) -> Any:
    raise NotImplementedError("this game has no encoder of the global state")


@dataclass(frozen=True, eq=False)
class GameType:
    """A game.

    Letters of shapes: B games, P seats, A actions, N numbers of an observation. `games` are arrays of state records
    [B], `boxes` the array [1] of what is fixed for a game, as `box(settings).record` has it.
    """

    name: str
    """The name of its folder, console script and files; in capitals, of the object in module `game_type`."""
    title: str
    """Its name for people."""
    players: range
    """The numbers of players."""
    settings: type
    """Keywords -> the frozen settings of a game, checked; raises SettingError and what its data raise."""
    box: Callable[[Any], Any]
    """Settings -> the box; equal settings share one. A box (a `parts.values.DefensiveCopy`) has players, cards,
    layout, record and games (dtype)."""
    entries: ModuleType
    """Compiled entry points for Python: shuffle, lay_table, legal, step, perft, and for a seat canonicalize_hidden,
    canonical_copies and sample_unseen; each takes boxes, games and an index."""
    loops: Any
    """Compiled loops over many games, as `parts.loops.make_loops` makes them."""
    encodings: tuple[str, ...]
    """The names of the observations, the default one first."""
    make_encoder: Callable[[Any, str], Any]
    """(box, encoding) -> the encoder: pieces, shape, size, dtype, low, high, views, write, loops; or SettingError."""
    orders: tuple[str, ...]
    """Names of the hidden orders that a deal may fix."""
    deal: Callable[[Any, Any, Mapping[str, Any]], Any]
    """(box, seed uint64, orders) -> a shuffled state [1] with these orders in it; raises SettingError."""
    words: Callable[[Any], tuple[str, ...]]
    """Layout -> the word of every id."""
    outcome: Callable[[Any, Any, int], Outcome | None]
    """(box, games, index) -> how a game ended, None while it has not."""
    position: Callable[[Any, Any, int, int | None], dict[str, Any]]
    """(box, games, index, seat) -> the position as a seat sees it; seat None: everybody's knowledge together."""
    draw: Callable[..., str]
    """(position, box, last=None, fixed=False, thoughts=()) -> the table as an SVG picture, with room for what a later
    position has built, and with what an agent thinks of its moves; fixed: of one size all through a game."""
    draw_text: Callable[..., str]
    """(position, box, size=None) -> the table as text; size: (columns, lines), of which it takes no more."""
    game: Any
    """The class of games for people: a `PlayedGame` with from_record, record, sample_unseen, score_sheet."""
    cards: Any = None
    """Its `CardSets`."""
    tables: Mapping[str, Callable[[], str]] = field(default_factory=dict)
    """The tables of its pages by their names, printed from the code."""
    options: tuple[Option, ...] = ()
    """The settings beside `players`, as commands take them."""
    commands: tuple[str, ...] = ()
    """Commands that only this game has: `module.function` of `cli.commands`, or the module of a group."""
    rounds: Callable[[Any, Any], Any] | None = None
    """(box, games) -> how many rounds each of them has had, int [B]."""
    sources: tuple[str, ...] = ()
    """The sources of points, in the order of the loop `sources`; a seat's points by source add up to its score."""
    notes: Any = None
    """The dtype of what the loop `note_chance` notes of a game's chance while it is played, for its record."""
    record_lines: Callable[..., list[str]] | None = None
    """(box, seeds, ids of moves, notes, outcomes) of B games -> their records as JSON texts."""
    law: Path | None = None
    """Its law, in Markdown, for a page."""
    scene: Callable[[], Scene] | None = None
    """The game in parts, for a page; without it a page shows the picture and the words of the moves."""
    prompts: PromptTexts | None = None
    """The texts of prompts for language models; without them none can be written."""

    state_encoder: Callable[[Any], Any] = _no_state
    """Box -> the encoder of the global state: for centralised critics in training, never for policies."""

    def encoder(self, box: Any, encoding: str | None = None) -> Any:
        """Returns the encoder of an encoding, None for the default one; raises SettingError."""
        return self.make_encoder(box, self.encodings[0] if encoding is None else encoding)

    def __reduce__(self) -> tuple[Callable[[str], "GameType"], tuple[str]]:
        """A copy or pickle is the game itself."""
        return game_type, (self.name,)


@cache
def own_games() -> tuple[str, ...]:
    """The names of this package's games: the folders that hold one."""
    package = Path(__file__).parents[2]
    return tuple(sorted(module.parent.name for module in package.glob("*/game_type.py")))


def known_games() -> tuple[str, ...]:
    """The names of all games: this package's own, then those that other packages bring."""
    return *own_games(), *sorted(_plugged().keys() - set(own_games()))


def _plugged() -> dict[str, EntryPoint]:
    """The games of other packages, by their names."""
    return {point.name: point for point in entry_points(group=PLUG_INS)}


def game_type(name: "str | GameType") -> GameType:
    """Returns the game of a name, loaded on first use, or the game itself; raises SettingError."""
    if isinstance(name, GameType):
        return name
    if name in own_games():
        found: GameType = getattr(import_module(f"oddville_env.{name}.game_type"), name.upper())
        return found
    point = _plugged().get(name)
    if point is None:
        raise SettingError(f"there is no game {shown(name)}, expected {', '.join(known_games())}")
    return _loaded(point)


@cache
def _loaded(point: EntryPoint) -> GameType:
    """The game of another package; raises SettingError where it cannot be had from there."""
    try:
        found = point.load()
    except BaseException as error:
        if isinstance(error, KeyboardInterrupt) and is_ctrl_c():
            raise
        said = f"{type(error).__name__}: {error}".removesuffix(": ")
        raise SettingError(f"the game {point.name} cannot be loaded from {point.value} ({said})") from error
    if not isinstance(found, GameType) or found.name != point.name:
        raise SettingError(f"{point.value} must be a GameType that is named {point.name}, not {shown(found)}")
    return found
