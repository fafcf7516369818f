"""`puzzles` and `solve`: the puzzles for one player."""

from collections.abc import Iterator
from itertools import islice
from pathlib import Path
from typing import Annotated

import typer

from oddville_env.cli.app import add_command
from oddville_env.cli.commands.datasets import DataSet, amount, check_suffix, write_entries
from oddville_env.cli.commands.play import Folder, Host, Port, lobby_of, tell
from oddville_env.cli.options import JsonOut, argument, option, out_option
from oddville_env.cli.output import terminal, write_json, write_out
from oddville_env.core.checked import check_seed, whole_number
from oddville_env.core.disk.files import STANDARD_OUTPUT
from oddville_env.core.errors import SettingError, shown, shown_path
from oddville_env.core.game.game_type import GameType
from oddville_env.oldtown.cards import Deck
from oddville_env.oldtown.deduction.proof import Proof, prove
from oddville_env.oldtown.deduction.puzzle import Puzzle, printed_puzzles, read_puzzles
from oddville_env.oldtown.deduction.solver import MOST_SOLUTIONS, Solution, find
from oddville_env.oldtown.scene.puzzles import LARGEST_SEED, puzzle_named
from oddville_env.oldtown.settings import read_deck
from oddville_env.oldtown.solo.dataset import entries
from oddville_env.oldtown.solo.generator import LEVELS, generate
from oddville_env.oldtown.svg.puzzles import clue_lines, html, pages
from oddville_env.oldtown.text import draw_town

DeckFile = Annotated[Path | None, option("Deck file.", "--deck", default="the base deck")]
Level = Annotated[str, option(f"Difficulty: {', '.join(LEVELS)}.")]
Count = Annotated[int, option("Number of puzzles.")]
Seed = Annotated[int, option("Seed of the puzzles.")]
HideMine = Annotated[bool, option("Hide which buildings are the player's own.")]


def group(game_type: GameType) -> typer.Typer:
    """The commands about puzzles."""
    puzzles = typer.Typer(no_args_is_help=True, help="Generate, print and play puzzles for one player.")
    add_command(puzzles, game_type, generate_puzzles, "generate")
    add_command(puzzles, game_type, dataset_of_puzzles, "dataset")
    add_command(puzzles, game_type, print_puzzles, "print")
    add_command(puzzles, game_type, play_puzzles, "play")
    return puzzles


def puzzles_of(path: Path, deck: Deck) -> list[Puzzle]:
    """The puzzles of a file. Raises SettingError where there is none."""
    puzzles = read_puzzles(path, deck)
    if not puzzles:
        raise SettingError(f"{shown_path(path)}: there is no puzzle in it")
    return puzzles


def generate_puzzles(
    level: Level = "medium",
    count: Count = 10,
    seed: Seed = 0,
    hide_mine: HideMine = False,
    out: Annotated[Path, out_option("File to write, one puzzle per line; - is standard output.")] = Path(
        STANDARD_OUTPUT
    ),
    deck: DeckFile = None,
) -> None:
    """Generate puzzles with exactly one solution and no redundant clue; Ctrl-C keeps finished ones."""
    made = generate(level, seed, hide_mine, read_deck(deck))
    write_entries((puzzle.plain() for puzzle in made), count, out, "puzzle")


def dataset_of_puzzles(
    level: Level = "medium",
    count: Count = 10,
    seed: Seed = 0,
    hide_mine: HideMine = False,
    out: DataSet = Path(STANDARD_OUTPUT),
    deck: DeckFile = None,
) -> None:
    """Write puzzles as questions with answers and proofs in words, one per line; Ctrl-C keeps finished ones."""
    check_suffix(out)
    write_entries(entries(level, seed, hide_mine, read_deck(deck)), count, out, "puzzle")


def print_puzzles(
    file: Annotated[Path | None, argument("File of puzzles.", default="the eight of the rulebook")] = None,
    out: Annotated[Path, out_option("File to write: .html, or .svg for one file per page.")] = Path("puzzles.html"),
    solutions: Annotated[bool, option("Add pages with the solutions.")] = True,
    deck: DeckFile = None,
) -> None:
    """Lay out puzzles on A4 pages, with the solutions on separate pages."""
    if out.suffix not in (".html", ".svg"):
        raise SettingError(f"out must end in .html or .svg, not {shown(out.name)}")
    cards = read_deck(deck)
    asked = list(printed_puzzles()) if file is None else puzzles_of(file, cards)
    drawn = pages([_solved(puzzle, cards) for puzzle in asked] if solutions else asked, cards, solutions)
    files, documents = [out], [html(drawn)]
    if out.suffix == ".svg":
        files = [out.with_stem(f"{out.stem}-{number}") for number in range(1, len(drawn) + 1)]
        documents = drawn
    for path, document in zip(files, documents, strict=True):
        write_out(path, document)
    what = f"{amount(len(asked), 'puzzle')} on {amount(len(drawn), 'page')}"
    typer.echo(f"{what}: {', '.join(map(str, files))}", err=True)


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
        puzzle_named(read_deck(deck), name)
    settings = {option.name: option.default for option in game_type.options} | {"deck": deck}
    serve, lobby = lobby_of(game_type, [], folder, settings)
    fragment = f"#puzzle={name}&of={game_type.name}" if name else ""
    serve(lobby, host, port, lambda *addresses: tell(addresses, fragment, lobby))


def _solved(puzzle: Puzzle, deck: Deck) -> Puzzle:
    """The puzzle with a solution: its own, or the first that is found. Raises SettingError where it has none."""
    if puzzle.solution is not None:
        return puzzle
    found = find(puzzle, deck, most=1)
    if not found.solutions:
        none = "has no solution" if found.complete else "leaves so much open that no solution was found"
        raise SettingError(f"puzzle {puzzle.name or 'without a name'} {none}: print it with --no-solutions")
    return puzzle._replace(solution=found.solutions[0].placement)


SHOWN = 10  # placements, and sets of own buildings of each, that are printed

Which = Annotated[str, argument("Number of a printed puzzle, 1 to 8, or a file of puzzles.")]
Index = Annotated[int, option("Number of the puzzle in the file, from 0.")]


def solve(
    puzzle: Which,
    index: Index = 0,
    proof: Annotated[bool, option("Print the proof that there is no other solution.")] = True,
    deck: DeckFile = None,
    json_out: JsonOut = None,
) -> None:
    """Solve a puzzle: print its solutions and the proof that there is no other."""
    cards = read_deck(deck)
    asked = _puzzle(puzzle, index, cards)
    with terminal(err=True).status("solving"):
        solutions, complete = find(asked, cards)
        found = Proof(tuple(solutions), ())
        if proof and complete and len(solutions) < MOST_SOLUTIONS:
            found = prove(asked, cards)
    console = terminal(json_out)
    for line in _told(asked, found, cards, complete):
        console.print(line, soft_wrap=True)
    towns = [{"placement": list(each.placement), "mine": list(each.mine)} for each in found.solutions]
    steps = [{"depth": step.depth, "text": step.text} for step in found.steps]
    write_json(json_out, {"solutions": towns, "complete": complete, "steps": steps})


def _puzzle(which: str, index: int, deck: Deck) -> Puzzle:
    printed = printed_puzzles()
    if which.isdecimal() and not Path(which).exists():
        return printed[whole_number("puzzle", int(which), 1, len(printed)) - 1]
    puzzles = puzzles_of(Path(which), deck)
    return puzzles[whole_number("index", index, 0, len(puzzles) - 1)]


def _told(puzzle: Puzzle, proof: Proof, deck: Deck, complete: bool) -> Iterator[str]:
    """The clues, the first solutions and the proof; complete: there are no other solutions."""
    yield from clue_lines(puzzle, deck)
    if not puzzle.c and puzzle.mine is None:
        yield "There is no C card: nothing says which buildings are own, so every set of them is a solution."
    by_placement: dict[tuple[str, ...], list[Solution]] = {}
    for solution in proof.solutions:
        by_placement.setdefault(solution.placement, []).append(solution)
    at_least = "" if complete else "at least "
    yield f"\n{at_least}{amount(len(by_placement), 'placement')}, {amount(len(proof.solutions), 'solution')}"
    for placement, solutions in islice(by_placement.items(), SHOWN):
        yield "\n".join(draw_town({key: [lot] for lot, key in enumerate(placement, 1)}, deck))
        for solution in solutions[:SHOWN]:
            yield f"own: {', '.join(deck.buildings[deck.index(key)].name for key in solution.mine)}"
        if len(solutions) > SHOWN:
            yield f"and {amount(len(solutions) - SHOWN, 'other set')} of own buildings"
    if len(by_placement) > SHOWN:
        yield f"\nand {amount(len(by_placement) - SHOWN, 'other placement')}: --json writes all of them"
    if proof.steps:
        yield ""
    yield from map(str, proof.steps)
