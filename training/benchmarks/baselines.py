"""What learners reach in equal time of one core, over seeds: built-in agents, and all ways to learn of `learners.py`.

    python training/benchmarks/baselines.py --minutes 1,2,5 --seeds 5
    python training/benchmarks/baselines.py --game oldtown --minutes 5 --learners afterstates,selfplay --networks made

Each learner has the processor for as long as the longest budget says. How it played when a budget was spent is kept,
and measured when it has learned, in games of two on equal deals with seats swapped. Learning rates that fall do so over
the longest budget: a run of 5 minutes may reach more in them than a run of 20. The folder holds `results.json` with
every finished run, `table.md`, and for each game `curves-GAME.svg` and `profiles-GAME.svg`; the same command again adds
what is missing, also of the other game, of further seeds and of further learners. `--networks` keeps networks that
value positions, with their model cards: `baseline:NAME` plays by such files.
"""

import shlex
import subprocess
import sys
from collections.abc import Mapping
from datetime import date
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated, Any

import torch
import typer
from learners import LEARNERS, PLAYERS, Recorder, save
from print_results import as_markdown

from oddville_agents.agent import Agent
from oddville_env import __version__
from oddville_env.core.checked import check, having, instance, number, one_of, text, whole
from oddville_env.core.disk.files import atomic_write
from oddville_env.core.disk.locks import alone_in
from oddville_env.core.disk.reading import JsonFormat
from oddville_env.core.errors import SettingError, shown
from oddville_env.core.game.game_type import game_type
from oddville_env.core.system.processes import machine
from oddville_env.core.system.progress import error_console
from oddville_training.program import meter, run
from oddville_training.report.baselines import NO_TIME, curves, learners_of, profiles, tables
from oddville_training.tournament.evaluate import evaluate

OPPONENTS = {
    "oddville": ("random", "greedy:weights=simple", "greedy", "champion:reply=false"),
    "oldtown": ("random", "greedy", "heuristic"),
}
"""By game, the weakest first; they are measured too. All learners beat the first: it counts in no mean."""
MOMENT = 0.01  # minutes: each learner begins once before it counts, so that no kernel is compiled on the clock
MOST_SEEDS = 1000
NO_SEED = 0  # of agents that do not learn
SCRIPT = Path(__file__).resolve()

Against = dict[str, dict[str, float]]  # by opponent: games, and the share of wins with its 95 % interval
WINS = having({"games": whole(1), "wins": number(0, 1), "low": number(0, 1), "high": number(0, 1)})
FILE = JsonFormat("oddville-baselines", 2, "results of baselines", SettingError)


class Results:
    """The finished runs, in a folder that later commands continue. A run is a (game, learner, seed)."""

    def __init__(self, folder: Path, settings: Mapping[str, Any]) -> None:
        self.folder, self.settings, self._file = folder, settings, folder / "results.json"
        self.runs: list[dict[str, Any]] = []
        if self._file.exists():
            plain = FILE.read(self._file)
            check(plain, {"settings": instance(dict), "runs": instance(list)}, SettingError)
            for name, value in settings.items():
                if (there := plain["settings"].get(name)) != value:
                    told = f"holds results with {name} {shown(there)}, not {shown(value)}"
                    raise SettingError(f"{folder} {told}: name another folder")
            self.runs = plain["runs"]
            for each in self.runs:
                _check_run(each, self._file)

    def holds(self, game: str, learner: str, seed: int) -> bool:
        """Whether this run is finished."""
        return any((each["game"], each["learner"], each["seed"]) == (game, learner, seed) for each in self.runs)

    def add(self, game: str, learner: str, seed: int, found: dict[str, Against]) -> None:
        """Write a finished run, and all of them as tables and pictures."""
        command = shlex.join(["python", f"training/benchmarks/{SCRIPT.name}", *sys.argv[1:]])
        how = {"command": command, "commit": commit(), "date": f"{date.today():%d %b %Y}", "machine": machine()}
        self.runs.append({"game": game, "learner": learner, "seed": seed, **how, "found": found})
        FILE.write(self._file, {"settings": dict(self.settings), "runs": self.runs})
        mine = [each for each in self.runs if each["game"] == game]
        pages = [f"{name}\n\n{as_markdown(result)}" for name, result in tables(self.runs).items()]
        texts = {"table.md": "\n".join(pages)}
        if learners_of(mine):
            texts |= {f"curves-{game}.svg": curves(mine), f"profiles-{game}.svg": profiles(mine)}
        for file, content in texts.items():
            with atomic_write(self.folder / file) as opened:
                opened.write(content)


def _check_run(plain: Any, file: Path) -> None:
    """Raise SettingError for a run of an unknown learner, or with other fields."""
    if not isinstance(plain, dict):
        raise SettingError(f"{file}: a run must be an object, not {shown(plain)}")
    kinds = {"game": one_of(*OPPONENTS), "seed": whole(NO_SEED), "machine": instance(dict)}
    check(plain, kinds | dict.fromkeys(("command", "commit", "date"), text()), SettingError)
    opponents = OPPONENTS[plain["game"]]
    check(plain, {"learner": one_of(*opponents, *LEARNERS)}, SettingError)
    check(plain, {"found": having({}, having({}, WINS))}, SettingError)
    if any(list(against) != list(opponents) for against in plain["found"].values() if against):
        raise SettingError(f"{file}: {plain['learner']} must have played against {', '.join(opponents)}")


def commit() -> str:
    """The commit of this checkout, with `-dirty` where files differ from it."""
    try:
        told = subprocess.run(
            ["git", "describe", "--always", "--dirty", "--exclude=*"],
            cwd=SCRIPT.parent,
            capture_output=True,
            check=True,
        )
    except (OSError, subprocess.CalledProcessError):
        return "unknown"
    return told.stdout.decode().strip()


def main(
    game: Annotated[str, typer.Option(help="oddville or oldtown.")] = "oddville",
    minutes: Annotated[str, typer.Option(help="Budgets in CPU minutes, written 5,20.")] = "5,20",
    games: Annotated[int, typer.Option(help="Games against each opponent.")] = 1000,
    learners: Annotated[str, typer.Option(help="Learners, written a,b.")] = ",".join(LEARNERS),
    seeds: Annotated[int, typer.Option(help="Seeds of each learner.", min=1, max=MOST_SEEDS)] = 1,
    folder: Annotated[Path | None, typer.Option(help="Folder of the results, also of an earlier run.")] = None,
    networks: Annotated[
        Path | None, typer.Option(help="Also write networks of the first seed, with cards, to this folder.")
    ] = None,
    seed: Annotated[int, typer.Option(help="First seed of learners and deals.", min=0, max=MOST_SEEDS)] = 1,
) -> None:
    """Give every learner the longest budget with each seed, measure all agents, and write tables and curves."""
    torch.set_num_threads(1)
    budgets, names = budgets_of(minutes), names_of(learners)
    if game not in OPPONENTS:
        raise SettingError(f"--game must be one of {', '.join(OPPONENTS)}, not {shown(game)}")
    folder = folder or Path("runs") / f"baselines-{'-'.join(f'{each:g}' for each in budgets)}"
    with alone_in(folder, SettingError):
        results = Results(folder, {"minutes": budgets, "games": games})
        for name in OPPONENTS[game]:
            if not results.holds(game, name, NO_SEED):
                results.add(game, name, NO_SEED, {NO_TIME: measure(name, game, games, NO_SEED)})
        for each in range(seed, seed + seeds):
            for name in names:
                if not results.holds(game, name, each):
                    kept = networks if each == seed else None
                    results.add(game, name, each, learn_and_measure(name, game, budgets, games, each, kept))
    error_console().print(f"The tables and the curves are in {folder}.")


def budgets_of(words: str) -> list[float]:
    """The budgets that a text says, ascending. Raises SettingError."""
    try:
        found = sorted({float(part) for part in words.split(",")})
    except ValueError:
        found = []
    if not found or not all(0 < each < inf for each in found):
        raise SettingError(f"--minutes must be numbers above 0 such as 5,20, not {shown(words)}")
    return found


def names_of(words: str) -> list[str]:
    """The learners that a text says. Raises SettingError."""
    for name in (names := words.split(",")):
        if name not in LEARNERS:
            raise SettingError(f"there is no learner {shown(name)}, expected some of {', '.join(LEARNERS)}")
    return names


def learn_and_measure(
    name: str, game: str, budgets: list[float], games: int, seed: int, networks: Path | None
) -> dict[str, Against]:
    """What a learner wins, by minutes and opponent; nothing where it had no agent yet. networks: a folder for them."""
    learn = LEARNERS[name]
    with TemporaryDirectory() as folder:
        with meter("CPU seconds") as progress:
            bar = progress.add_task(f"{name}, seed {seed} begins", total=None)
            learn(game, seed, Path(folder) / "moment", Recorder([MOMENT]))
            recorder = Recorder(budgets, lambda seconds: progress.update(bar, completed=seconds))
            progress.update(bar, total=recorder.seconds, description=f"{name}, seed {seed} learns")
            torch.manual_seed(seed)
            learn(game, seed, Path(folder) / "run", recorder)
        kept = {f"{minutes:g}": recorder.kept.get(minutes) for minutes in budgets}
        found = {at: {} if agent is None else measure(agent, game, games, seed) for at, agent in kept.items()}
        for at, agent in kept.items() if networks is not None else ():
            if agent is not None:
                save(agent, networks / f"{name}-{at}.safetensors", game, card_of(name, game, at, seed, found[at]))
        return found


def card_of(name: str, game: str, minutes: str, seed: int, against: Against) -> dict[str, Any]:
    """The model card of a learner's network."""
    made = f"{SCRIPT.name} --game {game} --minutes {minutes} --learners {name} --seed {seed}"
    return {
        "game": game, "learner": name, "players": PLAYERS, "cpu_minutes": float(minutes),
        "command": f"python training/benchmarks/{made}", "version": __version__, "date": date.today().isoformat(),
        "machine": machine(), "against": against,
    }  # fmt: skip


def measure(agent: str | Agent, game: str, games: int, seed: int) -> Against:
    """What an agent wins against each opponent. Raises KeyboardInterrupt where Ctrl-C ended it early."""
    opponents = OPPONENTS[game]
    found = evaluate(agent, opponents, games, PLAYERS, seed + 1, game=game_type(game))
    if sum(each.games for each in found.against) < len(opponents) * found.asked:
        raise KeyboardInterrupt
    return {
        each.opponent: {"games": each.games, "wins": each.wins, "low": each.low, "high": each.high}
        for each in found.against
    }


if __name__ == "__main__":
    run(main)
