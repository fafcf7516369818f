"""Evaluation: how often an agent wins against others, on equal deals, with how much certainty."""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import asdict, dataclass
from math import ceil, sqrt
from pathlib import Path
from typing import Any

import numpy as np
from rich.box import SIMPLE
from rich.markup import escape
from rich.progress import Progress, TaskID
from rich.table import Table
from rich.text import Text

from oddville_agents import Agent, make_agent
from oddville_agents.policies.asking import AskingAgent
from oddville_agents.roster import FIRST_GAME
from oddville_agents.spec import AgentSpec
from oddville_env.core.checked import check_seed, sequence, whole_number
from oddville_env.core.errors import SettingError, shown
from oddville_env.core.game.game_type import GameType, game_type
from oddville_training.program import meter
from oddville_training.statistics.intervals import Z
from oddville_training.tournament.config import Entrant, Schedule, Section, TournamentConfig, one_against
from oddville_training.tournament.executors import MakeExecutor, Notes, in_threads, on_this_machine, play_blocks
from oddville_training.tournament.seated_batch import win_shares
from oddville_training.tournament.transcripts import ModelFaultError, Transcripts, sentence

MOST_GAMES = 1_000_000_000


@dataclass(frozen=True)
class Against:
    """An agent's games against one opponent: shares are of 1, `low` to `high` is the 95 % interval of `wins`.

    models: the counts of agents that ask a language model, as `Transcripts.models` gives them.
    """

    opponent: str
    games: int
    wins: float
    low: float
    high: float
    score: float
    opponent_score: float
    rank: float
    wins_by_seat: tuple[float, ...]
    truncated: int
    models: Sequence[Mapping[str, Any]] = ()


@dataclass(frozen=True)
class Evaluation:
    """An agent's games against each opponent; `asked` is how many games of each there should have been."""

    agent: str
    players: int
    seed: int
    asked: int
    against: tuple[Against, ...]

    @property
    def par(self) -> float:
        """The win share of equals."""
        return 1 / self.players

    def to_json(self) -> str:
        """All of it as a JSON text; `models` only where an agent asks one."""
        plain = asdict(self)
        for each in plain["against"]:
            if not each["models"]:
                del each["models"]
        return json.dumps({**plain, "par": self.par}, indent=1)


def evaluate(
    agent: str | AgentSpec | Agent,
    against: Sequence[str | AgentSpec],
    games: int = 400,
    players: int = 2,
    seed: int = 0,
    *,
    game: GameType | None = None,
    workers: int = 1,
    parallel: int = 1,
    transcripts: Path | None = None,
    progress: bool = True,
    **settings: Any,
) -> Evaluation:
    """Play the same deals against every opponent: each deal with the agent in every seat, the opponent in all others.

    games: against each opponent, rounded up to whole deals; workers: processes that play, for agents that are named;
    parallel: threads that play, for agents that ask a model; transcripts: a file for the decisions of these; settings:
    of the game. Ctrl-C ends it early with the deals that were finished, and so does a model that cannot be asked. Equal
    arguments give equal results, whatever the number of workers and threads. Raises AgentError, SettingError, CardError
    and WorkerError.
    """
    if not sequence("against", against):
        raise SettingError("against must name at least one agent")
    game = game or game_type(FIRST_GAME)
    box = game.settings(players=players, **settings)
    number = ceil(whole_number("games", games, 1, MOST_GAMES) / players)
    workers = min(whole_number("workers", workers, 1), number)
    parallel = min(whole_number("parallel", parallel, 1, 1000), number)
    schedule = Schedule((Section(players, (one_against(0, 1, players),)),), check_seed(seed), number)
    mine = make_agent(agent, game.name)
    named = {str(spec): spec for spec in against}
    rivals = {name: [make_agent(spec, game.name) for _ in range(players - 1)] for name, spec in named.items()}
    _check_processes(workers, parallel, [agent, *against], [mine, *(each[0] for each in rivals.values())])
    own = Entrant(mine.spec or mine.name, mine.spec)
    configs = [TournamentConfig((own, Entrant(name, name)), schedule, game, box) for name in rivals]
    with closing(Transcripts(transcripts)) as decisions, meter("deals", progress) as shown:
        if workers > 1:
            executors = (on_this_machine(workers, (agent, *[spec] * (players - 1))) for spec in named.values())
        else:
            executors = (in_threads(parallel, (mine, *others), decisions) for others in rivals.values())
        results = _results(configs, executors, players, decisions, shown)
    return Evaluation(own.name, players, seed, number * players, results)


def _results(
    configs: Sequence[TournamentConfig],
    executors: Iterator[MakeExecutor],
    players: int,
    decisions: Transcripts,
    shown: Progress,
) -> tuple[Against, ...]:
    """Play against each opponent until Ctrl-C or the fault of a model, which is raised where no game was finished."""
    results: list[Against] = []
    for config, executor in zip(configs, executors, strict=True):
        name, notes, deals = config.entrants[1].name, Notes(), config.schedule.number
        decisions.opponent, bar = name, shown.add_task(f"against {escape(name)}", total=deals)
        reason: BaseException | None = None

        def watch(rows: np.ndarray, _: object, bar: TaskID = bar) -> None:
            shown.advance(bar, len(np.unique(rows["block"])))

        try:
            play_blocks(config, executor, notes, watch)
        except (KeyboardInterrupt, ModelFaultError) as early:
            reason = early
        if notes.entries:
            results.append(_summary(name, notes.rows, players, decisions))
        if reason is not None:
            if isinstance(reason, ModelFaultError) and not results:
                raise reason
            finished, asked = sum(result.games for result in results), len(configs) * deals * players
            counted = f"Stopped after {finished} of {asked} games, which are counted. {reason}".rstrip()
            shown.console.print(counted, markup=False)
            break
    return tuple(results)


def _check_processes(workers: int, parallel: int, named: Sequence[object], agents: Sequence[Agent]) -> None:
    """Raises SettingError where other processes could not make these agents too, or could not count their answers."""
    if workers == 1:
        return
    if parallel > 1:
        raise SettingError("workers are processes and parallel is for threads of this one: give one of them")
    for given, agent in zip(named, agents, strict=True):
        if not isinstance(given, str | AgentSpec):
            raise SettingError(
                f"with several workers agents are named by texts such as greedy or ./mine.py:Bot: {shown(given)} lives "
                "in this process alone"
            )
        if isinstance(agent, AskingAgent):
            raise SettingError(f"{given} asks a model, and its answers are counted in one process: give parallel")


def _summary(opponent: str, rows: np.ndarray, players: int, decisions: Transcripts) -> Against:
    """The result of rows; in game k of a deal the agent sits in seat k."""
    own = rows["agent"] == 0
    won = win_shares(rows)[own].reshape(-1, players)
    low, high = interval(won)
    return Against(
        opponent=opponent,
        games=won.size,
        wins=float(won.mean()),
        low=low,
        high=high,
        score=float(rows["score"][own].mean()),
        opponent_score=float(rows["score"][~own].mean()),
        rank=float(rows["rank"][own].mean()),
        wins_by_seat=tuple(won.mean(0).tolist()),
        truncated=int(rows["truncated"][own].sum()),
        models=decisions.models(rows["game"]),
    )


def interval(won: np.ndarray) -> tuple[float, float]:
    """Wilson's 95 % interval (1927) of a win share: won [deals, seats], 0 to 1.

    The games of a deal share its luck, so deals are the units: a share counts as so many independent games as would
    spread as widely as the deals' own shares do, at least one and at most all of the games of each deal.
    """
    share, spread = float(won.mean()), float(won.mean(1).var(ddof=1)) if len(won) > 1 else 0.0
    games = float(np.clip(share * (1 - share) * len(won) / spread, len(won), won.size)) if spread else len(won)
    middle = (share + Z**2 / (2 * games)) / (1 + Z**2 / games)
    reach = Z * sqrt(share * (1 - share) / games + Z**2 / (4 * games**2)) / (1 + Z**2 / games)
    return min(max(middle - reach, 0.0), share), max(min(middle + reach, 1.0), share)  # despite rounding


LEGEND = (
    "par: the share of wins of equals. 95 %: Wilson's interval, deals are the units. by seat: wins in each seat. "
    "score, theirs: mean points of the agent and of the others. rank: mean, 1 is best. "
    "cut: games that a limit ended early."
)
"""The words below the table."""


def table(evaluation: Evaluation) -> Table:
    """An evaluation for the terminal, one opponent a line."""
    title = f"{evaluation.agent}, {evaluation.players} players, seed {evaluation.seed}, par {evaluation.par:.1%}"
    shown = Table(title=Text(title), box=SIMPLE, pad_edge=False, collapse_padding=True)
    asked = [
        f"\n{result.opponent} against {sentence(each, result.games)}"
        for result in evaluation.against
        for each in result.models
    ]
    shown.caption, shown.caption_justify = Text("".join([LEGEND, *asked])), "left"
    shown.add_column("against", overflow="fold", min_width=len("against"))
    for name in ("games", "wins", "95 %", "by seat, %", "score", "theirs", "rank", "cut"):
        shown.add_column(name, justify="right", no_wrap=True)
    for result in evaluation.against:
        shown.add_row(
            Text(result.opponent),
            str(result.games),
            f"{result.wins:.1%}",
            f"{100 * result.low:.1f}-{100 * result.high:.1f}",
            " ".join(f"{100 * wins:.0f}" for wins in result.wins_by_seat),
            f"{result.score:.1f}",
            f"{result.opponent_score:.1f}",
            f"{result.rank:.2f}",
            str(result.truncated),
        )
    return shown
