"""`search`: a race between its moves, each played on in the same samples of the hidden cards, until its time is up."""

import time
from math import inf
from typing import Annotated

import numpy as np

from oddville_agents.oldtown.heuristic.weights import WEIGHTS_TEXT
from oddville_agents.oldtown.race import Race, RaceAgent
from oddville_agents.options import Ms, NetworkName, Option, clock_of
from oddville_env.core.checked.kinds import text, whole
from oddville_env.core.game.view import View

CLOCK = 8  # milliseconds between looks at the clock
CHUNK = 32  # play-outs until the speed is known, and without a clock
MOST_SIMS = 10**9


class SearchAgent(RaceAgent):
    """A race for at most `ms` milliseconds or about `sims` play-outs; a sample that has begun is finished.

    It stops early where one move is left. Equal seeds give equal moves with `sims`, but not with a clock.
    """

    name = "search"

    def __init__(
        self,
        ms: Ms = None,
        sims: Annotated[int | None, Option(whole(1, MOST_SIMS), "play-outs for a move, without a clock")] = None,
        network: NetworkName = "learned",
        weights: Annotated[str, Option(text(), f"of the heuristic in play-outs: {WEIGHTS_TEXT}")] = "tuned",
    ) -> None:
        super().__init__(network, weights)
        self.ms, self._sims = clock_of(ms, sims), sims
        self.reset(0, 2, 0)

    def __deepcopy__(self, memo: dict[int, object]) -> "SearchAgent":
        return self._new_with(self.ms, self._sims, self._network, self._weights)

    def reset(self, seat: int, players: int, seed: int) -> None:
        """Start a game."""
        self._seed, self._begun = np.uint64(seed), 0

    def search(self, view: View) -> tuple[Race, float]:
        """Return the race of the legal moves, and the seconds that it took."""
        seed = np.uint64(np.random.SeedSequence([int(self._seed), self._begun]).generate_state(1, np.uint64)[0])
        self._begun += 1
        race = self.begin(view)
        self.run(view, race, seed, 0)  # loads compiled code before the clock runs
        start, done, left, chunk = time.perf_counter(), 0, inf, CHUNK
        while left >= 1 and race.runs.sum() > 1:
            wanted = chunk if self.ms is not None else min(chunk, (self._sims or 0) - done)
            done += self.run(view, race, seed, wanted)
            if self.ms is None:
                left = (self._sims or 0) - done
            else:
                spent = 1000 * (time.perf_counter() - start)
                left = (self.ms - spent) * done / spent
                chunk = max(int(min(CLOCK * done / spent, left)), 1)
        return race, time.perf_counter() - start
