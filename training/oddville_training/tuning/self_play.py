"""What `oldtown train --algo selfplay` does: the heuristic's weights, fitted to the games that it plays with itself.

After each round `state.json` holds the sums that the weights follow from, and `weights.json` the weights, each written
whole: a run that was ended, by whatever it was, goes on from its last round to the same weights.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import inf
from pathlib import Path
from time import monotonic
from typing import Any

import numpy as np

from oddville_agents.oldtown.heuristic.weights import write_weights
from oddville_agents.roster import AgentSpec
from oddville_env.core.checks import as_it_was_set, whole_number
from oddville_env.core.errors import OddVilleError, SettingError
from oddville_env.core.files import JsonFormat, remove_all_unfinished
from oddville_env.core.game_type import GameType
from oddville_env.core.kinds import check, whole
from oddville_env.core.locks import alone_in
from oddville_env.core.progress import error_console
from oddville_env.core.seeds import check_seed, game_seeds
from oddville_env.oldtown.settings import PLAYERS, make_box
from oddville_training.learned import Learned
from oddville_training.program import meter
from oddville_training.tuning.regress import METHOD, Fit, first_judge, noted_games

ROUNDS = 6
DEALS = 4000  # of a round
PART = 200  # deals that are played at once, between two looks at the clock
MINUTE = 60.0  # seconds
OPTIONS = ("players", "seed")
MOST = 2**63


class SelfPlayError(OddVilleError):
    """A run that cannot begin or go on as it was asked to."""


STATE = "state.json"
FILE = JsonFormat("oldtown-self-play", 1, "state of a run of self-play", SelfPlayError)
KINDS = {"players": whole(PLAYERS[0], PLAYERS[-1]), "seed": whole(0, MOST), "rounds": whole(1, ROUNDS)}


@dataclass
class Run:
    """A run, as far as it has come."""

    players: int
    seed: int
    rounds: int = 0
    fit: Fit = field(default_factory=Fit)

    def judge(self) -> np.ndarray:
        """The judge [1] of the next round."""
        return self.fit.judge() if self.rounds else first_judge()

    def write(self, folder: Path) -> None:
        """Keep what was fitted, and then the weights, each whole or not at all."""
        about = {"players": self.players, "seed": self.seed}
        FILE.write(folder / STATE, {**about, "rounds": self.rounds, "sums": self.fit.sums()})
        made = {"method": METHOD, **about, "deals": DEALS * self.rounds, "positions": self.fit.positions}
        write_weights(folder / "weights.json", self.judge(), made)


def run(game_type: GameType, folder: Path, typed: Mapping[str, Any], resume: bool, minutes: float | None) -> Learned:
    """Go on with a run until its last round, the end of the minutes or Ctrl-C, and show it.

    typed: the options that were given. Raises SettingError and SelfPlayError.
    """
    for name in typed:
        if name not in OPTIONS:
            flag = name.replace("_", "-")
            raise SettingError(f"--{flag} means nothing here: {game_type.title} tunes the weights of its heuristic")
    if minutes is not None and not 0 < minutes < inf:
        raise SettingError(f"minutes must be a number above 0, not {minutes}")
    interrupted = False
    with alone_in(folder, SelfPlayError):
        found = _resumed(folder, typed) if resume else _begun(folder, typed)
        try:
            _go_on(found, folder, inf if minutes is None else monotonic() + minutes * MINUTE)
        except KeyboardInterrupt:
            interrupted = True
    if not found.rounds:
        raise SelfPlayError(f"the first round was not finished, so there is nothing in {folder}: begin again")
    if found.rounds < ROUNDS:
        error_console().print(f"Stopped; {found.rounds} of {ROUNDS} rounds are kept in {folder}: --resume goes on.")
    model = AgentSpec("heuristic", {"weights": str(folder / "weights.json")})
    return Learned(model, interrupted, {"players": found.players, "settings": {}})


def rehearse() -> None:
    """Play a little, so that all of it is compiled."""
    noted_games(make_box(PLAYERS[0]), first_judge(), game_seeds(0, 2))


def _begun(folder: Path, typed: Mapping[str, Any]) -> Run:
    """A new run."""
    if (folder / STATE).exists():
        raise SelfPlayError(f"{folder} already holds a run: resume it, or name another folder")
    players = whole_number("players", typed.get("players", PLAYERS[0]), PLAYERS[0], PLAYERS[-1])
    return Run(players, check_seed(typed.get("seed", 0)))


def _resumed(folder: Path, typed: Mapping[str, Any]) -> Run:
    """The run in a folder."""
    plain = FILE.read(folder / STATE)
    try:
        check(plain, KINDS, SelfPlayError)
        found = Run(plain["players"], plain["seed"], plain["rounds"])
        found.fit.restore(plain["sums"])
    except (KeyError, TypeError, ValueError, OverflowError) as error:
        raise SelfPlayError(f"{folder / STATE} is damaged: {error}") from None
    for name, value in typed.items():
        as_it_was_set(name, getattr(found, name), value)
    remove_all_unfinished(folder)
    found.write(folder)  # it may have been killed before it wrote the weights
    return found


def _go_on(run: Run, folder: Path, until: float) -> None:
    """Round after round, each kept when it is done."""
    box, seeds = make_box(run.players), game_seeds(run.seed, DEALS * ROUNDS).reshape(ROUNDS, DEALS)
    with meter("deals") as shown:
        task = shown.add_task("fitting", total=DEALS * ROUNDS, completed=DEALS * run.rounds)
        for deals in seeds[run.rounds :]:
            judge, noted = run.judge(), []
            for part in np.array_split(deals, -(-DEALS // PART)):
                if monotonic() >= until:
                    return
                noted.append(noted_games(box, judge, part))
                shown.advance(task, len(part))
            rows, leads = zip(*noted, strict=True)
            run.fit.add(np.concatenate(rows), np.concatenate(leads))
            run.rounds += 1
            run.write(folder)
