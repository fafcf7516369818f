"""PettingZoo AEC environments of any game, bare or in PettingZoo's wrappers."""

from collections.abc import Callable, Mapping
from functools import wraps
from inspect import signature
from typing import TYPE_CHECKING, Any, Literal, ParamSpec, Unpack, get_args

import numpy as np
from gymnasium import spaces
from gymnasium.error import ResetNeeded
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from oddville_env.core.errors import SettingError, shown
from oddville_env.core.game.game_type import NOBODY, GameType
from oddville_env.core.game.prompt import full_prompt, texts_of
from oddville_env.envs.arguments import RewardKeywords, RewardSettings, documented
from oddville_env.envs.live_game import OVER, SeesGame, action_space, vector_space
from oddville_env.envs.render import RENDER_MODES

Arguments = ParamSpec("Arguments")
MaskIn = Literal["observation", "info"]
Seen = dict[str, np.ndarray] | np.ndarray
"""An observation, with its mask or alone."""


@documented(RewardSettings)
class GameAECEnv(SeesGame, AECEnv):
    """The AEC environment of a game: agents player_0 and so on, one a seat.

    An observation is {"observation": [N], "action_mask": int8 [A]}; the mask is zero for seats that are not to move.
    The info of the agent to move holds `action_mask` too, and with a potential the `running_scores` int16 [P]. Without
    one every reward is 0 until the end, when the infos tell each agent its `score` and `rank`. Copies continue the
    game.

    Args:
        game_type: The game.
        settings: The settings of the game.
        encoding: The name of an observation of the game.
        mask_in: Where the action mask is: in the `observation`, or in the `info` alone for libraries that want arrays.
        render_mode: `ansi`, `rgb_array`, `human` or None.
        prompts: Whether the info of the agent to move holds a `prompt` too: rules, position and legal words in text.

    Raises:
        SettingError: For a wrong argument.
    """

    metadata = {"render_modes": list(RENDER_MODES), "is_parallelizable": False, "render_fps": 2}  # noqa: RUF012

    def __init__(
        self,
        game_type: GameType,
        settings: Any,
        encoding: str,
        *,
        mask_in: MaskIn = "observation",
        render_mode: str | None = None,
        prompts: bool = False,
        **paid: Unpack[RewardKeywords],
    ) -> None:
        super().__init__()
        box = self._set_up(game_type, settings, encoding, RewardSettings(**paid), render_mode)
        if mask_in not in get_args(MaskIn):
            raise SettingError(f"mask_in must be one of {', '.join(get_args(MaskIn))}, not {shown(mask_in)}")
        if prompts:
            texts_of(game_type)
        self._mask_in_info, self._prompts = mask_in == "info", prompts
        self._boxes = box.record
        self.possible_agents = [f"player_{seat}" for seat in range(box.players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.agents: list[str] = []
        seen = vector_space(self.encoder)
        both = spaces.Dict({"observation": seen, "action_mask": spaces.Box(0, 1, (box.layout.size,), np.int8)})
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen if self._mask_in_info else both)
        self.action_spaces = {agent: action_space(box) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        """{"observation": [N], "action_mask": int8 [A]}, or the first alone."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The ids of all moves, A of them."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deal a game; options fix the game's hidden orders. Raises SettingError."""
        self.live.deal(seed, options)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: self._info() for agent in self.agents}
        self._guard.begin()
        if self._shaping:
            self._shaping.begin(self.live.state, np.array([self.live.to_move]))
        self._select(self.live.to_move)
        self._guard.finish()
        self._show()

    def _info(self) -> dict[str, Any]:
        """The info of an agent that is not to move; PettingZoo's wrappers want a mask beside every lone array."""
        return {"action_mask": self._no_mask()} if self._mask_in_info else {}

    def _no_mask(self) -> np.ndarray:
        return np.zeros(self.live.box.layout.size, np.int8)

    def _select(self, seat: int) -> None:
        """Select the agent to move: its info gets the legal moves."""
        self.agent_selection = self.possible_agents[seat]
        self.infos[self.agent_selection] = {"action_mask": self.live.action_mask}
        if self._prompts:
            self.infos[self.agent_selection]["prompt"] = full_prompt(self.live.view())
        if self._shaping:
            self.infos[self.agent_selection]["running_scores"] = self._shaping.scores[0]

    def observe(self, agent: str) -> Seen:
        """Returns an agent's observation; its arrays are copies."""
        self._guard.check_dealt()
        seen: np.ndarray = self.encoder.observation(self._boxes, self.live.state, 0, self._seats[agent])
        if self._mask_in_info:
            return seen
        mask = self.infos.get(agent, {}).get("action_mask")
        return {"observation": seen, "action_mask": self._no_mask() if mask is None else mask}

    def step(self, action: int | None) -> None:
        """Play the selected agent's action; a finished agent steps with None. Raises IllegalMoveError."""
        self._guard.check()
        if not self.agents:
            raise ResetNeeded(OVER)
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        number = self.live.check(action)
        self._guard.begin()
        to_move = self.live.play_legal(number)
        self._cumulative_rewards[agent] = 0.0
        self.infos[agent] = self._info()
        if to_move == NOBODY:
            self._finish()
        else:
            if self._shaping:  # pays the seat that decides now for the change of its potential
                paid = self._shaping.pay(self.live.state, np.array([to_move]))[0]
                self.rewards = {**dict.fromkeys(self.possible_agents, 0.0), self.possible_agents[to_move]: float(paid)}
                self._accumulate_rewards()
            self._select(to_move)
        self._guard.finish()
        self._show()

    def is_done(self, agent: str) -> bool:
        """Whether an agent is terminated or truncated."""
        return self.terminations[agent] or self.truncations[agent]

    def end_shaping(self) -> None:
        """Pay what a potential pays at the end, after the rewards of the end; without one nothing."""
        if self._shaping:
            for agent, paid in zip(self.possible_agents, self._shaping.end(np.arange(1))[0].tolist(), strict=True):
                self.rewards[agent] += paid
                self._cumulative_rewards[agent] += paid

    def _finish(self) -> None:
        """Pay all agents and end the game for all."""
        outcome = self.live.outcome
        assert outcome is not None
        rewards = self._reward(outcome.scores, outcome.ranks)
        for seat, agent in enumerate(self.possible_agents):
            self.rewards[agent] = rewards[seat]
            self.terminations[agent] = not outcome.truncated
            self.truncations[agent] = outcome.truncated
            self.infos[agent] = self._info() | {"score": outcome.scores[seat], "rank": outcome.ranks[seat]}
        self._accumulate_rewards()
        self.end_shaping()


class KnownActionWrapper(wrappers.BaseWrapper):
    """Refuses actions that are no ids, before PettingZoo's wrappers look them up in the mask."""

    def step(self, action: Any) -> None:
        """Raises IllegalMoveError."""
        bare = self.unwrapped
        goes_on = not bare.is_done(bare.agent_selection)
        loses = goes_on and not bare.live.is_legal(bare.live.known(action))
        super().step(action)
        if loses:
            bare.end_shaping()


class WrappedEnv(wrappers.OrderEnforcingWrapper):
    """An AEC environment in PettingZoo's wrappers, with types, which these lack."""

    possible_agents: list[str]
    agents: list[str]
    agent_selection: str
    rewards: dict[str, float]
    terminations: dict[str, bool]
    truncations: dict[str, bool]
    infos: dict[str, dict[str, Any]]

    if TYPE_CHECKING:

        def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
            """Deal a game; options fix the game's hidden orders. Raises SettingError."""

        def last(self, observe: bool = True) -> tuple[Seen | None, float, bool, bool, dict[str, Any]]:
            """Observation, reward, terminated, truncated and info of the agent to move."""

    def __str__(self) -> str:
        return str(self.env)


def in_wrappers(bare: Callable[Arguments, GameAECEnv]) -> Callable[Arguments, WrappedEnv]:
    """Returns a maker of environments in PettingZoo's wrappers: an illegal action ends the game and loses it."""

    @wraps(bare)
    def env(*args: Arguments.args, **keywords: Arguments.kwargs) -> WrappedEnv:
        inner = bare(*args, **keywords)
        wrapped = wrappers.TerminateIllegalWrapper(inner, illegal_reward=inner.forfeit)
        return WrappedEnv(KnownActionWrapper(wrapped))

    env.__signature__ = signature(bare).replace(return_annotation=WrappedEnv)  # type: ignore[attr-defined]
    return env
