"""`oddville simulate`, `watch`, `agents`: agents at the table."""

import json
import time
from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.progress import track
from rich.table import Table

from oddville_env.cli.options import (
    CardFolder,
    Columns,
    Games,
    Rounds,
    Seed,
    split_specs,
)
from oddville_env.core.checks import whole_number
from oddville_env.core.errors import SettingError
from oddville_env.core.files import check_writable, written_whole
from oddville_env.core.game_type import Outcome
from oddville_env.envs.live_game import LiveGame
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oddville.moves import words
from oddville_env.oddville.position import position
from oddville_env.oddville.rules.state import DEFAULT_TABLE, SEATS
from oddville_env.oddville.settings import MAX_ROUNDS, make_box
from oddville_env.oddville.text import draw_text

LONGEST_DELAY = 60  # seconds

Seated = Annotated[str, typer.Option("--agents", help="The agents by seat, 2 to 4, with commas: greedy,random.")]


def add_to(app: typer.Typer) -> None:
    """Add the commands of this file."""
    for command in (simulate, watch, agents):
        app.command()(command)


def _seat(specs: str) -> list[Any]:
    """An agent for each seat; the agents' package is found at run time."""
    named = split_specs(specs)
    if not 2 <= len(named) <= SEATS:
        raise SettingError(f"--agents must name 2 to {SEATS} agents, not {len(named)}")
    return [import_module("oddville_agents").make_agent(spec) for spec in named]


def simulate(
    agents: Seated,
    games: Games = 100,
    seed: Seed = 0,
    out: Annotated[Path | None, typer.Option(help="Write the records to this file, one a line.")] = None,
    table: Columns = DEFAULT_TABLE,
    max_rounds: Rounds = MAX_ROUNDS,
    cards: CardFolder = None,
) -> None:
    """Play games between agents and sum them up; Ctrl-C keeps the games that are finished."""
    seated = _seat(agents)
    live = LiveGame(ODDVILLE, make_box(len(seated), table, max_rounds, cards))
    whole_number("games", games, 1)
    if out is not None:
        check_writable(out)
    play = import_module("oddville_agents.play").play
    outcomes: list[Outcome] = []
    records: list[dict[str, Any]] = []
    try:
        for deal in track(range(seed, seed + games), "playing", console=Console(stderr=True), transient=True):
            outcomes.append(play(live, seated, deal))
            if out is not None:
                records.append(live.game.record())
    except KeyboardInterrupt:
        typer.echo(f"interrupted after {len(outcomes)} games", err=True)
    finally:
        if out is not None and records:
            with written_whole(out) as file:
                file.writelines(json.dumps(record) + "\n" for record in records)
            typer.echo(f"{len(records)} records written to {out}", err=True)
    if outcomes:
        Console().print(_summary(split_specs(agents), outcomes))


def _summary(specs: Sequence[str], outcomes: Sequence[Outcome]) -> Table:
    cut = sum(outcome.truncated for outcome in outcomes)
    table = Table(title=f"{len(outcomes)} games, {cut} cut off", title_justify="left")
    for column in ("seat", "agent", "won", "mean score", "mean rank"):
        table.add_column(column, justify="left" if column == "agent" else "right")
    for seat, spec in enumerate(specs):
        won = sum(outcome.winner == seat for outcome in outcomes) / len(outcomes)
        score = sum(outcome.scores[seat] for outcome in outcomes) / len(outcomes)
        rank = sum(outcome.ranks[seat] for outcome in outcomes) / len(outcomes)
        table.add_row(str(seat), spec, f"{won:.1%}", f"{score:.1f}", f"{rank:.2f}")
    return table


def watch(
    agents: Seated = "greedy,greedy",
    seed: Seed = 0,
    delay: Annotated[float, typer.Option(help="Seconds between moves.")] = 1.0,
    table: Columns = DEFAULT_TABLE,
    max_rounds: Rounds = MAX_ROUNDS,
    cards: CardFolder = None,
) -> None:
    """Watch a game in the terminal, move by move."""
    if not 0 <= delay <= LONGEST_DELAY:
        raise SettingError(f"delay must be from 0 to {LONGEST_DELAY} seconds, not {delay}")
    seated = _seat(agents)
    live = LiveGame(ODDVILLE, make_box(len(seated), table, max_rounds, cards))
    console = Console(highlight=False, soft_wrap=True)

    def show(said: str) -> None:
        console.clear()
        console.print(draw_text(position(live.box, live.state), live.box.cards), markup=False)
        console.print(f"\n{said}", markup=False)
        time.sleep(delay)

    def before(live: LiveGame, action: int) -> None:
        show(f"seat {live.to_move} ({seated[live.to_move].name}): {words(live.box.layout)[action]}")

    outcome = import_module("oddville_agents.play").play(live, seated, seed, before)
    show(f"seat {outcome.winner} wins, scores {list(outcome.scores)}")


def agents() -> None:
    """List the agents that a spec may name."""
    table = Table(title="agents", title_justify="left")
    for column in ("name", "class", "what it does"):
        table.add_column(column)
    for name, home in import_module("oddville_agents").built_in().items():
        table.add_row(name, home, _described(home))
    Console().print(table)
    typer.echo("also package.module:Class, ./file.py:Class and ./model.safetensors, each with :key=value,key=value")


def _described(home: str) -> str:
    """The first line of what a class says of itself; a plug-in may be broken."""
    module, _, found = home.rpartition(":")
    try:
        return (getattr(import_module(module), found).__doc__ or "").splitlines()[0]
    except Exception as error:
        return f"cannot be loaded ({type(error).__name__}: {error})"
