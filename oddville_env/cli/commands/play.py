"""`simulate`, `watch`, `agents`: agents at the table."""

import json
import time
from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import track
from rich.table import Table
from rich.text import Text

from oddville_env.cli.lists import specs_of
from oddville_env.cli.options import Games, JsonOut, Seed, Settings
from oddville_env.cli.output import check_out, out_file, terminal, write_json
from oddville_env.cli.screen import Screen
from oddville_env.core.above import find_agents
from oddville_env.core.errors import OddVilleError, SettingError, shown
from oddville_env.core.game_type import GameType, Outcome
from oddville_env.core.seeds import check_seed
from oddville_env.envs.live_game import LiveGame

LONGEST_DELAY = 60  # seconds

Seated = Annotated[list[str], typer.Option("--agents", help="The agents by seat: greedy,random.")]
Watched = Annotated[list[str] | None, typer.Option("--agents", help="The agents by seat; two good ones if left out.")]


def add_to(app: typer.Typer) -> None:
    """Add the commands of this file."""
    for command in (simulate, watch, agents):
        app.command()(command)


def _seat(game_type: GameType, specs: Sequence[str]) -> list[Any]:
    """An agent for each seat; the agents' package is found at run time."""
    least, most = game_type.players[0], game_type.players[-1]
    if len(specs) not in game_type.players:
        raise SettingError(f"--agents must name {least} to {most} agents, not {len(specs)}")
    return [find_agents().make_agent(spec, game_type.name) for spec in specs]


def _live(game_type: GameType, players: int, settings: Settings) -> LiveGame:
    return LiveGame(game_type, game_type.box(game_type.settings(players, **settings)))


def simulate(
    game_type: GameType,
    agents: Seated,
    games: Games = 100,
    seed: Seed = 0,
    out: Annotated[Path | None, typer.Option(help="Write the records to this file, one a line; - prints them.")] = None,
    json_out: JsonOut = None,
    settings: Settings = {},  # noqa: B006  (nobody writes into it)
) -> None:
    """Play games between agents and sum them up; Ctrl-C keeps the games that are finished."""
    specs = specs_of(agents)
    seated, live = _seat(game_type, specs), _live(game_type, len(specs), settings)
    deals = range(check_seed(seed), seed + games)
    check_out(out, json_out)
    play = find_agents("play").play
    outcomes: list[Outcome] = []
    records: list[dict[str, Any]] = []
    try:
        for deal in track(deals, "playing", total=games, console=terminal(err=True), transient=True):
            outcomes.append(play(live, seated, deal))
            if out is not None:
                records.append(live.game.record())
    except KeyboardInterrupt:
        typer.echo(f"interrupted after {len(outcomes)} games", err=True)
    finally:
        if out is not None and records:
            with out_file(out) as file:
                file.writelines(json.dumps(record) + "\n" for record in records)
            typer.echo(f"{len(records)} records written to {out}", err=True)
    if outcomes:
        figures = _figures(specs, outcomes)
        terminal(out, json_out).print(_table(figures))
        if json_out is not None:
            write_json(json_out, figures)


def _figures(specs: Sequence[str], outcomes: Sequence[Outcome]) -> dict[str, Any]:
    """How each seat did, on the average of all games."""
    number = len(outcomes)
    seats = [
        {
            "agent": spec,
            "won": sum(outcome.win_share(seat) for outcome in outcomes) / number,
            "score": sum(outcome.scores[seat] for outcome in outcomes) / number,
            "rank": sum(outcome.ranks[seat] for outcome in outcomes) / number,
        }
        for seat, spec in enumerate(specs)
    ]
    return {"games": number, "truncated": sum(outcome.truncated for outcome in outcomes), "seats": seats}


def _table(figures: Mapping[str, Any]) -> Table:
    table = Table(title=f"{figures['games']} games, {figures['truncated']} cut off", title_justify="left")
    table.add_column("seat", justify="right")
    table.add_column("agent", overflow="fold")
    for column in ("won", "mean score", "mean rank"):
        table.add_column(column, justify="right", no_wrap=True)
    for number, seat in enumerate(figures["seats"]):
        table.add_row(
            str(number), Text(seat["agent"]), f"{seat['won']:.1%}", f"{seat['score']:.1f}", f"{seat['rank']:.2f}"
        )
    return table


def watch(
    game_type: GameType,
    agents: Watched = None,
    seed: Seed = 0,
    delay: Annotated[float, typer.Option(help="Seconds between moves.")] = 1.0,
    settings: Settings = {},  # noqa: B006
) -> None:
    """Watch a game in the terminal, move by move."""
    if not 0 <= delay <= LONGEST_DELAY:
        raise SettingError(f"delay must be from 0 to {LONGEST_DELAY} seconds, not {shown(delay)}")
    usual = find_agents().roster_of(game_type.name).measured_against[-1:] * 2
    seated = _seat(game_type, specs_of(agents or usual))
    live = _live(game_type, len(seated), settings)
    screen = Screen(game_type, terminal())

    def show(said: str) -> None:
        screen.show(game_type.position(live.box, live.state, 0, None), live.box, said)
        time.sleep(delay)

    def before(live: LiveGame, action: int) -> None:
        show(f"seat {live.to_move} ({seated[live.to_move].name}): {game_type.words(live.box.layout)[action]}")

    outcome = find_agents("play").play(live, seated, check_seed(seed), before)
    won = " and ".join(f"seat {seat}" for seat in outcome.winners)
    show(f"{won} {'wins' if len(outcome.winners) == 1 else 'win'}, scores {list(outcome.scores)}")


def agents(game_type: GameType, json_out: JsonOut = None) -> None:
    """List the agents that a spec may name."""
    check_out(json_out)
    built_in = find_agents().built_in(game_type.name)
    found = [{"name": name, "what": _described(home), "class": home} for name, home in built_in.items()]
    console = terminal(json_out)
    for agent in found:
        console.print(agent["name"], style="bold")
        console.print(f"  {agent['what']}", soft_wrap=True)
        console.print(f"  {agent['class']}", soft_wrap=True, style="dim")
    also = "also package.module:Class, ./file.py:Class and ./model.safetensors, each with :key=value,key=value"
    console.print(also, soft_wrap=True)
    if json_out is not None:
        write_json(json_out, found)


def _described(home: str) -> str:
    """The first line of what a class says of itself; a plug-in may be broken."""
    module, _, found = home.rpartition(":")
    try:
        with find_agents("player").faults_of(home, "when it was imported"):
            return (getattr(import_module(module), found).__doc__ or "it says nothing of itself").splitlines()[0]
    except OddVilleError as error:
        return f"cannot be loaded ({getattr(error, 'reason', error)})"
