"""`tournament`, `ladder`, `benchmark`, `report`: agents against each other, by `oddville_training`."""

import tempfile
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.console import Console

from oddville_env.cli.lists import numbers_of, specs_of
from oddville_env.cli.options import PROCESSES, RAY, Address, Settings, Where, Workers, training_module
from oddville_env.cli.output import terminal
from oddville_env.core.errors import SettingError, shown
from oddville_env.core.game_type import GameType

FAILURES, INTERRUPTED = 3, 130  # exit codes

_training = partial(training_module, "tournaments need", "tournament")

Several = Annotated[list[str], typer.Option("--players", help="How many play: 2, 3, 4, or several as 2,3.")]
Blocks = Annotated[int, typer.Option(help="Deals; every line-up plays each of them in all seats.")]
RunSeed = Annotated[int, typer.Option("--seed", help="Seed of the deals and of the agents' own chance.")]
Test = Annotated[str | None, typer.Option(help="elo0,elo1: stop when it is clear by which the first agent leads.")]
Limit = Annotated[float, typer.Option("--limit-s", help="Seconds for a move; who takes longer loses.")]
Memory = Annotated[int, typer.Option("--memory-mb", help="Memory of an agent with code of its own; more loses.")]


def add_to(app: typer.Typer) -> None:
    """Add the commands of this file."""
    for command in (tournament, ladder, benchmark, report):
        app.command()(command)


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
    config = _training("tournament.config").tournament_config(
        specs_of(agents), _numbers(players), blocks, seed, game=game_type, challenger=challenger, full=full,
        moves=moves, limit_s=limit_s, memory_mb=memory_mb, **settings,
    )  # fmt: skip
    test = None if sprt is None else _test(sprt, config)
    kind = "match" if test else "gauntlet" if challenger else "round robin"
    more = {"formats": [kind], "challenger": challenger, "sprt": sprt}
    manifest = _run(config, out, _executor(executor, workers, address), more, test)
    failures = _show(out)
    if manifest.get("verdict"):
        typer.echo(manifest["verdict"])
    typer.echo(f"the report is {_training('report').make_report(out)}")
    if failures:
        raise typer.Exit(FAILURES)


def ladder(
    game_type: GameType,
    players: Several = ["2"],  # noqa: B006  (typer reads it once)
    blocks: Blocks = 50,
    seed: RunSeed = 0,
    workers: Workers = None,
    out: Annotated[Path | None, typer.Option(help="Keep the run in this folder.")] = None,
) -> None:
    """Play the built-in agents against each other on equal deals: how often each wins, and how long it thinks."""
    specs = _training("tournament.suite").rungs(game_type)
    config = _training("tournament.config").tournament_config(specs, _numbers(players), blocks, seed, game=game_type)
    with ExitStack() as stack:
        folder = out or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        _run(config, folder, _executor(PROCESSES, workers), {"formats": ["ladder"]}, kept=out is not None)
        _show(folder)


def benchmark(
    game_type: GameType,
    agent: Annotated[str, typer.Argument(help="The agent, by its spec.")],
    version: Annotated[str, typer.Option("--suite", help="Which suite of the game, by its version.")] = "v1",
    workers: Workers = None,
    out: Annotated[Path | None, typer.Option(help="Keep the runs in this folder, to go on with them.")] = None,
) -> None:
    """Hold an agent against the frozen benchmark suite, and print its row of the table."""
    module = _training("tournament.suite")
    suite = module.suite_of(game_type, version)
    with ExitStack() as stack:
        folder = out or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        for name, config in module.runs(agent, suite, game_type).items():
            _run(config, folder / name, _executor(PROCESSES, workers), {"formats": ["benchmark"]}, kept=out is not None)
        measured = module.measure(agent, folder, suite)
    typer.echo(module.head(suite), err=True)
    typer.echo(module.row(measured))
    if measured.failures:
        typer.echo(f"{measured.failures} games were lost by a failure of {agent}", err=True)
        raise typer.Exit(FAILURES)


def report(game_type: GameType, folder: Annotated[Path, typer.Argument(help="The folder of a tournament.")]) -> None:
    """Make the report of a finished tournament again."""
    _training("tournament.store.manifest").check_game(folder, game_type)
    _training("tournament.store.results").check_finished(folder)
    typer.echo(f"the report is {_training('report').make_report(folder)}")


def _numbers(players: list[str]) -> list[int]:
    """`["2,3", "4"]` -> [2, 3, 4]."""
    return numbers_of("players", players, "2, 3, 4, or several as 2,3")


def _test(bounds: str, config: Any) -> Any:
    """The sequential test of a match; raises SettingError."""
    try:
        elo0, elo1 = (float(bound) for bound in bounds.split(","))
    except ValueError:
        raise SettingError(f"--sprt must be elo0,elo1, e.g. 0,20, not {shown(bounds)}") from None
    section, *others = config.schedule.sections
    if others or section.players != 2 or len(config.entrants) != 2:
        raise SettingError("--sprt is for a match: two agents and --players 2")
    return _training("statistics.sprt").Sprt(elo0, elo1)


def _executor(name: str, workers: int | None, address: str | None = None) -> Any:
    """What makes the executor; raises SettingError."""
    executors = _training("tournament.executors")
    if name == RAY:
        return executors.on_ray(workers, address)
    if name != PROCESSES or address is not None:
        raise SettingError(f"--executor must be {PROCESSES} or {RAY}, and --address is for {RAY} only")
    return executors.on_this_machine(workers)


def _run(config: Any, folder: Path, executor: Any, more: dict[str, Any], test: Any = None, kept: bool = True) -> Any:
    """Play a run and show how it goes; its manifest. Ctrl-C ends the program; kept: the folder stays."""
    with _training("tournament.scoreboard").Scoreboard(config, terminal(err=True)) as board:
        try:
            return _training("tournament.tournament").run(config, folder, executor, board.add, test, more)
        except KeyboardInterrupt:
            board.stop()
            fate = "which are kept: the same command goes on" if kept else "which are lost: --out would keep them"
            typer.echo(f"stopped after {board.blocks} blocks, {fate}", err=True)
            raise typer.Exit(INTERRUPTED) from None


def _show(folder: Path) -> bool:
    """Show how a run ended; whether an agent failed."""
    results = _training("tournament.store.results").read_results(folder)
    for table in _training("tournament.scoreboard").tables(results):
        Console().print(table)
    return bool(results["failure"].is_not_null().any())
