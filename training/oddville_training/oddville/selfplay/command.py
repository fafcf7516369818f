"""`oddville selfplay`: from options to a run."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from oddville_agents.spec import AgentSpec
from oddville_env.core.errors import shown
from oddville_env.core.game.game_type import GameType
from oddville_env.core.system.progress import error_console
from oddville_training.oddville.selfplay.display import RunDisplay
from oddville_training.oddville.selfplay.evaluation import TUNED
from oddville_training.oddville.selfplay.folder import RunFolder
from oddville_training.oddville.selfplay.plan import Plan
from oddville_training.oddville.selfplay.stages import learn
from oddville_training.selfplay.plan import PlanError, check_minutes
from oddville_training.selfplay.result import SelfPlayResult
from oddville_training.work.pools import PROCESSES, workers_of

RESPONSE = "response"  # the preset of best responses
SIMS, SEARCHED_GAMES = 64, 100  # how the network is measured in search, which takes time
CHAMPION, LEARNED, OF_NETWORK = "champion", "learned", ":network="


def run(
    game_type: GameType, folder: Path, typed: Mapping[str, Any], resume: bool, minutes: float | None
) -> SelfPlayResult:
    """Learn by a preset or a file, with some settings given otherwise, and show it. Raises SettingError, PlanError.

    typed: the options that were given.
    """
    check_minutes(minutes)
    workers = workers_of(typed.get("workers"), typed.get("executor", PROCESSES), typed.get("address"))
    plan = _plan(folder, typed, resume)
    display = RunDisplay(error_console(), minutes)
    interrupted = False
    with display.shown():
        try:
            network = learn(folder, plan, resume, workers, display)
        except KeyboardInterrupt:
            network, interrupted = folder / "network.safetensors", True
    if interrupted or display.is_over:
        error_console().print(f"Stopped; all finished work is kept in {folder}: --resume goes on with it.")
    if not network.exists():
        raise PlanError(f"{folder} has no network yet: --resume goes on with the run")
    plan = RunFolder(folder).plan()
    same: dict[str, Any] = {"players": plan.players[0], "settings": {}}
    if plan.rival is not None:
        same["against"] = [spec_of(plan.rival)]
    searching = (AgentSpec("search", {"value": str(network), "sims": SIMS}), TUNED, SEARCHED_GAMES)
    return SelfPlayResult(champion(str(network)), interrupted, same, [searching] if plan.rival is None else [])


def rehearse() -> None:
    """Learn a little of everything, so that all of it is compiled."""
    few: dict[str, Any] = dict.fromkeys(Plan.GAMES, (2,)) | {
        "warm_games": (21,),
        "sims": 2,
        "batch": 64,
        "evaluation": 12,
    }
    with TemporaryDirectory() as folder:
        learn(Path(folder) / "run", Plan(rounds=1, search_rounds=1, **few), resume=False)


def _plan(folder: Path, typed: Mapping[str, Any], resume: bool) -> Plan | None:
    """The plan that was asked for, None for that of the folder."""
    rival = typed.get("best_response")
    plan = Plan.asked(typed, resume, "quick" if rival is None else RESPONSE)
    if plan is None:
        stored = RunFolder(folder).plan()
        beaten = None if stored.rival is None else spec_of(stored.rival)
        stored.check_same(typed, seed=stored.seed, threads=stored.threads, best_response=beaten)
        return None
    return plan if rival is None else replace(plan, rival=rival_of(rival))


def rival_of(spec: str) -> str:
    """A plan's name for an agent that is to be beaten; raises PlanError."""
    agent, _, network = spec.partition(OF_NETWORK)
    if agent == CHAMPION:
        return network or LEARNED
    if spec != TUNED:
        raise PlanError(f"a best response is learned to greedy, champion or champion:network=FILE, not {shown(spec)}")
    return TUNED


def spec_of(rival: str) -> AgentSpec:
    """The agent that a plan's rival is."""
    return {TUNED: AgentSpec(TUNED), LEARNED: AgentSpec(CHAMPION)}.get(rival, champion(rival))


def champion(network: str) -> AgentSpec:
    """The agent that plays by a network."""
    return AgentSpec(CHAMPION, {"network": network})
