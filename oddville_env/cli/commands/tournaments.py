"""`tournament`, `ladder`, `benchmark` and `report`."""

from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import typer
from rich.console import Console

from oddville_env.cli import options
from oddville_env.cli.options import NONE, PROCESSES, Settings, argument, option, specs_of, tournament_module
from oddville_env.cli.output import is_standard_output, terminal, write_json
from oddville_env.core.errors import SettingError, shown
from oddville_env.core.game.game_type import GameType
from oddville_env.core.system.extras import find_agents

FAILURES, INTERRUPTED = 3, 130  # exit codes
NETWORK = "network.safetensors"  # a value network that self-play writes

Several = Annotated[list[str], option("Number of players: 2, 3, 4, or several as 2,3.", "--players")]
Kept = Annotated[Path | None, option("Folder to store the games in, so that the run can be resumed.")]
Blocks = Annotated[int, option("Deals per line-up; each is played once with every agent in every seat.")]
RunSeed = Annotated[int, option("Seed of the deals and the agents.", "--seed")]


def run_folder(out: Path | None) -> AbstractContextManager[str | Path]:
    """The folder of a run: `out`, or a temporary one."""
    return TemporaryDirectory() if out is None else nullcontext(out)


def executor_of(name: str, workers: int | None, address: str | None = None) -> Any:
    """Return a function that makes the executor. Raises SettingError."""
    executors = tournament_module("tournament.executors")
    if name == options.RAY:
        return executors.on_ray(workers, address)
    if name != PROCESSES or address is not None:
        raise SettingError(f"--executor must be {PROCESSES} or {options.RAY}, and --address is for {options.RAY} only")
    return executors.on_this_machine(workers)


def run_shown(
    config: Any, folder: Path, executor: Any, more: Settings, test: Any = None, kept: bool = True, choose: Any = None
) -> Any:
    """Play a run with a progress display and return its manifest. Ctrl-C ends the program."""
    module = tournament_module("tournament.tournament")
    with module.Scoreboard(config, terminal(err=True)) as board:
        try:
            return module.run(config, folder, executor, board.add, test, more, choose)
        except KeyboardInterrupt:
            board.stop()
            fate = "which are stored: the same command resumes" if kept else "which are lost: use --out to store them"
            typer.echo(f"stopped after {board.blocks} blocks, {fate}", err=True)
            raise typer.Exit(INTERRUPTED) from None


def show_results(folder: Path) -> bool:
    """Print the results of a run; returns whether an agent failed."""
    module = tournament_module("tournament.tournament")
    results = module.read_results(folder)
    for table in module.tables(results):
        Console().print(table)
    return bool(results["failure"].is_not_null().any())


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
    workers: options.Workers = None,
    executor: options.Where = PROCESSES,
    address: options.Address = None,
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
        specs_of(agents), options.player_counts(players), blocks, seed, game=game_type, challenger=challenger,
        full=full, moves=moves, limit_s=limit_s, memory_mb=memory_mb, **settings,
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


def ladder(
    game_type: GameType,
    agents: Annotated[list[str] | None, argument("Agents or value networks; default: all built-in agents.")] = None,
    players: Several = ["2"],  # noqa: B006
    blocks: Blocks = 50,
    seed: RunSeed = 0,
    workers: options.Workers = None,
    out: Kept = None,
    pairing: Annotated[str, option("Pairing: round-robin, swiss, knock-out or adaptive.")] = "round-robin",
    within: Annotated[
        float, option("Adaptive: play until intervals reach at most this many Elo points each way.")
    ] = 30.0,
) -> None:
    """Play agents against each other on equal deals: win shares, thinking times and ratings."""
    counts = options.player_counts(players)
    named = [f"champion:network={each}" if Path(each).name == NETWORK else each for each in specs_of(agents or [])]
    specs = named or find_agents().roster_of(game_type.name).ladder
    config = tournament_module("tournament.config").tournament_config(specs, counts, blocks, seed, game=game_type)
    choose = tournament_module("tournament.pairings").make_choose(pairing, config, within)
    more: dict[str, Any] = {"formats": ["ladder"]} | ({"pairing": pairing, "within": within} if choose else {})
    with run_folder(out) as where:
        folder = Path(where)
        executor = executor_of(PROCESSES, workers)
        run_shown(config, folder, executor, more, kept=out is not None, choose=choose)
        show_results(folder)
        if choose:
            results = tournament_module("tournament.results").read_results(folder)
            rated = tournament_module("statistics.ratings").ratings(results)
            typer.echo(f"Elo points, {rated.anchor}")
            for each in rated.agents:
                low, value, high = (f"{end:.0f}" for end in (each.elo.low, each.elo.value, each.elo.high))
                typer.echo(f"{value:>6} ({low} to {high})  {each.games} games  {each.agent}")


def benchmark(
    game_type: GameType,
    agent: Annotated[str, argument("Agent to measure, as `agents` lists them.")],
    version: Annotated[str, option("Version of the suite.", "--suite")] = "v1",
    workers: options.Workers = None,
    out: Kept = None,
    json_out: options.JsonOut = None,
) -> None:
    """Play an agent against the fixed benchmark suite and print its row of the table."""
    module = tournament_module("tournament.suite")
    suite = module.suite_of(game_type, version)
    with run_folder(out) as where:
        folder = Path(where)
        for name, config in module.runs(agent, suite, game_type).items():
            executor = executor_of(PROCESSES, workers)
            run_shown(config, folder / name, executor, {"formats": ["benchmark"]}, kept=out is not None)
        measured = module.measure(agent, folder, suite)
    typer.echo(module.head(suite), err=True)
    typer.echo(module.row(measured), err=is_standard_output(json_out))
    write_json(json_out, {"game": game_type.name} | measured.as_json())
    for name, games in measured.failures.items():
        typer.echo(f"games lost by a failure of {name}: {games}", err=True)
    if measured.failures:
        raise typer.Exit(FAILURES)


def report(game_type: GameType, folder: Annotated[Path, argument("Folder of a tournament.")]) -> None:
    """Write the report of a finished tournament again."""
    tournament_module("tournament.manifest").check_finished(folder, game_type)
    typer.echo(f"the report is {tournament_module('report').make_report(folder)}")
