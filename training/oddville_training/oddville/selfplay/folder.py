"""The files of a run of OddVille's self-play, and the reports of its stages."""

from pathlib import Path
from typing import Any

from oddville_agents.oddville.value.network import FILES
from oddville_env.core.checked.kinds import ValueKind, having, number, whole
from oddville_env.core.disk.reading import JsonFormat, read_json
from oddville_env.oddville.cards.words import PLAYERS
from oddville_training.oddville.selfplay.parts import SIMPLE
from oddville_training.oddville.selfplay.plan import MOST, SEARCH, TUNED, VALUE, Plan
from oddville_training.selfplay.folder import REPORT, SelfPlayFolder
from oddville_training.selfplay.plan import PlanError, Stage

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


class OddVilleFolder(SelfPlayFolder[Plan]):
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
        wins = {players: _read(path, _EVALUATION) for players, path in found.items() if path.exists()}
        return _read(self.stage(stage) / REPORT, _REPORT) | {"wins": wins}


def _read(path: Path, kind: ValueKind) -> dict[str, Any]:
    """The contents of a JSON file of a run; raises PlanError."""
    plain = read_json(path, "results of the run, which --resume makes anew where they are missing", PlanError)
    if not kind.holds(plain):
        raise PlanError(f"{path} is damaged: delete it, and --resume makes it anew (expected {kind.expected})")
    return dict(plain)
