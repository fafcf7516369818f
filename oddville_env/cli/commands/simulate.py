"""`simulate`: games between agents."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import track
from rich.table import Table
from rich.text import Text

from oddville_env.cli.lists import specs_of
from oddville_env.cli.options import NONE, Games, JsonOut, Seed, Settings, option
from oddville_env.cli.output import check_out, out_file, terminal, write_json
from oddville_env.core.errors import SettingError
from oddville_env.core.game.game_type import GameType, Outcome
from oddville_env.core.game.seeds import check_seed
from oddville_env.core.system.lazy_packages import find_agents
from oddville_env.envs.live_game import LiveGame

Seated = Annotated[list[str], option("Agent of each seat, e.g. greedy,random.", "--agents")]


def simulate(
    game_type: GameType,
    agents: Seated,
    games: Games = 100,
    seed: Seed = 0,
    out: Annotated[Path | None, option("File for the records, one per line; - is standard output.")] = None,
    json_out: JsonOut = None,
    settings: Settings = NONE,
) -> None:
    """Play games between agents and summarise them; Ctrl-C keeps finished games."""
    specs = specs_of(agents)
    seated, live = seated_by(game_type, specs), live_game(game_type, len(specs), settings)
    deals = range(check_seed(seed), seed + games)
    check_out(out, json_out)
    play = find_agents("play.loop").play
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
    """The mean score, rank and share of wins of each seat over all games."""
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


def seated_by(game_type: GameType, specs: Sequence[str]) -> list[Any]:
    """Make an agent for each seat. Raises SettingError, AgentError."""
    least, most = game_type.players[0], game_type.players[-1]
    if len(specs) not in game_type.players:
        raise SettingError(f"--agents must name {least} to {most} agents, not {len(specs)}")
    return [find_agents().make_agent(spec, game_type.name) for spec in specs]


def live_game(game_type: GameType, players: int, settings: Settings) -> LiveGame:
    """Make a game with these settings."""
    return LiveGame(game_type, game_type.box(game_type.settings(players, **settings)))
