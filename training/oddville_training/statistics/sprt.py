"""A sequential probability ratio test (Wald 1945): is an agent stronger than another, by as few games as can tell.

llr = blocks x gap x mean / variance, of block scores less the middle of both hypotheses' expected ones
accept H1 where llr >= ln((1 - ALPHA) / ALPHA), H0 where llr <= -ln((1 - ALPHA) / ALPHA), else continue
"""

from math import log

from oddville_env.core.errors import SettingError

MOST_ELO = 4000
ALPHA = 0.05  # the chance to accept H1 under H0, and H0 under H1
GOES_ON, ACCEPTS_H0, ACCEPTS_H1 = "continue", "accept H0", "accept H1"


class Sprt:
    """The test between two strengths, as engine testers of chess run it.

    H0: the agent is elo0 points above its opponent; H1: elo1 points. The units are blocks, whose games share their
    luck. The ratio is the normal approximation of the generalized test, with the mean and the variance of the block
    scores so far. Two more blocks are counted with them, half a point above and below the middle of both hypotheses:
    they favour neither, but without them a few equal scores would decide at once.

    bounds: of `llr`, at or below the first H0 is accepted, at or above the second H1. verdict: `continue`, or what the
    first block that crossed a bound decided: `accept H0`, `accept H1`. Raises SettingError.
    """

    def __init__(self, elo0: float, elo1: float) -> None:
        if not elo0 < elo1:
            raise SettingError(f"elo0 must be below elo1, not {elo0:g} and {elo1:g}")
        if not -MOST_ELO <= elo0 < elo1 <= MOST_ELO:
            raise SettingError(f"elo0 and elo1 must be {-MOST_ELO} to {MOST_ELO}, not {elo0:g} and {elo1:g}")
        self.elo0, self.elo1 = elo0, elo1
        share0, share1 = expected_share(elo0), expected_share(elo1)
        self._middle, self._gap = (share0 + share1) / 2, share1 - share0
        self.bounds, self.verdict = (log(ALPHA / (1 - ALPHA)), log((1 - ALPHA) / ALPHA)), GOES_ON
        self._number, self._sum, self._squares = 2, 0.0, 2 * 0.5**2  # of scores less the middle
        self.blocks = 0

    @property
    def llr(self) -> float:
        """The logarithm of the likelihood ratio of H1 to H0."""
        mean = self._sum / self._number
        return self._number * self._gap * mean / (self._squares / self._number - mean**2)

    def add(self, block_score: float) -> str:
        """Count a finished block by the share of its games that the agent won, 0 to 1; returns the verdict."""
        if not 0 <= block_score <= 1:
            raise SettingError(f"the score of a block must be 0 to 1, not {block_score:g}")
        self.blocks += 1
        self._number += 1
        self._sum += block_score - self._middle
        self._squares += (block_score - self._middle) ** 2
        if self.verdict == GOES_ON:
            low, high = self.bounds
            self.verdict = ACCEPTS_H1 if self.llr >= high else ACCEPTS_H0 if self.llr <= low else GOES_ON
        return self.verdict


def expected_share(elo: float) -> float:
    """The win share of an agent that is so many points above its opponent."""
    return 1 / (1 + 10 ** (-elo / 400))
