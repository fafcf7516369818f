"""Old Town's puzzles for one as a Gymnasium environment [O5-O7]."""

from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, SupportsInt

import gymnasium
import numpy as np
from gymnasium import spaces
from gymnasium.vector import AutoresetMode, SyncVectorEnv

from oddville_env.core.checked import check_seed, whole_number
from oddville_env.core.errors import IllegalMoveError, SettingError, shown
from oddville_env.envs.live_game import StepGuard, as_id, vector_space
from oddville_env.envs.render import need_extra, pixels
from oddville_env.oldtown.deduction.puzzle import Puzzle
from oddville_env.oldtown.settings import Cards, read_deck
from oddville_env.oldtown.solo.game import MISTAKES, VECTOR, OldTownSolo, observe
from oddville_env.oldtown.solo.generator import LEVELS, check_level, generate
from oddville_env.oldtown.svg.puzzles import table

__all__ = ["OldTownSoloEnv", "OldTownSoloVectorEnv"]

RENDER_MODES = ("ansi", "rgb_array")
MOST_ENVS = 4096
FORFEIT = -1.0  # what an illegal action costs: no less than a wrong word


class OldTownSoloEnv(gymnasium.Env[np.ndarray, SupportsInt]):
    """Old Town's puzzles as a `gymnasium.Env`: a puzzle is built word by word.

    Actions are the words `build:{building}@{lot}`, Discrete(288): building x 16 + lot, both from 0. The legal ones are
    info["action_mask"] int8 and `action_masks()` bool; an illegal one ends the puzzle. Observations are uint8 [N];
    `encoder.views` gives their pieces. A right word is paid +1, a wrong one -1.

    Args:
        puzzle: The number of a printed puzzle, a Puzzle or its plain JSON: the same at every reset.
        level: `easy`, `medium` (the default without a puzzle) or `hard`: a new puzzle at every reset.
        hide_mine: Do not name the own buildings.
        mistakes: The number of mistakes that are allowed.
        deck: A deck, its file, or None for the base deck.
        render_mode: `ansi`, `rgb_array` or None.

    Raises:
        SettingError: For a wrong argument.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        puzzle: Puzzle | Mapping[str, Any] | int | None = None,
        level: str | None = None,
        *,
        hide_mine: bool = False,
        mistakes: int = MISTAKES,
        deck: Cards = None,
        render_mode: str | None = None,
    ) -> None:
        if puzzle is not None and level is not None:
            raise SettingError(f"expected either a puzzle or a level, one of {', '.join(LEVELS)}")
        if puzzle is None and level is None:
            level = "medium"
        if level is not None:
            check_level(level)
        if render_mode is not None and render_mode not in RENDER_MODES:
            expected = f"one of {', '.join(RENDER_MODES)} or None"
            raise SettingError(f"render_mode must be {expected}, not {shown(render_mode)}")
        if render_mode == "rgb_array":
            need_extra()
        self._puzzle, self._level, self._hide_mine = puzzle, level, hide_mine
        self._mistakes, self._deck = mistakes, read_deck(deck)
        self._puzzles: Iterator[Puzzle] | None = None
        self._game = None if puzzle is None else OldTownSolo(puzzle, mistakes, self._deck)
        self._guard = StepGuard()
        self.render_mode = render_mode
        self.encoder = VECTOR
        self.observation_space = vector_space(VECTOR)
        self.action_space = spaces.Discrete(OldTownSolo.ACTIONS)

    @property
    def game(self) -> OldTownSolo:
        """The puzzle and what was built; raises ResetNeeded before the first reset."""
        self._guard.check_dealt()
        assert self._game is not None
        return self._game

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Begin a puzzle; with a level the seed decides which ones come, one after the other."""
        super().reset(seed=seed)
        puzzle = self._puzzle
        if puzzle is None:
            assert self._level is not None
            if self._puzzles is None or seed is not None:
                self._puzzles = generate(self._level, check_seed(seed), self._hide_mine, self._deck)
            puzzle = next(self._puzzles)
        self._game = OldTownSolo(puzzle, self._mistakes, self._deck)
        self._guard.finish()
        return observe(self._game), self._info()

    def step(self, action: SupportsInt) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Say the word of an id. An illegal id ends the game; raises IllegalMoveError for what is no id at all."""
        self._guard.check()
        game, number = self.game, as_id(action)
        if number is None:
            raise IllegalMoveError(f"action {shown(action)} is no move, expected a whole number")
        if not 0 <= number < OldTownSolo.ACTIONS or not game.mask[number]:
            self._guard.end()
            return observe(game), FORFEIT, True, False, self._info() | {"illegal_action": action}
        reward = game.push(number)
        info = self._info()
        if game.is_over:
            self._guard.end()
            info |= {"score": game.score, "solved": game.is_solved}
        return observe(game), reward, game.is_over, False, info

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.action_masks().view(np.int8)}

    def action_masks(self) -> np.ndarray:
        """The legal words: bool [288], under the name that sb3-contrib looks for."""
        return self.game.mask

    def render(self) -> Any:
        """The puzzle and the town: text, or pixels uint8 [height, width, 3], as many all through a puzzle."""
        game = self.game
        if self.render_mode is None:
            gymnasium.logger.warn("render() was called without a render_mode")
            return None
        if self.render_mode == "ansi":
            return str(game)
        remark = f"{len(game.wrong)} of {game.mistakes} mistakes made"
        return pixels(table(game.puzzle, game.at, remark, game.deck))


class OldTownSoloVectorEnv(SyncVectorEnv):
    """Many puzzles at once, as `gymnasium.make_vec` makes them; the arguments are those of `OldTownSoloEnv`.

    The k-th puzzle has seed + k. A puzzle that ends is followed by the next in the same step.
    """

    def __init__(self, num_envs: int, **settings: Any) -> None:
        make = partial(OldTownSoloEnv, **settings)
        number = whole_number("num_envs", num_envs, 1, MOST_ENVS)
        super().__init__([make] * number, autoreset_mode=AutoresetMode.SAME_STEP)
