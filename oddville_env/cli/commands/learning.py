"""`train`, `sweep`, `selfplay`, `exploit`, `imitate`, `evaluate`, `dataset` and `export`."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.progress import Progress, TextColumn

from oddville_env.cli import options
from oddville_env.cli.options import NONE, PROCESSES, Settings, argument, learning_module, option, specs_of, typed
from oddville_env.cli.output import check_out, is_standard_output, terminal, write_out
from oddville_env.core.checked import check_unchanged
from oddville_env.core.disk.reading import numbered_lines
from oddville_env.core.errors import RecordError, SettingError
from oddville_env.core.game.game_type import GameType
from oddville_env.core.system.extras import find_agents
from oddville_env.core.system.processes import cores

MEASURED_GAMES, EXPLOITED_GAMES = 400, 1000

Against = Annotated[list[str] | None, option("Opponents, each measured alone.", default="random and stronger ones")]


def evaluate(
    game_type: GameType,
    model: Annotated[str, argument("Agent to evaluate: a model file, or any agent that `agents` lists.")],
    against: Against = None,
    games: options.Games = MEASURED_GAMES,
    players: options.Players = 2,
    seed: Annotated[int, option("Seed of the deals.")] = 0,
    workers: Annotated[int, option("Number of worker processes; the result does not depend on it.")] = 1,
    parallel: Annotated[int, option("Games at once of language models; the result is the same.")] = 1,
    transcripts: Annotated[Path | None, option("JSON Lines file for prompts and answers of language models.")] = None,
    out: options.JsonOut = None,
    settings: Settings = NONE,
) -> None:
    """Evaluate an agent on equal deals in every seat: win share with 95 % interval, scores and ranks."""
    asked = {"games": games, "players": players, "seed": seed, "workers": workers, "parallel": parallel}
    measure(game_type, model, specs_of(against or ()), out, settings, **asked, transcripts=transcripts)


def show_model(
    game_type: GameType,
    model: Any,
    interrupted: bool,
    same: Mapping[str, Any],
    evaluated: bool,
    also: Sequence[tuple[Any, str, int]] = (),
) -> None:
    """Print the path of a trained model and evaluate it; `also`: agents with an opponent and a number of games."""
    typer.echo(f"the model is {model}")
    if evaluated and interrupted:
        typer.echo(f"it was not evaluated: {game_type.name} evaluate {model}", err=True)
    elif evaluated:
        measure(game_type, model, **same)
        for agent, rival, games in also:
            measure(game_type, agent, **{**same, "against": [rival], "games": games, "workers": cores()})


def measure(
    game_type: GameType,
    model: Any,
    against: Sequence[Any] = (),
    out: Path | None = None,
    settings: Settings = NONE,
    **asked: Any,
) -> None:
    """Evaluate an agent and print the table; without opponents against the standard ones; asked: see `evaluate`."""
    module = learning_module("tournament.evaluate")
    rivals = against or find_agents().roster_of(game_type.name).measured_against
    evaluation = module.evaluate(model, rivals, game=game_type, **asked, **settings)
    if out is not None:
        write_out(out, f"{evaluation.to_json()}\n")
    terminal(out).print(module.table(evaluation))


def train(
    game_type: GameType,
    context: typer.Context,
    folder: Annotated[Path, option("Folder of the run: networks, checkpoints, TensorBoard logs.")],
    config: Annotated[Path | None, option("TOML file with settings of the run.")] = None,
    minutes: options.Minutes = None,
    steps: Annotated[int | None, option("Stop after this many decisions of the whole run.", default="no limit")] = None,
    against: Annotated[
        list[str] | None, option("Opponents; the environments take them in turn.", default="random and stronger ones")
    ] = None,
    players: options.Players = 2,
    reward: Annotated[str | None, option("Reward: outcome, rank or margin.", default="margin")] = None,
    seed: Annotated[int, option("Seed of the network, the deals and the opponents.")] = 0,
    envs: Annotated[int | None, option("Number of parallel environments.", default="128")] = None,
    threads: options.Threads = None,
    taught: Annotated[
        int | None, option("Expert decisions for behaviour cloning before PPO; 0 disables it.", default="600000")
    ] = None,
    init: Annotated[Path | None, option("Model to start from, e.g. of `imitate --fit`.")] = None,
    settings: Settings = NONE,
    resume: options.Resume = False,
    evaluated: options.Evaluated = False,
) -> None:
    """Train a policy with MaskablePPO; Ctrl-C stops, --resume continues."""
    own = {"players": players, "reward": reward, "seed": seed, "envs": envs, "threads": threads, "taught": taught}
    more = {"opponents": tuple(specs_of(against or ())), "init": init, "config": config}
    given = typed(context, {**own, **more, "minutes": minutes, "steps": steps, **settings}, {"opponents": "against"})
    path, interrupted, same = _train_ppo(game_type, given, folder, resume)
    show_model(game_type, find_agents("spec").AgentSpec(str(path)), interrupted, same, evaluated)


def _train_ppo(game_type: GameType, given: dict[str, Any], folder: Path, resume: bool) -> tuple[Path, bool, Any]:
    """Return the path of the model, whether Ctrl-C ended the run, and settings for evaluation."""
    init, file = given.pop("init", None), given.pop("config", None)
    for name, value in (("init", init), ("config", file)):
        if resume and value is not None:
            raise SettingError(f"--{name} cannot be combined with --resume: the run has begun")
    config_class = learning_module("learning.config").TrainConfig
    if resume:
        config = _resumed(game_type, folder, given)
    elif file is not None:
        config = config_class.read(file, game_type, given)
    else:
        config = config_class.of(game_type, given)
    trained = learning_module("learning.train").run(config, folder, resume, init=init)
    return trained.model, trained.interrupted, {"players": config.players, "settings": config.settings}


def _resumed(game_type: GameType, folder: Path, given: dict[str, Any]) -> Any:
    """The stored settings with new limits. Raises SettingError where other values were given."""
    limits = {name: given.pop(name, None) for name in ("minutes", "steps")}
    config = learning_module("learning.run_folder").saved_config(folder, given.get("opponents"), game_type)
    for name, value in given.items():
        check_unchanged(name, config.as_json()[name], str(value) if isinstance(value, Path) else value)
    return replace(config, **limits)


def sweep(
    game_type: GameType,
    config: Annotated[Path, option("TOML file of the sweep: searched and fixed settings, trials, opponents.")],
    folder: Annotated[Path, option("Folder of the sweep: finished trials, their runs, a picture.")],
    resume: Annotated[bool, option("Resume the sweep in --folder.", "--resume")] = False,
) -> None:
    """Search for the best settings of `train` with Optuna (extra `sweep`); Ctrl-C stops, --resume continues."""
    module = options.training_module("sweeps need", "sweep", "learning.sweep")
    study = module.run_sweep(module.Sweep.read(config, game_type), folder, resume)
    terminal().print(module.table(study))


def selfplay(
    game_type: GameType,
    context: typer.Context,
    folder: Annotated[Path, option("Folder of the run: plan, games and networks.")],
    minutes: options.Minutes = None,
    preset: Annotated[
        str | None, option("Built-in plan, e.g. quick or champion.", default="one with default settings")
    ] = None,
    config: Annotated[Path | None, option("TOML file with your own plan.")] = None,
    best_response: Annotated[
        str | None, option("OddVille only: train against this fixed agent, champion or greedy.")
    ] = None,
    workers: options.Workers = None,
    executor: options.Where = PROCESSES,
    address: options.Address = None,
    players: options.Players = 2,
    seed: Annotated[int, option("Seed of the network and the deals.")] = 0,
    threads: options.Threads = None,
    resume: options.Resume = False,
    evaluated: options.Evaluated = False,
) -> None:
    """Train a value network by self-play; Ctrl-C stops, --resume continues."""
    module = find_agents().roster_of(game_type.name).self_play
    if not module:
        raise SettingError(f"{game_type.title} has no self-play: `{game_type.name} train` trains a policy")
    plan = {"preset": preset, "config": config, "best_response": best_response, "players": players, "seed": seed}
    given = typed(context, {**plan, "workers": workers, "executor": executor, "address": address, "threads": threads})
    learned = learning_module(module).run(game_type, folder, given, resume, minutes)
    show_model(game_type, learned.model, learned.interrupted, learned.settings, evaluated, learned.also)


def exploit(
    game_type: GameType,
    agent: Annotated[str, argument("Agent to exploit; it must be deterministic by seed.")],
    folder: Annotated[Path, option("Folder of the run; repeating the command continues it.")],
    minutes: Annotated[float, option("Learn for this many minutes, then evaluate.")] = 30.0,
    games: options.Games = EXPLOITED_GAMES,
    players: options.Players = 2,
    workers: options.Workers = None,
    seed: Annotated[int, option("Seed of the deals and the fits.")] = 0,
    out: options.JsonOut = None,
) -> None:
    """Train a best response to an agent: a lower bound of its exploitability; Ctrl-C keeps finished stages."""
    module = find_agents().roster_of(game_type.name).self_play
    if not module:
        raise SettingError(f"{game_type.title} has no self-play, so no best responses")
    response = learning_module(module).METHOD
    found = learning_module("selfplay.exploit").exploit(
        response, agent, folder, minutes, games, players, seed, workers=cores() if workers is None else workers
    )
    if out is not None:
        write_out(out, f"{found.to_json()}\n")
    terminal(out).print(str(found), soft_wrap=True)


def imitate(
    game_type: GameType,
    agent: Annotated[str, argument("Agent to imitate.")],
    out: Annotated[Path, option("Folder of the data set.")],
    games: options.Games = 10_000,
    players: options.Players = 2,
    seed: Annotated[int, option("Seed of the deals and the random moves.")] = 0,
    stray: Annotated[float, option("Share of random moves, for more varied positions.")] = 0.05,
    encoding: Annotated[str, option("Encoding of the observations.")] = "features",
    workers: options.Workers = None,
    fitted: Annotated[bool, option("Then fit a policy to the data set, for `train --init`.", "--fit")] = False,
) -> None:
    """Record an agent's decisions for behaviour cloning; Ctrl-C keeps finished files."""
    data_set = learning_module("learning.data_set")
    asked = data_set.DataSetSpec(agent, players, games, seed, stray, encoding, game_type.name)
    data_set.make(out, asked, learning_module("processes.pools").workers_of(workers, PROCESSES, None))
    typer.echo(f"the data set is {out}")
    if fitted:
        imitation = learning_module("learning.imitation")
        model = imitation.fit(out, imitation.Imitate(seed=seed))
        typer.echo(f"the model is {model}")


def dataset(
    game_type: GameType,
    file: options.File,
    out: Annotated[Path, option("File to write: .parquet, .npz, or .minari for a Minari folder.")],
    encoding: Annotated[str, option("Encoding of the observations.", default="that of the game")] = "",
    reward: Annotated[str, option("Reward of the last decision: outcome, rank or margin.")] = "outcome",
    data: Settings = NONE,
) -> None:
    """Write the decisions of recorded games as observation, mask, action and reward (extra `data`, except .npz)."""
    module = options.training_module("data sets need", "data", "dataset")
    module.check_name(out)
    check_out(out)
    with Progress(TextColumn("{task.completed} games"), console=terminal(err=True), transient=True) as shown:
        task, records = shown.add_task(""), numbered_lines(file, RecordError)
        update = lambda done: shown.update(task, completed=done)  # noqa: E731
        seen = encoding or game_type.encodings[0]
        games, decisions = module.write(file, records, out, game_type, seen, reward, data, update)
    typer.echo(f"{decisions} decisions of {games} games are in {out}")


def export(
    game_type: GameType,
    agent: Annotated[str, argument("Agent with a network: a model file, champion, or champion:network=FILE.")],
    out: Annotated[Path, options.out_option("ONNX file to write; - is standard output.")],
) -> None:
    """Export the network of an agent as an ONNX file (extra `onnx`)."""
    write_out(out, find_agents("policies.graph").export(agent, game_type.name))
    if not is_standard_output(out):
        typer.echo(f"the network is {out}")
