"""`puzzles`: the game for one: puzzles are made, laid out to be printed, and played."""

import json
from collections.abc import Sequence
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer
from rich.progress import track

from oddville_env.cli.app import App
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

DeckFile = Annotated[Path | None, typer.Option("--deck", help="Another deck.json.")]
Level = Annotated[str, typer.Option(help=f"How hard: {', '.join(LEVELS)}.")]
Count = Annotated[int, typer.Option(help="How many puzzles.")]
Seed = Annotated[int, typer.Option(help="The same seed gives the same puzzles.")]
HideMine = Annotated[bool, typer.Option(help="Withhold the list of own buildings.")]


def add_to(app: App) -> None:
    """Add the commands of this file as a group."""
    puzzles = App(app.game_type, help="Puzzles: make them, and lay them out to be printed.")
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
    out: Annotated[Path, typer.Option(help="Write them to this file, one a line; - prints them.")] = Path(
        STANDARD_OUTPUT
    ),
    deck: DeckFile = None,
) -> None:
    """Make puzzles, each with one placement and no clue too many; Ctrl-C keeps those that are made."""
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
    file: Annotated[Path | None, typer.Argument(help="A file of puzzles; without one, those of the rulebook.")] = None,
    out: Annotated[Path, typer.Option(help="The document: .html, or .svg for a file a page.")] = Path("puzzles.html"),
    solutions: Annotated[bool, typer.Option(help="Add pages with the solutions.")] = True,
    deck: DeckFile = None,
) -> None:
    """Lay puzzles out on pages of A4, with their solutions on pages of their own."""
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
    puzzle: Annotated[int | None, typer.Option(help="A puzzle of the rulebook, 1 to 8.")] = None,
    level: Annotated[str | None, typer.Option(help=f"A new one: {', '.join(LEVELS)}.")] = None,
    seed: Annotated[int | None, typer.Option(help="With --level: the same seed gives the same puzzle.")] = None,
    host: Host = "127.0.0.1",
    port: Port = 8000,
    folder: Folder = None,
    deck: DeckFile = None,
) -> None:
    """Solve a puzzle in a browser, with a pencil and hints; without --puzzle and --level the page lets one choose."""
    if puzzle is not None and level is not None:
        raise SettingError("give --puzzle or --level, not both")
    name = f"{level}-{check_seed(seed) % LARGEST_SEED}" if level else str(puzzle or "")
    if name:
        puzzle_named(deck_of(deck), name)
    settings = {option.name: option.default for option in game_type.options} | {"deck": deck}
    web, lobby = lobby_of(game_type, [], folder, settings)
    place = f"#puzzle={name}&of={game_type.name}" if name else ""
    web.serve(lobby, host, port, lambda *addresses: tell(addresses, place, lobby))


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
