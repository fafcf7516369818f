"""`tournament`: agents against each other, by `oddville_training`."""

from pathlib import Path
from typing import Annotated, Any

import typer

from oddville_env.cli.lists import specs_of
from oddville_env.cli.options import PROCESSES, Address, Settings, Where, Workers, tournament_module
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

Test = Annotated[str | None, typer.Option(help="elo0,elo1: stop when it is clear by which the first agent leads.")]
Limit = Annotated[float, typer.Option("--limit-s", help="Seconds for a move; who takes longer loses.")]
Memory = Annotated[int, typer.Option("--memory-mb", help="Memory of an agent with code of its own; more loses.")]


def tournament(
    game_type: GameType,
    agents: Annotated[list[str], typer.Argument(help="The agents, by their specs.")],
    out: Annotated[Path, typer.Option(help="The folder of the run; the same command again goes on with it.")],
    players: Several = ["2"],  # noqa: B006  (typer reads it once)
    blocks: Blocks = 200,
    seed: RunSeed = 0,
    workers: Workers = None,
    executor: Where = PROCESSES,
    address: Address = None,
    challenger: Annotated[str | None, typer.Option(help="Only line-ups with this one of the agents.")] = None,
    sprt: Test = None,
    full: Annotated[bool, typer.Option("--full", help="All seatings of a deal, not its rotations only.")] = False,
    moves: Annotated[bool, typer.Option("--moves", help="Keep the records of all games.")] = False,
    limit_s: Limit = 60.0,
    memory_mb: Memory = 2048,
    settings: Settings = {},  # noqa: B006  (nobody writes into it)
) -> None:
    """Play agents against each other on equal deals, and report; Ctrl-C keeps what was played."""
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
