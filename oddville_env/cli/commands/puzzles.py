"""`puzzles`: generate, print and play the puzzles for one player."""

import json
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import track

from oddville_env.cli.app import App
from oddville_env.cli.options import argument, option
from oddville_env.cli.output import check_out, out_file, terminal
from oddville_env.cli.page import Folder, Host, Port, lobby_of, tell
from oddville_env.core.checked.settings import whole_number
from oddville_env.core.disk.files import STANDARD_OUTPUT
from oddville_env.core.errors import SettingError, shown, shown_path
from oddville_env.core.game.game_type import GameType
from oddville_env.core.game.seeds import check_seed
from oddville_env.oldtown.cards import Deck, base_deck, load_deck
from oddville_env.oldtown.deduction.puzzle import Puzzle, printed_puzzles, read_puzzles
from oddville_env.oldtown.deduction.solver import find
from oddville_env.oldtown.scene.puzzles import LARGEST_SEED, puzzle_named
from oddville_env.oldtown.solo.generator import LEVELS, generate
from oddville_env.oldtown.svg.puzzles import html, pages

MOST_PUZZLES = 1_000_000

DeckFile = Annotated[Path | None, option("Deck file.", "--deck", default="the base deck")]
Level = Annotated[str, option(f"Difficulty: {', '.join(LEVELS)}.")]
Count = Annotated[int, option("Number of puzzles.")]
Seed = Annotated[int, option("Seed of the puzzles.")]
HideMine = Annotated[bool, option("Leave out which buildings are own.")]


def add_to(app: App) -> None:
    """Add the group to the program."""
    puzzles = App(app.game_type, help="Generate, print and play puzzles for one player.")
    puzzles.command("generate")(generate_puzzles)
    puzzles.command("print")(print_puzzles)
    puzzles.command("play")(play_puzzles)
    app.add_typer(puzzles, name="puzzles")


def deck_of(path: Path | None) -> Deck:
    """The deck of a file, or the base deck."""
    return base_deck() if path is None else load_deck(path)


def puzzles_of(path: Path, deck: Deck) -> list[Puzzle]:
    """The puzzles of a file. Raises SettingError where there is none."""
    puzzles = read_puzzles(path, deck)
    if not puzzles:
        raise SettingError(f"{shown_path(path)}: there is no puzzle in it")
    return puzzles


def amount(number: int, what: str) -> str:
    """A number of things, in words."""
    return f"{number} {what}{'' if number == 1 else 's'}"


def generate_puzzles(
    level: Level = "medium",
    count: Count = 10,
    seed: Seed = 0,
    hide_mine: HideMine = False,
    out: Annotated[Path, option("File to write, one puzzle per line; - is standard output.")] = Path(STANDARD_OUTPUT),
    deck: DeckFile = None,
) -> None:
    """Generate puzzles with exactly one solution and no redundant clue; Ctrl-C keeps finished ones."""
    whole_number("count", count, 1, MOST_PUZZLES)
    check_out(out)
    made = generate(level, seed, hide_mine, deck_of(deck))
    puzzles: list[Puzzle] = []
    try:
        for puzzle in track(islice(made, count), "making", total=count, console=terminal(err=True), transient=True):
            puzzles.append(puzzle)
    except KeyboardInterrupt:
        typer.echo(f"interrupted after {amount(len(puzzles), 'puzzle')}", err=True)
    with out_file(out) as file:
        file.writelines(json.dumps(puzzle.plain()) + "\n" for puzzle in puzzles)
    typer.echo(f"{amount(len(puzzles), 'puzzle')} written to {shown_path(out)}", err=True)


def print_puzzles(
    file: Annotated[Path | None, argument("File of puzzles.", default="the eight of the rulebook")] = None,
    out: Annotated[Path, option("File to write: .html, or .svg for one file per page.")] = Path("puzzles.html"),
    solutions: Annotated[bool, option("Add pages with the solutions.")] = True,
    deck: DeckFile = None,
) -> None:
    """Lay out puzzles on A4 pages, with the solutions on separate pages."""
    if out.suffix not in (".html", ".svg"):
        raise SettingError(f"out must end in .html or .svg, not {shown(out.name)}")
    files = [out]
    check_out(out)
    cards = deck_of(deck)
    asked = list(printed_puzzles()) if file is None else puzzles_of(file, cards)
    drawn = pages([_solved(puzzle, cards) for puzzle in asked] if solutions else asked, cards, solutions)
    documents = [html(drawn)]
    if out.suffix == ".svg":
        files = [out.with_stem(f"{out.stem}-{number}") for number in range(1, len(drawn) + 1)]
        documents = drawn
    _write(files, documents)
    typer.echo(
        f"{amount(len(asked), 'puzzle')} on {amount(len(drawn), 'page')}: {', '.join(map(str, files))}", err=True
    )


def play_puzzles(
    game_type: GameType,
    puzzle: Annotated[int | None, option("Number of a printed puzzle, 1 to 8.")] = None,
    level: Annotated[str | None, option(f"Difficulty of a new puzzle: {', '.join(LEVELS)}.")] = None,
    seed: Annotated[int | None, option("With --level: seed of the puzzle.", default="random")] = None,
    host: Host = "127.0.0.1",
    port: Port = 8000,
    folder: Folder = None,
    deck: DeckFile = None,
) -> None:
    """Solve a puzzle in a browser; without --puzzle and --level the page offers a choice."""
    if puzzle is not None and level is not None:
        raise SettingError("give --puzzle or --level, not both")
    name = f"{level}-{check_seed(seed) % LARGEST_SEED}" if level else str(puzzle or "")
    if name:
        puzzle_named(deck_of(deck), name)
    settings = {option.name: option.default for option in game_type.options} | {"deck": deck}
    serve, lobby = lobby_of(game_type, [], folder, settings)
    place = f"#puzzle={name}&of={game_type.name}" if name else ""
    serve(lobby, host, port, lambda *addresses: tell(addresses, place, lobby))


def _solved(puzzle: Puzzle, deck: Deck) -> Puzzle:
    """The puzzle with a solution: its own, or the first that is found. Raises SettingError where it has none."""
    if puzzle.solution is not None:
        return puzzle
    found = find(puzzle, deck, most=1)
    if not found.solutions:
        none = "has no solution" if found.complete else "leaves so much open that no solution was found"
        raise SettingError(f"puzzle {puzzle.name or 'without a name'} {none}: print it with --no-solutions")
    return puzzle._replace(solution=found.solutions[0].placement)


def _write(files: Sequence[Path], documents: Sequence[str]) -> None:
    for path, document in zip(files, documents, strict=True):
        with out_file(path) as file:
            file.write(document)
