"""Any game as a Gymnasium environment: one learning seat, the others played by named agents."""

from abc import abstractmethod
from typing import Any, SupportsInt, TypeVar, Unpack

import gymnasium
import numpy as np
from gymnasium import Space

from oddville_env.core.game.game_type import NOBODY, GameType
from oddville_env.envs.arguments import Opponents, OtherSeats, RewardKeywords, RewardSettings, documented
from oddville_env.envs.live_game import SeesGame, action_space, as_id, vector_space
from oddville_env.envs.render import RENDER_MODES

Seen = TypeVar("Seen")
Action = TypeVar("Action")


@documented(RewardSettings)
class LearningSeatEnv(SeesGame, gymnasium.Env[Seen, Action]):
    """The base of environments of one learning seat, whatever it sees and answers."""

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        game_type: GameType,
        settings: Any,
        opponents: Opponents,
        encoding: str,
        *,
        seat: int | None = None,
        render_mode: str | None = None,
        **paid: Unpack[RewardKeywords],
    ) -> None:
        box = self._set_up(game_type, settings, encoding, RewardSettings(**paid), render_mode)
        self._others = OtherSeats(game_type, opponents, box.players, seat)
        self._players: dict[int, Any] = {}
        self.seat = 0
        self.observation_space, self.action_space = self._spaces()

    @abstractmethod
    def _spaces(self) -> tuple[Space[Seen], Space[Action]]:
        """The spaces of observations and actions."""

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Seen, dict[str, Any]]:
        """Deal a game and play the opponents' moves up to the learning seat's first one.

        Args:
            seed: The seed of the game; None follows from the last game.
            options: Hidden orders of the game.

        Raises:
            SettingError: For a wrong argument.
            AgentFaultError: For an opponent's error or illegal move.
        """
        super().reset(seed=seed)
        self.live.deal(seed, options)
        self._guard.begin()
        players = self.live.box.players
        self.seat, seated = self._others.sit_down(self.live.seed)
        self._players = {seat: player for player, seat, _ in seated}
        for player, seat, own_seed in seated:
            player.begin(seat, players, own_seed)
        self._play_opponents()
        if self._shaping:
            self._shaping.begin(self.live.state, np.array([self.seat]))
        self._guard.finish()
        self._show()
        return self._observation(), self._info()

    def _play(self, number: int) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Play the id of a legal move, then the opponents' moves. Raises AgentFaultError."""
        self._guard.begin()
        self.live.play_legal(number)
        self._play_opponents()
        paid = 0.0
        if self._shaping and self.live.to_move != NOBODY:
            paid = float(self._shaping.pay(self.live.state, np.array([self.seat]))[0])
        self._guard.finish()
        self._show()
        if self.live.to_move != NOBODY:
            return self._observation(), paid, False, False, self._info()
        self._guard.end()
        outcome = self.live.outcome
        assert outcome is not None
        info = self._info() | {"scores": outcome.scores, "ranks": outcome.ranks, "seat": self.seat}
        reward = self._reward(outcome.scores, outcome.ranks)[self.seat] + self._shaped_end()
        return self._observation(), reward, not outcome.truncated, outcome.truncated, info

    def _lose(self, **more: Any) -> tuple[Seen, float, bool, bool, dict[str, Any]]:
        """Lose the game at once; more: for the info."""
        self._guard.end()
        return self._observation(), self.forfeit + self._shaped_end(), True, False, self._info() | more

    def _shaped_end(self) -> float:
        """What a potential pays the learning seat at the end."""
        return float(self._shaping.end(np.arange(1))[0, self.seat]) if self._shaping else 0.0

    def _play_opponents(self) -> None:
        live = self.live
        while live.to_move not in (self.seat, NOBODY):
            live.play(self._players[live.to_move].move(live.view()))

    @abstractmethod
    def _observation(self) -> Seen:
        """What the learning seat sees."""

    def _info(self) -> dict[str, Any]:
        runs = self._shaping if self.live.to_move != NOBODY else None
        running = {"running_scores": runs.scores[0]} if runs else {}
        return {"action_mask": self.action_masks().view(np.int8)} | running

    def action_masks(self) -> np.ndarray:
        """The legal moves of the learning seat: bool [A], under the name that sb3-contrib looks for."""
        return self.live.mask


@documented(RewardSettings)
class SingleSeatEnv(LearningSeatEnv[np.ndarray, SupportsInt]):
    """A game as a `gymnasium.Env` of one learning seat.

    An observation is [N]. `info["action_mask"]`, int8 [A], and `action_masks()`, bool [A], are the legal moves. At the
    end the info holds `scores` and `ranks` by seat, and `seat`; before it, with a potential, `running_scores` int16
    [P]. An illegal action loses the game.

    Args:
        game_type: The game.
        settings: The settings of the game.
        opponents: An agent for all other seats, or one for each, clockwise from the learning seat.
        seat: The learning seat; None draws one for each game.
        encoding: The name of an observation of the game.
        render_mode: `ansi`, `rgb_array`, `human` or None.

    Raises:
        SettingError: For a wrong argument.
        AgentError: For a wrong opponent.
    """

    def _spaces(self) -> tuple[Space[Any], Space[Any]]:
        return vector_space(self.encoder), action_space(self.live.box)

    def step(self, action: SupportsInt) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Play an id, then the opponents' moves. An illegal id loses the game at once.

        Raises:
            IllegalMoveError: For an action that is no whole number.
            AgentFaultError: For an opponent's error or illegal move.
        """
        self._guard.check()
        number = as_id(action)
        if number is not None and not self.live.is_legal(number):
            return self._lose(illegal_action=action)
        return self._play(self.live.check(action))

    def _observation(self) -> np.ndarray:
        seen: np.ndarray = self.encoder.observation(self.live.box.record, self.live.state, 0, self.seat)
        return seen
