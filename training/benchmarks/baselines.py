"""What learners reach in equal time of one core: the built-in agents, and all ways to learn of `learners.py`.

    python training/benchmarks/baselines.py --minutes 5,20
    python training/benchmarks/baselines.py --game oldtown --minutes 5 --learners afterstates,selfplay --networks made

Each learner has the processor for as long as the longest budget says. How it played when a budget was spent is kept,
and measured when it has learned, in games of two on equal deals with seats swapped. Learning rates that fall do so over
the longest budget: a run of 5 minutes may reach more in them than a run of 20. The folder holds `results.json`,
`table.md` and `curves.svg`; the same command again adds what is missing. `--networks` keeps networks that value
positions, with their model cards: `baseline:NAME` plays by such files.
"""

from collections.abc import Mapping, Sequence
from datetime import date
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import torch
import typer
from learners import LEARNERS, PLAYERS, Recorder, save
from matplotlib.axes import Axes
from matplotlib.ticker import NullLocator, PercentFormatter
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from oddville_agents.agent import Agent
from oddville_env import __version__
from oddville_env.core.checked.kinds import check, having, instance, number, whole
from oddville_env.core.disk.files import atomic_write
from oddville_env.core.disk.locks import alone_in
from oddville_env.core.disk.reading import JsonFormat
from oddville_env.core.errors import SettingError, shown
from oddville_env.core.game.game_type import game_type
from oddville_env.core.system.processes import machine
from oddville_env.core.system.progress import error_console
from oddville_training.figure import COLOURS, INK, drawing
from oddville_training.program import run
from oddville_training.tournament.evaluate import evaluate

OPPONENTS = {
    "oddville": ("random", "greedy:weights=simple", "greedy", "champion"),
    "oldtown": ("random", "greedy", "heuristic"),
}
"""By game; they are measured too. The first one is in no picture: all learners beat it."""
NO_TIME = "0"  # minutes of agents that do not learn
MOMENT = 0.01  # minutes: each learner begins once before it counts, so that no kernel is compiled on the clock

Against = dict[str, dict[str, float]]
"""By opponent: games, and the share of wins with its 95 % interval."""
WINS = having({"games": whole(1), "wins": number(0, 1), "low": number(0, 1), "high": number(0, 1)})
FILE = JsonFormat("oddville-baselines", 1, "results of baselines", SettingError)
KINDS = {"settings": instance(dict), "found": having({}, having({}, having({}, WINS)))}


class Results:
    """What was found so far, by agent, minutes and opponent, in a folder that the same command continues."""

    def __init__(self, folder: Path, settings: Mapping[str, Any]) -> None:
        self.folder, self.settings, self._file = folder, settings, folder / "results.json"
        self.opponents: Sequence[str] = OPPONENTS[settings["game"]]
        self.found: dict[str, dict[str, Against]] = {}
        if self._file.exists():
            plain = FILE.read(self._file)
            check(plain, KINDS, SettingError)
            for name, value in settings.items():
                if (there := plain["settings"].get(name)) != value:
                    told = f"holds results with {name} {shown(there)}, not {shown(value)}"
                    raise SettingError(f"{folder} {told}: name another folder")
            self.found = plain["found"]

    def add(self, name: str, by_minutes: dict[str, Against]) -> None:
        """Write what was found of an agent, and all of it as a table and a picture."""
        self.found[name] = by_minutes
        FILE.write(self._file, {"settings": dict(self.settings), "machine": machine(), "found": self.found})
        for file, text in (("table.md", table(self)), ("curves.svg", curves(self))):
            with atomic_write(self.folder / file) as opened:
                opened.write(text)


def main(
    game: Annotated[str, typer.Option(help="oddville or oldtown.")] = "oddville",
    minutes: Annotated[str, typer.Option(help="Budgets in CPU minutes, written 5,20.")] = "5,20",
    games: Annotated[int, typer.Option(help="Games against each opponent.")] = 1000,
    learners: Annotated[str, typer.Option(help="Learners, written a,b.")] = ",".join(LEARNERS),
    seed: Annotated[int, typer.Option(help="Seed of the learners and the deals.")] = 0,
    folder: Annotated[Path | None, typer.Option(help="Folder of the results, also of an earlier run.")] = None,
    networks: Annotated[Path | None, typer.Option(help="Also write networks with model cards to this folder.")] = None,
) -> None:
    """Give every learner the longest budget, measure all agents, and write a table and curves."""
    torch.set_num_threads(1)
    budgets, names = budgets_of(minutes), names_of(learners)
    if game not in OPPONENTS:
        raise SettingError(f"--game must be one of {', '.join(OPPONENTS)}, not {shown(game)}")
    settings = {"game": game, "minutes": budgets, "games": games, "seed": seed}
    folder = folder or Path("runs") / f"baselines-{game}-{'-'.join(f'{each:g}' for each in budgets)}"
    with alone_in(folder, SettingError):
        results = Results(folder, settings)
        for name in results.opponents:
            if name not in results.found:
                results.add(name, {NO_TIME: measure(name, results)})
        for name in names:
            if name not in results.found:
                results.add(name, learn_and_measure(name, results, networks))
    error_console().print(f"The table and the curves are in {folder}.")


def budgets_of(text: str) -> list[float]:
    """The budgets that a text says, ascending. Raises SettingError."""
    try:
        found = sorted({float(part) for part in text.split(",")})
    except ValueError:
        found = []
    if not found or not all(0 < each < inf for each in found):
        raise SettingError(f"--minutes must be numbers above 0 such as 5,20, not {shown(text)}")
    return found


def names_of(text: str) -> list[str]:
    """The learners that a text says. Raises SettingError."""
    for name in (names := text.split(",")):
        if name not in LEARNERS:
            raise SettingError(f"there is no learner {shown(name)}, expected some of {', '.join(LEARNERS)}")
    return names


def learn_and_measure(name: str, results: Results, networks: Path | None = None) -> dict[str, Against]:
    """What a learner wins, by minutes and opponent; nothing where it had no agent yet. networks: a folder for them."""
    learn, settings = LEARNERS[name], results.settings
    columns = (TextColumn("{task.description}", markup=False), BarColumn(), TimeRemainingColumn())
    with TemporaryDirectory() as folder:
        with Progress(*columns, console=error_console()) as meter:
            bar = meter.add_task(f"{name} begins", total=None)
            learn(settings["game"], settings["seed"], Path(folder) / "moment", Recorder([MOMENT]))
            recorder = Recorder(settings["minutes"], lambda seconds: meter.update(bar, completed=seconds))
            meter.update(bar, total=recorder.seconds, description=f"{name} learns")
            torch.manual_seed(settings["seed"])
            learn(settings["game"], settings["seed"], Path(folder) / "run", recorder)
        kept = {f"{minutes:g}": recorder.kept.get(minutes) for minutes in settings["minutes"]}
        found = {minutes: {} if agent is None else measure(agent, results) for minutes, agent in kept.items()}
        for minutes, agent in kept.items() if networks is not None else ():
            if agent is not None:
                card = card_of(name, minutes, settings, found[minutes])
                save(agent, networks / f"{name}-{minutes}.safetensors", settings["game"], card)
        return found


def card_of(name: str, minutes: str, settings: Mapping[str, Any], against: Against) -> dict[str, Any]:
    """The model card of a learner's network."""
    made = f"baselines.py --game {settings['game']} --minutes {minutes} --learners {name} --seed {settings['seed']}"
    return {
        "game": settings["game"], "learner": name, "players": PLAYERS, "cpu_minutes": float(minutes),
        "command": f"python training/benchmarks/{made}", "version": __version__, "date": date.today().isoformat(),
        "machine": machine(), "against": against,
    }  # fmt: skip


def measure(agent: str | Agent, results: Results) -> Against:
    """What an agent wins against each opponent. Raises KeyboardInterrupt where Ctrl-C ended it early."""
    game, games, seed = (results.settings[name] for name in ("game", "games", "seed"))
    found = evaluate(agent, results.opponents, games, PLAYERS, seed + 1, game=game_type(game))
    if sum(each.games for each in found.against) < len(results.opponents) * found.asked:
        raise KeyboardInterrupt
    return {
        each.opponent: {"games": each.games, "wins": each.wins, "low": each.low, "high": each.high}
        for each in found.against
    }


def table(results: Results) -> str:
    """All that was found in Markdown: shares of games won in per cent, with 95 % intervals."""
    lines = [["agent", "CPU minutes", *results.opponents], ["---"] * (2 + len(results.opponents))]
    for name in (*results.opponents, *LEARNERS):
        for minutes, against in results.found.get(name, {}).items():
            shares = [share_with_interval(against[each]) if against else "no agent yet" for each in results.opponents]
            lines.append([f"`{name}`", "", *shares] if minutes == NO_TIME else [name, minutes, *shares])
    return "".join(f"| {' | '.join(line)} |\n" for line in lines)


def share_with_interval(wins: Mapping[str, float]) -> str:
    """A cell of the table."""
    return "{wins:.1f} ({low:.1f} to {high:.1f})".format(**{name: 100 * share for name, share in wins.items()})


def curves(results: Results) -> str:
    """What the learners win by the time they had, as an SVG: a panel for each opponent but the first."""
    with drawing("baselines", 3.6, len(results.opponents) - 1) as made:
        for axes, opponent in zip(made.panels, results.opponents[1:], strict=True):
            draw_panel(axes, opponent, results)
        made.axes.set_ylabel("games won")
        lines, names = made.axes.get_legend_handles_labels()
        if lines:
            made.axes.figure.legend(lines, names, loc="outside upper center", ncols=3)
    return made.svg


def draw_panel(axes: Axes, opponent: str, results: Results) -> None:
    """The curves against one opponent, with 95 % bands; the dashed line is par."""
    for name, colour in zip(LEARNERS, COLOURS, strict=False):
        points = {float(at): against[opponent] for at, against in results.found.get(name, {}).items() if against}
        if points:
            wins, low, high = ([each[part] for each in points.values()] for part in ("wins", "low", "high"))
            axes.plot(list(points), wins, ".-", color=colour, label=name, clip_on=False)
            axes.fill_between(list(points), low, high, color=colour, alpha=0.15, linewidth=0)
    axes.axhline(1 / PLAYERS, color=INK, linewidth=1, linestyle="--", alpha=0.6, zorder=0)
    axes.set_title(f"against {opponent}", fontsize=10)
    axes.set(xlabel="CPU minutes", xscale="log", ylim=(0, 1))
    axes.set_xticks(results.settings["minutes"], [f"{minutes:g}" for minutes in results.settings["minutes"]])
    axes.xaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    axes.grid(axis="y", color=INK, alpha=0.15, linewidth=0.8)


if __name__ == "__main__":
    run(main)
