"""The plan of OddVille's self-play, each setting with its default and what it may be; and the files of a run.

The presets are TOML files beside this one: `champion` and `night` made the networks that ship, `response` beats one.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, ClassVar, Self

from oddville_agents.oddville.search.agent import MOST_TURNS
from oddville_agents.oddville.value.network import ARCHITECTURES, FILES, LEARNED_3, USUAL
from oddville_agents.spec import AgentSpec
from oddville_env.core.checked import above_zero, having, number, one_of, several, text, whole
from oddville_env.core.disk.reading import JsonFormat
from oddville_env.core.errors import shown
from oddville_env.oddville.cards import CardSet
from oddville_env.oddville.cards.words import PLAYERS
from oddville_env.oddville.rules.state import DEFAULT_TABLE
from oddville_env.oddville.settings import LONGEST_SIDE, MAX_ROUNDS
from oddville_env.oddville.settings import MOST_ROUNDS as MOST_ROUNDS_OF_GAMES
from oddville_training.selfplay import plan as plans
from oddville_training.selfplay.plan import MOST_ROUNDS, PART_GAMES, PlanError, SelfPlayPlan, Stage
from oddville_training.settings import setting

BASE_SET = "base"
SIMPLE = "greedy:weights=simple"
MOST = 10**9  # games, and card sets
SEARCH, VALUE = "search", "value"
SEARCHED = (SEARCH, VALUE)  # kinds of stages in which positions are searched
SEARCH_PART_GAMES = 50
RESPONSE = "response"  # the preset of best responses
TUNED, CHAMPION, OF_NETWORK = "greedy", "champion", ":network="

_games = several(whole(1, MOST), 1, len(PLAYERS))


@dataclass(frozen=True, kw_only=True)
class Plan(SelfPlayPlan):
    """Settings of a run; numbers of games have one entry for each number of players. Raises PlanError."""

    GAMES: ClassVar = {plans.WARM: "warm_games", plans.ROUND: "games", SEARCH: "search_games", VALUE: "value_games"}
    PRESETS: ClassVar = Path(__file__).resolve().parent / "presets"
    MAY_CHANGE: ClassVar = ("rounds", "search_rounds", "value_rounds")
    players: tuple[int, ...] = setting((2,), several(whole(PLAYERS[0], PLAYERS[-1]), 1, len(PLAYERS)))
    cards: tuple[str, ...] = setting((BASE_SET,), several(text(), 1, MOST))  # `base`, `drawn:SEED`, or a folder
    table: tuple[int, ...] = setting(DEFAULT_TABLE, several(whole(1, LONGEST_SIDE), 2, 2))  # columns, lines
    max_rounds: int = setting(MAX_ROUNDS, whole(1, MOST_ROUNDS_OF_GAMES))
    threads: int = setting(1, whole(1, 256))  # of torch
    architecture: str = setting(USUAL, one_of(*ARCHITECTURES))  # of the network
    start: str | None = setting(None, text().or_none())  # a network to begin with, instead of the games of greedy
    # Games
    warm_games: tuple[int, ...] = setting((20_000,), _games)  # of greedy
    rounds: int = setting(3, whole(0, MOST_ROUNDS))  # of self-play
    games: tuple[int, ...] = setting((12_000,), _games)  # of each of these rounds
    past: float = setting(0.2, number(0, 1))  # the part of the games with past networks and greedy at the table
    rival: str | None = setting(None, text().or_none())  # `greedy` or a network: learn to beat it in all other seats
    search_rounds: int = setting(0, whole(0, MOST_ROUNDS))  # that learn a search's choices, after the others
    search_games: tuple[int, ...] = setting((400,), _games)  # of each of these rounds
    value_rounds: int = setting(0, whole(0, MOST_ROUNDS))  # that learn a search's values, at the end
    value_games: tuple[int, ...] = setting((6000,), _games)  # of each of these rounds
    sims: int = setting(64, whole(1, 100_000))  # iterations of each search
    turns: int = setting(0, whole(0, MOST_TURNS))  # that a search plays each new position on, to judge it there too
    share: float = setting(0.25, above_zero(1))  # the part of the decisions that are learned from
    window: int = setting(2, whole(1, MOST_ROUNDS))  # rounds whose games are learned from
    td_lambda: float = setting(0.85, number(0, 1))  # what a target takes from what followed

    def __post_init__(self) -> None:
        """Check every setting, and that there is something to do."""
        super().__post_init__()
        if self.start is not None and self.rounds + self.search_rounds + self.value_rounds == 0:
            raise PlanError("a run with a start network needs rounds")

    def stages(self) -> list[Stage]:
        """All stages in order."""
        return [Stage(number, *each) for number, each in enumerate(self._named_stages())]

    def as_stored(self) -> dict[str, Any]:
        """See `SelfPlayPlan.as_stored`: without some settings where they are the usual ones."""
        usual = {"table": list(DEFAULT_TABLE), "max_rounds": MAX_ROUNDS}
        return {name: value for name, value in self.as_plain().items() if name not in usual or value != usual[name]}

    def settings(self, cards: CardSet) -> dict[str, Any]:
        """The settings of games with these cards, beside their players."""
        return {"table": self.table, "max_rounds": self.max_rounds, "cards": cards}

    @classmethod
    def asked(cls, typed: Mapping[str, Any], resume: bool, default: str = "quick") -> Self | None:
        """See `SelfPlayPlan.asked`."""
        rival = typed.get("best_response")
        plan = super().asked(typed, resume, default if rival is None else RESPONSE)
        return plan if plan is None or rival is None else replace(plan, rival=rival_of(rival))

    def options(self) -> dict[str, Any]:
        """The settings that options of the command line name."""
        rival = None if self.rival is None else spec_of(self.rival)
        return {**super().options(), "threads": self.threads, "best_response": rival}

    def _named_stages(self) -> Iterator[tuple[str, str]]:
        if self.start is None:
            yield plans.WARM, plans.WARM
        for kind, rounds in ((plans.ROUND, self.rounds), (SEARCH, self.search_rounds), (VALUE, self.value_rounds)):
            yield from ((kind, f"{kind}-{number:04}") for number in range(1, rounds + 1))

    def part_games(self, kind: str) -> int:
        """Games of a part of a stage of this kind."""
        return SEARCH_PART_GAMES if kind in SEARCHED else PART_GAMES


def rival_of(spec: str) -> str:
    """A plan's name for an agent that is to be beaten; raises PlanError."""
    agent, _, network = spec.partition(OF_NETWORK)
    if agent == CHAMPION:
        return network or LEARNED_3.stem
    if spec != TUNED:
        raise PlanError(f"a best response is to greedy, champion or champion:network=FILE, not {shown(spec)}")
    return TUNED


def spec_of(rival: str) -> AgentSpec:
    """The agent of a plan's rival."""
    usual = {TUNED: AgentSpec(TUNED), LEARNED_3.stem: AgentSpec(CHAMPION)}
    return usual.get(rival, AgentSpec(CHAMPION, {"network": rival}))


# Files

_LOSSES, _SECONDS, _SHARE = having({}, number(-1e9, 1e9)), number(0, 1e9), number(0, 1)
_REPORT = having(
    {
        "rows": having({}, whole(0, MOST)),
        "loss": having(dict.fromkeys(("formula", "before", "after"), _LOSSES)),
        "seconds": having(dict.fromkeys(("games", "rows", "fit"), _SECONDS)),
    }
)
_WINS = having({"games": whole(1, MOST), "won": _SHARE, "low": _SHARE, "high": _SHARE})
_EVALUATION = having({SIMPLE: _WINS, TUNED: _WINS}, _WINS)  # by anchor


class OddVilleFolder(plans.SelfPlayFolder[Plan]):
    """The files of a run."""

    PLAN = Plan
    FORMAT = JsonFormat("oddville-selfplay", 1, "plan of a run", PlanError)
    NETWORKS = FILES

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.tensorboard = path / "tensorboard"

    def _resumed(self, stored: Plan, plan: Plan | None) -> Plan:
        now = super()._resumed(stored, plan)
        for name, later in (("rounds", (SEARCH, VALUE)), ("search_rounds", (VALUE,))):
            begun = any(self.stage(each).exists() for each in stored.stages() if each.kind in later)
            if begun and getattr(now, name) != getattr(stored, name):
                raise PlanError(f"{self.path} is beyond its {name}: they stay {getattr(stored, name)}")
        return now

    def evaluation(self, stage: Stage, players: int) -> Path:
        """The file with the strength of a stage's network."""
        return self.stage(stage) / f"evaluation-{players}.json"

    def report(self, stage: Stage) -> dict[str, Any]:
        """The report of a stage: that of its fit, and `wins` by number of players and anchor. Raises PlanError."""
        found = {str(players): self.evaluation(stage, players) for players in PLAYERS}
        wins = {players: plans.read_result(path, _EVALUATION) for players, path in found.items() if path.exists()}
        return plans.read_result(self.stage(stage) / plans.REPORT, _REPORT) | {"wins": wins}
