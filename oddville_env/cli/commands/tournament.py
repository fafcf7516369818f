"""`tournament`: a tournament between agents with ratings and a report."""

from pathlib import Path
from typing import Annotated, Any

import typer

from oddville_env.cli.lists import specs_of
from oddville_env.cli.options import (
    NONE,
    PROCESSES,
    Address,
    Settings,
    Where,
    Workers,
    argument,
    option,
    tournament_module,
)
from oddville_env.cli.tournaments import (
    FAILURES,
    Blocks,
    RunSeed,
    Several,
    executor_of,
    player_counts,
    run_shown,
    show_results,
)
from oddville_env.core.errors import SettingError, shown
from oddville_env.core.game.game_type import GameType

Test = Annotated[str | None, option("Stop a match of two by a sequential test (SPRT) of elo0,elo1, e.g. 0,20.")]
Limit = Annotated[float, option("Time limit per move in seconds; exceeding it forfeits the game.", "--limit-s")]
Memory = Annotated[int, option("Memory limit (MB) per external agent; exceeding it forfeits the game.", "--memory-mb")]


def tournament(
    game_type: GameType,
    agents: Annotated[list[str], argument("Agents, as `agents` lists them.")],
    out: Annotated[Path, option("Folder of the run; repeating the command resumes it.")],
    players: Several = ["2"],  # noqa: B006
    blocks: Blocks = 200,
    seed: RunSeed = 0,
    workers: Workers = None,
    executor: Where = PROCESSES,
    address: Address = None,
    challenger: Annotated[str | None, option("Play only games with this agent.")] = None,
    sprt: Test = None,
    full: Annotated[bool, option("Play all seatings of each deal instead of its rotations.", "--full")] = False,
    moves: Annotated[bool, option("Store the records of all games.", "--moves")] = False,
    limit_s: Limit = 60.0,
    memory_mb: Memory = 2048,
    settings: Settings = NONE,
) -> None:
    """Play a tournament on equal deals and write a report; Ctrl-C stops, the same command resumes."""
    if sprt is not None and challenger is not None:
        raise SettingError("--sprt is a match of the first agent against the second: it takes no --challenger")
    config = tournament_module("tournament.config").tournament_config(
        specs_of(agents), player_counts(players), blocks, seed, game=game_type, challenger=challenger, full=full,
        moves=moves, limit_s=limit_s, memory_mb=memory_mb, **settings,
    )  # fmt: skip
    test = None if sprt is None else _test(sprt, config)
    kind = "match" if test else "gauntlet" if challenger else "round robin"
    more = {"formats": [kind], "challenger": challenger, "sprt": sprt}
    manifest = run_shown(config, out, executor_of(executor, workers, address), more, test)
    failures = show_results(out)
    if manifest.get("verdict"):
        typer.echo(manifest["verdict"])
    typer.echo(f"the report is {tournament_module('report').make_report(out)}")
    if failures:
        raise typer.Exit(FAILURES)


def _test(bounds: str, config: Any) -> Any:
    """The sequential test of a match; raises SettingError."""
    try:
        elo0, elo1 = (float(bound) for bound in bounds.split(","))
    except ValueError:
        raise SettingError(f"--sprt must be elo0,elo1, e.g. 0,20, not {shown(bounds)}") from None
    section, *others = config.schedule.sections
    if others or section.players != 2 or len(config.entrants) != 2:
        raise SettingError("--sprt is for a match: two agents and --players 2")
    return tournament_module("statistics.sprt").Sprt(elo0, elo1)
