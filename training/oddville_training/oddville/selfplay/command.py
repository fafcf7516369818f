"""`oddville selfplay`: from options to a run."""

from collections.abc import Mapping
from dataclasses import replace
from math import inf
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from oddville_agents.roster import AgentSpec
from oddville_env.core.checks import as_it_was_set
from oddville_env.core.errors import SettingError, shown
from oddville_env.core.game_type import GameType
from oddville_env.core.progress import error_console
from oddville_training.oddville.selfplay.display import RunDisplay
from oddville_training.oddville.selfplay.evaluation import TUNED
from oddville_training.oddville.selfplay.folder import RunFolder
from oddville_training.oddville.selfplay.learn import learn
from oddville_training.oddville.selfplay.plan import Plan
from oddville_training.plans import PlanError
from oddville_training.result import SelfPlayResult
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
    if minutes is not None and not 0 < minutes < inf:
        raise SettingError(f"minutes must be a number above 0, not {minutes}")
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
    name, file, rival = typed.get("preset"), typed.get("config"), typed.get("best_response")
    if name is not None and file is not None:
        raise PlanError("--preset and --config both name a plan: name one")
    if resume and name is None and file is None:
        _check_same(folder, typed)
        return None
    usual = RESPONSE if rival is not None else "quick"
    plan = Plan.read(file) if file is not None else Plan.preset(name or usual)
    if "players" in typed:
        plan = plan.only(typed["players"])
    if rival is not None:
        plan = replace(plan, rival=rival_of(rival))
    return replace(plan, **{name: typed[name] for name in ("seed", "threads") if name in typed})


def _check_same(folder: Path, typed: Mapping[str, Any]) -> None:
    """Raises SettingError for an option that asks the run in a folder for another setting than it has."""
    stored = RunFolder(folder).plan()
    players = stored.players[0] if len(stored.players) == 1 else stored.players
    rival = None if stored.rival is None else spec_of(stored.rival)
    there = {"players": players, "seed": stored.seed, "threads": stored.threads, "best_response": rival}
    for name in there.keys() & typed.keys():
        as_it_was_set(name, there[name], typed[name])


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
