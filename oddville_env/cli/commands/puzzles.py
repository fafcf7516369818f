"""`oldtown solve` and `oldtown puzzles`: the game for one."""

import json
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import track

from oddville_env.cli.app import App
from oddville_env.cli.commands.serve import Folder, Host, Port, lobby_of, tell
from oddville_env.cli.options import JsonOut
from oddville_env.cli.output import check_out, out_file, terminal, write_json
from oddville_env.core.checks import whole_number
from oddville_env.core.errors import SettingError, shown, shown_path
from oddville_env.core.files import STANDARD_OUTPUT
from oddville_env.core.game_type import GameType
from oddville_env.core.seeds import check_seed
from oddville_env.oldtown.cards import Deck, base_deck, load_deck
from oddville_env.oldtown.scene.puzzles import LARGEST_SEED, puzzle_named
from oddville_env.oldtown.solo.generator import LEVELS, generate
from oddville_env.oldtown.solo.proof import Proof, prove
from oddville_env.oldtown.solo.puzzle import Puzzle, printed_puzzles, read_puzzles
from oddville_env.oldtown.solo.solver import MOST_SOLUTIONS, Solution, find
from oddville_env.oldtown.svg.puzzles import clue_lines, html, pages
from oddville_env.oldtown.text import draw_town

MOST_PUZZLES = 1_000_000

DeckFile = Annotated[Path | None, typer.Option("--deck", help="Another deck.json.")]
Which = Annotated[str, typer.Argument(help="The number of a printed puzzle, 1 to 8, or a file of puzzles.")]
Index = Annotated[int, typer.Option(help="Which puzzle of the file, from 0.")]
Level = Annotated[str, typer.Option(help=f"How hard: {', '.join(LEVELS)}.")]
Count = Annotated[int, typer.Option(help="How many puzzles.")]
Seed = Annotated[int, typer.Option(help="The same seed gives the same puzzles.")]
HideMine = Annotated[bool, typer.Option(help="Withhold the list of own buildings.")]


def add_to(app: App) -> None:
    """Add the commands of this file."""
    puzzles = App(app.game_type, help="Puzzles: make them, and lay them out to be printed.")
    app.command()(solve)
    puzzles.command("generate")(generate_puzzles)
    puzzles.command("print")(print_puzzles)
    puzzles.command("play")(play_puzzles)
    app.add_typer(puzzles, name="puzzles")


def solve(
    puzzle: Which,
    index: Index = 0,
    proof: Annotated[bool, typer.Option(help="Tell step by step why there is no other solution.")] = True,
    deck: DeckFile = None,
    json_out: JsonOut = None,
) -> None:
    """Find every solution of a puzzle, and tell why there is no other one; of very many the first ones."""
    check_out(json_out)
    cards = _deck(deck)
    asked = _puzzle(puzzle, index, cards)
    with terminal(err=True).status("solving"):
        solutions, complete = find(asked, cards)
        found = Proof(tuple(solutions), ())
        if proof and complete and len(solutions) < MOST_SOLUTIONS:
            found = prove(asked, cards)
    console = terminal(json_out)
    for line in _told(asked, found, cards, complete):
        console.print(line, soft_wrap=True)
    if json_out is not None:
        write_json(json_out, _plain(found, complete))


def _deck(path: Path | None) -> Deck:
    return base_deck() if path is None else load_deck(path)


def _puzzle(which: str, index: int, deck: Deck) -> Puzzle:
    printed = printed_puzzles()
    if which.isdecimal() and not Path(which).exists():
        return printed[whole_number("puzzle", int(which), 1, len(printed)) - 1]
    puzzles = _read(Path(which), deck)
    return puzzles[whole_number("index", index, 0, len(puzzles) - 1)]


def _read(path: Path, deck: Deck) -> list[Puzzle]:
    """The puzzles of a file. Raises SettingError where there is none."""
    puzzles = read_puzzles(path, deck)
    if not puzzles:
        raise SettingError(f"{shown_path(path)}: there is no puzzle in it")
    return puzzles


def _told(puzzle: Puzzle, proof: Proof, deck: Deck, complete: bool) -> Iterator[str]:
    """The clues, the solutions and the proof; complete: they are all."""
    yield from clue_lines(puzzle, deck)
    by_placement: dict[tuple[str, ...], list[Solution]] = {}
    for solution in proof.solutions:
        by_placement.setdefault(solution.placement, []).append(solution)
    at_least = "" if complete else "at least "
    yield f"\n{at_least}{_amount(len(by_placement), 'placement')}, {_amount(len(proof.solutions), 'solution')}"
    for placement, solutions in by_placement.items():
        yield "\n".join(draw_town({key: [lot] for lot, key in enumerate(placement, 1)}, deck))
        for solution in solutions:
            yield f"own: {', '.join(deck.buildings[deck.index(key)].name for key in solution.mine)}"
    if proof.steps:
        yield ""
    yield from map(str, proof.steps)


def _amount(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _plain(proof: Proof, complete: bool) -> dict[str, Any]:
    return {
        "solutions": [{"placement": list(each.placement), "mine": list(each.mine)} for each in proof.solutions],
        "complete": complete,
        "steps": [{"depth": step.depth, "text": step.text} for step in proof.steps],
    }


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
    made = generate(level, seed, hide_mine, _deck(deck))
    puzzles: list[Puzzle] = []
    try:
        for puzzle in track(islice(made, count), "making", total=count, console=terminal(err=True), transient=True):
            puzzles.append(puzzle)
    except KeyboardInterrupt:
        typer.echo(f"interrupted after {_amount(len(puzzles), 'puzzle')}", err=True)
    with out_file(out) as file:
        file.writelines(json.dumps(puzzle.plain()) + "\n" for puzzle in puzzles)
    typer.echo(f"{_amount(len(puzzles), 'puzzle')} written to {shown_path(out)}", err=True)


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
    cards = _deck(deck)
    asked = list(printed_puzzles()) if file is None else _read(file, cards)
    drawn = pages([_solved(puzzle, cards) for puzzle in asked] if solutions else asked, cards, solutions)
    documents = [html(drawn)]
    if out.suffix == ".svg":
        files = [out.with_stem(f"{out.stem}-{number}") for number in range(1, len(drawn) + 1)]
        documents = drawn
    _write(files, documents)
    typer.echo(
        f"{_amount(len(asked), 'puzzle')} on {_amount(len(drawn), 'page')}: {', '.join(map(str, files))}", err=True
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
        puzzle_named(_deck(deck), name)
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
