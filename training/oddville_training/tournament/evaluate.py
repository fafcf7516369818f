"""Evaluation: how often an agent wins against others, on equal deals, with how much certainty."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from math import ceil, sqrt

import numpy as np
from rich.box import SIMPLE
from rich.table import Table
from rich.text import Text

from oddville_agents import Agent, make_agent
from oddville_agents.play import play
from oddville_env.core.checks import whole_number
from oddville_env.core.game_type import Outcome
from oddville_env.core.seeds import check_seed, game_seeds
from oddville_env.envs.live_game import LiveGame
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oddville.rules.state import DEFAULT_TABLE
from oddville_env.oddville.settings import MAX_ROUNDS, Cards, make_box
from oddville_training.program import meter
from oddville_training.tournament.schedule import rotations

Outcomes = list[Outcome]  # of one deal, one for each seat of the agent
Z = 1.959964  # two-sided 95 % of the normal distribution


@dataclass(frozen=True)
class Against:
    """An agent's games against one opponent: shares are of 1, `low` to `high` is the 95 % interval of `wins`."""

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
        """All of it as a JSON text."""
        return json.dumps({**asdict(self), "par": self.par}, indent=1)


def evaluate(
    agent: str | Agent,
    against: Sequence[str],
    games: int = 400,
    players: int = 2,
    seed: int = 0,
    *,
    table: Sequence[int] = DEFAULT_TABLE,
    max_rounds: int = MAX_ROUNDS,
    cards: Cards = None,
    progress: bool = True,
) -> Evaluation:
    """Play the same deals against every opponent: each deal with the agent in every seat, the opponent in all others.

    games: against each opponent, rounded up to whole deals. Ctrl-C ends it early with the deals that were finished.
    Equal arguments give equal results. Raises AgentError, SettingError, CardError and IllegalMoveError.
    """
    live = LiveGame(ODDVILLE, make_box(players, table, max_rounds, cards))
    number = ceil(whole_number("games", games, 1, None) / players)
    deals = [int(deal) for deal in game_seeds(check_seed(seed), number)]
    mine = make_agent(agent)
    rivals = {spec: [make_agent(spec) for _ in range(players - 1)] for spec in against}
    results: list[Against] = []
    with meter("deals", progress) as shown:
        for spec, others in rivals.items():
            played: list[Outcomes] = []
            interrupted = _play(live, mine, others, shown.track(deals, description=f"against {spec}"), played)
            if played:
                results.append(_summary(spec, played))
            if interrupted:
                finished, asked = sum(result.games for result in results), len(rivals) * number * players
                shown.console.print(f"Stopped after {finished} of {asked} games, which are counted.")
                break
    return Evaluation(mine.spec or mine.name, players, seed, number * players, tuple(results))


def _play(live: LiveGame, mine: Agent, others: list[Agent], deals: Iterable[int], played: list[Outcomes]) -> bool:
    """Play whole deals until their end or Ctrl-C, and tell whether it was Ctrl-C."""
    try:
        for deal in deals:
            played.append([play(live, agents, deal) for agents in rotations([mine, *others])])
    except KeyboardInterrupt:
        return True
    return False


def _summary(opponent: str, played: list[Outcomes]) -> Against:
    """What the outcomes say; in each deal, outcome i is the one with the agent in seat i."""
    won = np.array([[outcome.winner == seat for seat, outcome in enumerate(deal)] for deal in played])
    scores = np.array([[np.roll(outcome.scores, -seat) for seat, outcome in enumerate(deal)] for deal in played])
    ranks = [outcome.ranks[seat] for deal in played for seat, outcome in enumerate(deal)]
    low, high = interval(won)
    return Against(
        opponent=opponent,
        games=won.size,
        wins=float(won.mean()),
        low=low,
        high=high,
        score=float(scores[..., 0].mean()),
        opponent_score=float(scores[..., 1:].mean()),
        rank=float(np.mean(ranks)),
        wins_by_seat=tuple(won.mean(0).tolist()),
        truncated=sum(outcome.truncated for deal in played for outcome in deal),
    )


def interval(won: np.ndarray) -> tuple[float, float]:
    """Wilson's 95 % interval of a win share: won bool [deals, seats].

    The games of a deal share its luck, so deals are the units: a share counts as so many independent games as would
    spread as widely as the deals' own shares do, at least one and at most all of the games of each deal.
    """
    share, spread = float(won.mean()), float(won.mean(1).var(ddof=1)) if len(won) > 1 else 0.0
    games = float(np.clip(share * (1 - share) * len(won) / spread, len(won), won.size)) if spread else len(won)
    middle = (share + Z**2 / (2 * games)) / (1 + Z**2 / games)
    reach = Z * sqrt(share * (1 - share) / games + Z**2 / (4 * games**2)) / (1 + Z**2 / games)
    return max(middle - reach, 0.0), min(middle + reach, 1.0)


def table(evaluation: Evaluation) -> Table:
    """An evaluation for the terminal, one opponent a line."""
    title = f"{evaluation.agent}, {evaluation.players} players, seed {evaluation.seed}, par {evaluation.par:.1%}"
    shown = Table(title=Text(title), box=SIMPLE, pad_edge=False, collapse_padding=True)
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
