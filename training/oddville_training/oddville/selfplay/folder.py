"""The stages of a run, and their files."""

from pathlib import Path
from typing import Any, NamedTuple

from oddville_agents.oddville.value.network.files import FILES
from oddville_env.core.checked.kinds import ValueKind, having, number, whole
from oddville_env.core.disk.files import JsonFormat, read_json
from oddville_env.core.errors import shown
from oddville_env.oddville.cards.words import PLAYERS
from oddville_training.oddville.selfplay.evaluation import SIMPLE, TUNED
from oddville_training.oddville.selfplay.plan import MAY_CHANGE, Plan
from oddville_training.selfplay.folder import SelfPlayFolder
from oddville_training.selfplay.plan import MOST, PlanError

_LOSSES, _SECONDS, _SHARE = having({}, number(-1e9, 1e9)), number(0, 1e9), number(0, 1)
REPORT = having(
    {
        "rows": having({}, whole(0, MOST)),
        "loss": having(dict.fromkeys(("formula", "before", "after"), _LOSSES)),
        "seconds": having(dict.fromkeys(("games", "rows", "fit"), _SECONDS)),
    }
)
"""The contents of a stage's `report.json`."""
WINS = having({"games": whole(1, MOST), "won": _SHARE, "low": _SHARE, "high": _SHARE})
EVALUATION = having({SIMPLE: WINS, TUNED: WINS}, WINS)
"""The contents of `evaluation-*.json`, by anchor."""
WARM, ROUND, SEARCH, VALUE = "warm", "round", "search", "value"


class Stage(NamedTuple):
    """A part of a run: games, then a network that is fitted to them."""

    place: int  # among all stages, from 0
    kind: str
    number: int  # among those of its kind, from 1

    @property
    def name(self) -> str:
        """The name of its folder."""
        return WARM if self.kind == WARM else f"{self.kind}-{self.number:04}"


def stages_of(plan: Plan) -> list[Stage]:
    """All stages of a run, in order."""
    names = [(WARM, 1)] if plan.start is None else []
    names += [(ROUND, count + 1) for count in range(plan.rounds)]
    names += [(SEARCH, count + 1) for count in range(plan.search_rounds)]
    names += [(VALUE, count + 1) for count in range(plan.value_rounds)]
    return [Stage(place, *name) for place, name in enumerate(names)]


class RunFolder(SelfPlayFolder[Plan, Stage]):
    """The files of a run."""

    PLAN = Plan
    FORMAT = JsonFormat("oddville-selfplay", 1, "plan of a run", PlanError)
    NETWORKS = FILES

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.tensorboard = path / "tensorboard"

    def _resumed(self, stored: Plan, plan: Plan | None) -> Plan:
        if plan is None:
            return stored
        before, now = stored.as_plain(), plan.as_plain()
        changed = [name for name, value in now.items() if value != before[name] and name not in MAY_CHANGE]
        if changed:
            told = "; ".join(f"{name} is {shown(before[name])} there, not {shown(now[name])}" for name in changed)
            raise PlanError(f"{self.path} holds a run with other settings: {told}")
        for name, later in (("rounds", (SEARCH, VALUE)), ("search_rounds", (VALUE,))):
            begun = any(self.stage(each).exists() for each in stages_of(stored) if each.kind in later)
            if now[name] != before[name] and begun:
                raise PlanError(f"{self.path} is beyond its {name}: they stay {before[name]}")
        return plan

    def stage(self, stage: Stage) -> Path:
        """The folder of a stage."""
        return self.path / "stages" / stage.name

    def evaluation(self, stage: Stage, players: int) -> Path:
        """The file that says how strong a stage's network is."""
        return self.stage(stage) / f"evaluation-{players}.json"

    def report(self, stage: Stage) -> dict[str, Any]:
        """The report of a stage: that of its fit, and `wins` by number of players and anchor."""
        known = _read(self.stage(stage) / "report.json", REPORT)
        found = {str(players): self.evaluation(stage, players) for players in PLAYERS}
        return known | {"wins": {name: _read(path, EVALUATION) for name, path in found.items() if path.exists()}}

    def forget_games(self, before: int, stages: list[Stage]) -> None:
        """Games that no fit will look at again take room only."""
        for stage in stages[:before]:
            for path in self.stage(stage).glob("games-*.npz"):
                path.unlink()


def _read(path: Path, kind: ValueKind) -> dict[str, Any]:
    """The contents of a JSON file of a run; raises PlanError where it is not of this kind."""
    plain = read_json(path, "what the run found, which --resume makes anew where it is missing", PlanError)
    if not kind.holds(plain):
        raise PlanError(f"{path} is damaged: delete it, and --resume makes it anew (expected {kind.expected})")
    return dict(plain)
