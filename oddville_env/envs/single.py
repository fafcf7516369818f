"""OddVille as a Gymnasium environment: one learning seat, the others played by named agents."""

from collections.abc import Sequence
from typing import Any, SupportsInt

import gymnasium
import numpy as np

from oddville_env.core.checks import whole_number
from oddville_env.envs.live_game import LiveGame
from oddville_env.envs.opponents import Opponents, make_players, opponent_seed, seat_of
from oddville_env.envs.render import RENDER_MODES, Renderer
from oddville_env.envs.rewards import FORFEITS, make_reward
from oddville_env.envs.spaces import action_space, vector_space
from oddville_env.oddville.cards.words import NOBODY
from oddville_env.oddville.game import Game
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oddville.observation import Encoding, make_encoder, observe
from oddville_env.oddville.rules.state import DEFAULT_TABLE
from oddville_env.oddville.settings import MAX_ROUNDS, Cards, make_box


class OddVilleEnv(gymnasium.Env[np.ndarray, SupportsInt]):
    """The single-seat environment, `OddVille-v0`.

    opponents: an agent's spec for all other seats, or one for each, clockwise from the learning seat. seat: the
    learning seat, None draws one for each game. The other arguments are those of `oddville_v0.raw_env`.

    Observations: uint8 [N]. `action_masks()` and info["action_mask"] give the legal moves, bool and int8 [A]; at the
    end info tells `scores` and `ranks` by seat and `seat`. Raises SettingError, CardError and AgentError.
    """

    metadata = {"render_modes": list(RENDER_MODES), "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        opponents: Opponents = "greedy",
        players: int = 2,
        *,
        seat: int | None = None,
        encoding: Encoding = "features",
        reward: str = "outcome",
        table: Sequence[int] = DEFAULT_TABLE,
        max_rounds: int = MAX_ROUNDS,
        cards: Cards = None,
        render_mode: str | None = None,
    ) -> None:
        self.live = LiveGame(ODDVILLE, make_box(players, table, max_rounds, cards))
        self.encoder = make_encoder(self.live.box, encoding)
        self.render_mode = render_mode
        self._renderer = Renderer(render_mode)
        self._reward, self._forfeit = make_reward(reward), FORFEITS[reward]
        self._fixed_seat = None if seat is None else whole_number("seat", seat, 0, players - 1)
        self._opponents = make_players(opponents, players - 1)
        self._players: dict[int, Any] = {}
        self.seat = 0
        self.observation_space = vector_space(self.encoder)
        self.action_space = action_space(self.encoder)

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray, dict[str, Any]]:
        """Deal a game and play it up to the learning seat's first move; options as in `oddville_v0`."""
        super().reset(seed=seed)
        self.live.deal(seed, options)
        drawn = seat_of(self.live.seed, self.live.box.players)
        self.seat = drawn if self._fixed_seat is None else self._fixed_seat
        self._seat_opponents()
        self._play_opponents()
        self._show()
        return self._observation(), self._info()

    def _seat_opponents(self) -> None:
        players = self.live.box.players
        self._players = {(self.seat + place) % players: player for place, player in enumerate(self._opponents, 1)}
        for place, (seat, player) in enumerate(self._players.items(), 1):
            player.begin(seat, players, opponent_seed(self.live.seed, place))

    def step(self, action: SupportsInt) -> tuple[np.ndarray, float, bool, bool, dict[str, Any]]:
        """Play an id, then the opponents' moves; as in `oddville_v0.env()`, an illegal id loses the game at once."""
        if not self.live.is_legal(action):
            return self._observation(), self._forfeit, True, False, self._info() | {"illegal_action": action}
        self.live.play(int(action))
        self._play_opponents()
        self._show()
        if self.live.to_move != NOBODY:
            return self._observation(), 0.0, False, False, self._info()
        outcome = self.live.outcome
        assert outcome is not None
        info = self._info() | {"scores": outcome.scores, "ranks": outcome.ranks, "seat": self.seat}
        reward = self._reward(outcome.scores, outcome.ranks)[self.seat]
        return self._observation(), reward, not outcome.truncated, outcome.truncated, info

    def _play_opponents(self) -> None:
        live = self.live
        while live.to_move not in (self.seat, NOBODY):
            live.play(self._players[live.to_move].move(live.view()))

    def _observation(self) -> np.ndarray:
        vector = np.empty(self.encoder.size, np.uint8)
        return observe(self.live.box, self.live.state, 0, self.seat, self.encoder.encoding, vector)

    def _info(self) -> dict[str, Any]:
        return {"action_mask": self.live.mask.astype(np.int8)}

    def action_masks(self) -> np.ndarray:
        """The legal moves of the learning seat: bool [A], under the name that sb3-contrib looks for."""
        return self.live.mask.copy()

    @property
    def game(self) -> Game:
        """The game so far, for people."""
        game: Game = self.live.game
        return game

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def render(self) -> Any:
        """The table as text (`ansi`), as pixels uint8 [height, width, 3] (`rgb_array`) or in a window (`human`)."""
        return self._renderer.render(self.live.box, self.live.state)

    def close(self) -> None:
        """Close the window, if there is one."""
        self._renderer.close()
