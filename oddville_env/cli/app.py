"""The program of a game: its commands, and errors as one sentence."""

import sys
from collections.abc import Callable
from functools import cache
from importlib import import_module
from typing import Annotated, Any

import typer
from typer.main import get_command

from oddville_env import __version__
from oddville_env.cli.options import Command, ListCommand, bound
from oddville_env.cli.output import terminal
from oddville_env.core.errors import GameError, shown_path
from oddville_env.core.game.game_type import GameType
from oddville_env.core.system.extras import extra_of, how_to_install
from oddville_env.core.system.interrupts import listening
from oddville_env.core.system.progress import show_compiling

PANELS = {
    "Play": ("play.play", "games.watch"),
    "Train and evaluate": ("learning.train", "learning.sweep", "learning.selfplay", "learning.exploit",
                           "learning.imitate", "learning.evaluate", "learning.dataset", "datasets.questions",
                           "learning.export"),
    "Compare agents": ("tools.agents", "games.simulate", "tournaments.tournament", "tournaments.ladder",
                       "tournaments.benchmark", "tournaments.report"),
    "Game records": ("play.view", "records.verify", "records.replay", "records.draw", "records.film",
                     "analysis.analyse"),
    "Tools": ("tools.doctor", "tools.warm", "cards", "tools.tables", "games.perft", "bench.bench"),
}  # fmt: skip
"""The commands of every game by the groups of the help, as `module.function` of `commands`; a module alone makes a
group of commands by its function `group`."""
EXAMPLES = {
    "agents": ("agents", "agents --json -"),
    "analyse": ("analyse games.jsonl --move 33 --agent search:ms=5000 --out best.svg",
                "analyse games.jsonl --judge --out judged.parquet",
                "analyse games.jsonl --agent champion --compare greedy"),
    "bench": ("bench --quick", "bench --threads 1,2,4,8,16", "bench --json figures.json"),
    "benchmark": ("benchmark ./mine.py:Bot", "benchmark greedy --suite v1 --out runs/greedy"),
    "check": ("cards check", "cards check my_cards"),
    "copy": ("cards copy my_cards",),
    "dataset": ("dataset games.jsonl --out games.parquet", "dataset games.jsonl.gz --out games.npz --reward margin"),
    "doctor": ("doctor", "doctor --json -"),
    "draw": ("draw games.jsonl --out table.svg", "draw games.jsonl --index 3 --move 20 --out table.png"),
    "draw_cards": ("cards draw my_cards --seed 7",),
    "evaluate": ("evaluate runs/mine/model.safetensors", "evaluate ./mine.py:Bot --against random,greedy --players 3"),
    "dataset_of_puzzles": ("puzzles dataset --level hard --count 1000 --seed 7 --out puzzles.jsonl",),
    "exploit": ("exploit greedy --folder runs/exploit", "exploit champion --folder runs/exploit --minutes 60 --json -"),
    "export": ("export champion --out champion.onnx", "export ./runs/first/model.safetensors --out policy.onnx"),
    "film": ("film games.jsonl --out game.gif", "film games.jsonl --index 3 --out game.html"),
    "generate_puzzles": ("puzzles generate --level hard --hide-mine --count 9 --seed 1 --out hard.jsonl",),
    "imitate": ("imitate greedy --games 20000 --stray 0.1 --out data/greedy --fit",),
    "ladder": ("ladder --players 4", "ladder --players 2,3 --blocks 100 --out runs/ladder",
               "ladder greedy champion --pairing adaptive --within 30"),
    "perft": ("perft --depth 5", "perft --depth 3 --players 4 --seed 2"),
    "play": ("play", "play --seats human,greedy --port 8000", "play --terminal --seats human,greedy,greedy"),
    "play_puzzles": ("puzzles play", "puzzles play --puzzle 7", "puzzles play --level hard --seed 1"),
    "print_puzzles": ("puzzles print --out rulebook.html", "puzzles print hard.jsonl --out hard.html"),
    "questions": ("questions --count 1000 --seed 7 --out questions.parquet", "questions --kinds legal,winner"),
    "replay": ("replay games.jsonl --index 3", "replay games.jsonl --positions"),
    "report": ("report runs/cup",),
    "selfplay": ("selfplay --folder runs/value --evaluate", "selfplay --preset champion --folder runs/best --resume"),
    "simulate": ("simulate --agents greedy,random --games 100", "simulate --agents greedy,search:ms=50 --out a.jsonl"),
    "solve": ("solve 7", "solve hard.jsonl --index 3 --json proof.json"),
    "sweep": ("sweep --config sweep.toml --folder runs/sweep",
              "sweep --config sweep.toml --folder runs/sweep --resume"),
    "tables": ("tables actions", "tables features"),
    "tournament": ("tournament greedy,random,./mine.py:Bot --out runs/cup",
                   "tournament greedy random --players 2,3 --blocks 500 --out runs/cup"),
    "train": ("train --folder runs/first --minutes 3 --evaluate", "train --folder runs/first --minutes 30 --resume"),
    "verify": ("verify games.jsonl", "verify games.jsonl.gz --json -"),
    "view": ("view games.jsonl", "view games.jsonl --agents ./runs/first/model.safetensors"),
    "warm": ("warm",),
    "watch": ("watch", "watch --agents greedy,search:ms=500 --delay 0.5"),
}  # fmt: skip
"""Examples by the name of a command's function, without the name of the program."""


def add_command(
    app: typer.Typer, game_type: GameType, command: Command, name: str | None = None, panel: str | None = None
) -> None:
    """Add a command of a game: it accepts lists, and its help shows examples."""
    examples = "\n\n".join(["Examples:", *(f"{game_type.name} {each}" for each in EXAMPLES[command.__name__])])
    add = app.command(name, cls=ListCommand, epilog=examples, rich_help_panel=panel)
    add(bound(command, game_type))


def make_app(game_type: GameType) -> typer.Typer:
    """The program of a game."""
    players = f"{game_type.players[0]}-{game_type.players[-1]} players"
    about = f"{game_type.title}: a board game for {players} as a reinforcement-learning environment."
    app = typer.Typer(no_args_is_help=True, help=about, pretty_exceptions_enable=False)

    def show_version(asked: bool) -> None:
        if asked:
            typer.echo(f"{game_type.name} {__version__}")
            raise typer.Exit

    @app.callback()
    def program(
        version: Annotated[
            bool, typer.Option("--version", callback=show_version, is_eager=True, help="Show the version.")
        ] = False,
    ) -> None:
        """The options of the program itself."""

    for title, names in (*PANELS.items(), ("Play", game_type.commands)):
        for name in names:
            module, _, function = name.partition(".")
            found = import_module(f"oddville_env.cli.commands.{module}")
            if function:
                add_command(app, game_type, getattr(found, function), panel=title)
            elif group := found.group(game_type):
                app.add_typer(group, name=module, rich_help_panel=title)
    return app


def run(game_type: GameType) -> None:
    """Run the command line of a game; a mistake of the user ends it with one sentence and exit code 1."""
    try:
        with listening(), show_compiling():
            _program(game_type)(prog_name=game_type.name)
    except (GameError, OSError, UnicodeError, ImportError) as error:
        if isinstance(error, ImportError) and extra_of(error) is None:
            raise
        typer.secho("error: ", fg="red", bold=True, nl=False, err=True)
        terminal(err=True).print(_sentence(error), soft_wrap=True)
        sys.exit(1)


@cache
def _program(game_type: GameType) -> Callable[..., Any]:
    return get_command(make_app(game_type))


def _sentence(error: Exception) -> str:
    if isinstance(error, OSError) and error.filename is not None:
        return f"{shown_path(error.filename)}: {error.strerror}"
    if isinstance(error, ImportError) and (extra := extra_of(error)):
        return f"this needs the extra {extra}: {how_to_install(extra)} ({error})"
    return str(error)
