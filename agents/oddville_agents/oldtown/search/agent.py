"""`search`: a race between its moves, each played on in the same re-dealt games, for as long as it has time."""

import time
from math import inf
from typing import Annotated

import numpy as np

from oddville_agents.agent import Agent, Opinion
from oddville_agents.oldtown.heuristic.weights import WEIGHTS_TEXT, weight_set
from oddville_agents.oldtown.search import race
from oddville_agents.oldtown.value.evaluator import make_evaluator
from oddville_agents.oldtown.value.files import network_of
from oddville_agents.options import Ms, NetworkName, Option, clock_of
from oddville_env.core.checked.kinds import text, whole
from oddville_env.core.game.view import View
from oddville_env.oldtown.rules.box import Box

CLOCK = 8  # milliseconds after which the clock is looked at again
CHUNK = 32  # play-outs while the speed is not known, and where no clock rules
MOST_SIMS = 10**9


class SearchAgent(Agent):
    """Thinks for at most `ms` milliseconds, or for about `sims` play-outs: a deal that has begun is played to its end.

    It stops early where one move is left. With `sims` equal seeds give equal moves; a clock does not.
    """

    name = "search"
    version = "2"

    def __init__(
        self,
        ms: Ms = None,
        sims: Annotated[int | None, Option(whole(1, MOST_SIMS), "play-outs for a move, where no clock rules")] = None,
        network: NetworkName = "learned",
        weights: Annotated[str, Option(text(), f"the heuristic's that plays on: {WEIGHTS_TEXT}")] = "tuned",
    ) -> None:
        self.ms, self._sims = clock_of(ms, sims), sims
        self._network, self._weights = network, weights
        self._evaluators = make_evaluator(network_of(network))  # wrong names are told at once
        weight_set(weights, 2)
        self._params = race.RaceParams()
        self._box: Box | None = None
        self.reset(0, 2, 0)

    def __deepcopy__(self, memo: dict[int, object]) -> "SearchAgent":
        return self._new_with(self.ms, self._sims, self._network, self._weights)

    def reset(self, seat: int, players: int, seed: int) -> None:
        """A game begins."""
        self._seed, self._begun = np.uint64(seed), 0

    def act(self, view: View) -> int:
        """The move with the best chances, the first of equals."""
        if np.count_nonzero(view.mask) == 1:
            return int(view.mask.argmax())
        found, _ = self.search(view)
        return int(race.best_first(found, view.seat, self._params)[0])

    def search(self, view: View) -> tuple[race.Race, float]:
        """The race of the legal moves, and how many seconds it took."""
        box, games = view.box, view.state
        if box is not self._box:
            self._box, self._scratch = box, race.make_scratch(box)
        seed = np.uint64(np.random.SeedSequence([int(self._seed), self._begun]).generate_state(1, np.uint64)[0])
        self._begun += 1
        found = race.begin(box, games, view.mask, self._evaluators, self._scratch)
        everything = (games, weight_set(self._weights, view.players), self._evaluators, found, self._scratch, seed)
        race.run(box.record, *everything, 0, self._params)  # compiled code is loaded: no move's time should pay
        start, done, left, chunk = time.perf_counter(), 0, inf, CHUNK
        while left >= 1 and found.runs.sum() > 1:
            wanted = chunk if self.ms is not None else min(chunk, (self._sims or 0) - done)
            done += int(race.run(box.record, *everything, wanted, self._params))
            if self.ms is None:
                left = (self._sims or 0) - done
            else:
                spent = 1000 * (time.perf_counter() - start)
                left = (self.ms - spent) * done / spent
                chunk = max(int(min(CLOCK * done / spent, left)), 1)
        return found, time.perf_counter() - start

    def opinion(self, view: View) -> Opinion:
        """Every legal move with its deals and chances, the best first; `share` is that of all play-outs."""
        found, seconds = self.search(view)
        return Opinion(race.candidates(found, view, self._params), int(found.deals.sum()), seconds)
