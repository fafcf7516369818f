"""`simulate`, `watch` and `perft`: games of agents, and lines of legal moves."""

import json
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.table import Table
from rich.text import Text

from oddville_env.cli import options
from oddville_env.cli.options import NONE, Settings, option, specs_of
from oddville_env.cli.output import Screen, out_file, shown_progress, terminal, write_json
from oddville_env.core.checked import check_seed, whole_number
from oddville_env.core.errors import SettingError, shown
from oddville_env.core.game.game_type import GameType, Outcome
from oddville_env.core.parts.entries import count_lines
from oddville_env.core.system.extras import find_agents
from oddville_env.envs.live_game import LiveGame

Seated = Annotated[list[str], option("Agent of each seat, e.g. greedy,random.", "--agents")]


def simulate(
    game_type: GameType,
    agents: Seated,
    games: options.Games = 100,
    seed: options.Seed = 0,
    out: Annotated[Path | None, options.out_option("File for the records, one per line; - is standard output.")] = None,
    json_out: options.JsonOut = None,
    settings: Settings = NONE,
) -> None:
    """Play games between agents and summarise them; Ctrl-C keeps finished games."""
    specs = specs_of(agents)
    seated, live = seated_by(game_type, specs), live_game(game_type, len(specs), settings)
    deals = range(check_seed(seed), seed + games)
    play = find_agents("play").play
    outcomes: list[Outcome] = []
    records: list[dict[str, Any]] = []
    try:
        for deal in shown_progress(deals, "playing", games):
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
        write_json(json_out, figures)


def _figures(specs: Sequence[str], outcomes: Sequence[Outcome]) -> dict[str, Any]:
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
    for place, seat in enumerate(figures["seats"]):
        means = (f"{seat['won']:.1%}", f"{seat['score']:.1f}", f"{seat['rank']:.2f}")
        table.add_row(str(place), Text(seat["agent"]), *means)
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


LONGEST_DELAY = 60  # seconds

Watched = Annotated[list[str] | None, option("Agent of each seat.", "--agents", default="two strong ones")]


def watch(
    game_type: GameType,
    agents: Watched = None,
    seed: options.Seed = 0,
    delay: Annotated[float, option("Seconds between moves.")] = 1.0,
    settings: Settings = NONE,
) -> None:
    """Watch agents play in the terminal."""
    if not 0 <= delay <= LONGEST_DELAY:
        raise SettingError(f"delay must be from 0 to {LONGEST_DELAY} seconds, not {shown(delay)}")
    usual = find_agents().roster_of(game_type.name).measured_against[-1:] * 2
    seated = seated_by(game_type, specs_of(agents or usual))
    live = live_game(game_type, len(seated), settings)
    screen = Screen(game_type, terminal())

    def show(said: str) -> None:
        screen.show(game_type.position(live.box, live.state, 0, None), live.box, said)
        time.sleep(delay)

    def before(live: LiveGame, action: int) -> None:
        show(f"seat {live.to_move} ({seated[live.to_move].name}): {game_type.words(live.box.layout)[action]}")

    outcome = find_agents("play").play(live, seated, check_seed(seed), before)
    won = " and ".join(f"seat {seat}" for seat in outcome.winners)
    show(f"{won} {'wins' if len(outcome.winners) == 1 else 'win'}, scores {list(outcome.scores)}")


DEEPEST = 12


def perft(
    game_type: GameType,
    depth: Annotated[int, option("Largest number of moves.")] = 5,
    players: options.Players = 2,
    seed: options.Seed = 0,
    settings: Settings = NONE,
) -> None:
    """Count the lines of legal moves from a deal, for every depth up to --depth (a test of the rules)."""
    whole_number("depth", depth, 1, DEEPEST)
    game = game_type.game(players, seed, **settings)
    for reached in range(1, depth + 1):
        start = time.perf_counter()
        lines = count_lines(game, reached)
        typer.echo(f"depth {reached}: {lines:,} lines in {time.perf_counter() - start:.2f} s")
