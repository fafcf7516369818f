"""OddVille as a PettingZoo AEC environment: `env()` with PettingZoo's wrappers, `raw_env()` bare and fast.

The rules are those of rules/RULES.md. Every seat sees everything but the order of face-down cards, so an observation is
the public state, told "me first".
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import EzPickle
from pettingzoo import AECEnv
from pettingzoo.utils import wrappers

from oddville_env.core.errors import IllegalMoveError
from oddville_env.envs.live_game import LiveGame
from oddville_env.envs.render import RENDER_MODES, Renderer
from oddville_env.envs.rewards import FORFEITS, make_reward
from oddville_env.envs.spaces import action_space, mask_space, vector_space
from oddville_env.oddville.cards.words import NOBODY
from oddville_env.oddville.game import Game
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oddville.observation import Encoding, make_encoder
from oddville_env.oddville.rules.state import DEFAULT_TABLE
from oddville_env.oddville.settings import MAX_ROUNDS, Cards, make_box

__all__ = ["env", "raw_env"]


def env(**kwargs: Any) -> AECEnv:
    """`raw_env` in PettingZoo's wrappers: an illegal action ends the game, with rewards.FORFEITS for its seat."""
    bare = raw_env(**kwargs)
    wrapped = wrappers.TerminateIllegalWrapper(bare, illegal_reward=bare.forfeit)
    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(wrapped))


class raw_env(AECEnv, EzPickle):  # noqa: N801  (PettingZoo's name for it)
    """The AEC environment.

    players: 2, 3 or 4, the agents player_0 to player_3. encoding: `features` or `ids`. reward: `outcome`, `rank` or
    `margin`, given to all agents at the end. table: [columns, lines]. max_rounds: a game that reaches it is truncated.
    cards: a card set or its folder. render_mode: `ansi`, `rgb_array`, `human` or None.

    Observations: {"observation": uint8 [N], "action_mask": int8 [A]}; the mask is all zeros for seats that are not to
    move. At the end infos tell each agent its score and its rank. Raises SettingError, CardError.
    """

    metadata = {  # noqa: RUF012
        "name": "oddville_v0",
        "render_modes": list(RENDER_MODES),
        "is_parallelizable": False,
        "render_fps": 2,
    }

    def __init__(
        self,
        players: int = 2,
        *,
        encoding: Encoding = "features",
        reward: str = "outcome",
        table: Sequence[int] = DEFAULT_TABLE,
        max_rounds: int = MAX_ROUNDS,
        cards: Cards = None,
        render_mode: str | None = None,
    ) -> None:
        EzPickle.__init__(
            self, players, encoding=encoding, reward=reward, table=table, max_rounds=max_rounds, cards=cards,
            render_mode=render_mode,
        )  # fmt: skip
        super().__init__()
        self.live = LiveGame(ODDVILLE, make_box(players, table, max_rounds, cards))
        self.encoder = make_encoder(self.live.box, encoding)
        self.render_mode = render_mode
        self._renderer = Renderer(render_mode)
        self._reward, self.forfeit = make_reward(reward), FORFEITS[reward]
        self.possible_agents = [f"player_{seat}" for seat in range(players)]
        self._seats = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.agents: list[str] = []
        seen = spaces.Dict({"observation": vector_space(self.encoder), "action_mask": mask_space(self.encoder)})
        self.observation_spaces = dict.fromkeys(self.possible_agents, seen)
        self.action_spaces = {agent: action_space(self.encoder) for agent in self.possible_agents}
        self.state_space = vector_space(self.encoder)
        self._write, self._size, self._boxes = self.encoder.write, self.encoder.size, self.live.box.record

    def observation_space(self, agent: str) -> spaces.Dict:
        """{"observation": uint8 [N], "action_mask": int8 [A]}."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """The ids of all moves, A of them."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: Mapping[str, Any] | None = None) -> None:
        """Deal a game. Options `deck`, `piles` and `first` fix hidden orders as in `Game`. Raises SettingError."""
        self.live.deal(seed, options)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.possible_agents[self.live.to_move]
        self._show()

    def observe(self, agent: str) -> dict[str, np.ndarray]:
        """What an agent sees; the arrays are its own."""
        vector = np.empty(self._size, np.uint8)
        self._write(self._boxes, self.live.state, 0, self._seats[agent], vector)
        mask = self.live.mask.view(np.int8)
        its_mask = mask.copy() if agent == self.agent_selection else np.zeros_like(mask)
        return {"observation": vector, "action_mask": its_mask}

    def state(self) -> np.ndarray:
        """The public state with absolute seats, for centralised critics: uint8 [N], as player_0 sees it."""
        vector = np.empty(self._size, np.uint8)
        self._write(self._boxes, self.live.state, 0, 0, vector)
        return vector

    def step(self, action: int | None) -> None:
        """Play the selected agent's action; a finished agent steps with None. Raises IllegalMoveError."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        if action is None:
            raise IllegalMoveError(f"{agent} is to move: None is for agents that are done")
        to_move = self.live.play(action)
        self._cumulative_rewards[agent] = 0.0
        if to_move == NOBODY:
            self._finish()
        else:
            self.agent_selection = self.possible_agents[to_move]
        self._show()

    def _finish(self) -> None:
        """All agents get their rewards and are done at once."""
        outcome = self.live.outcome
        assert outcome is not None
        rewards = self._reward(outcome.scores, outcome.ranks)
        for seat, agent in enumerate(self.possible_agents):
            self.rewards[agent] = rewards[seat]
            self.terminations[agent] = not outcome.truncated
            self.truncations[agent] = outcome.truncated
            self.infos[agent] = {"score": outcome.scores[seat], "rank": outcome.ranks[seat]}
        self._accumulate_rewards()

    @property
    def game(self) -> Game:
        """The game so far, for people: a copy that knows its moves, its record and its drawings."""
        game: Game = self.live.game
        return game

    def _show(self) -> None:
        if self.render_mode == "human":
            self.render()

    def render(self) -> str | np.ndarray | None:
        """The table as text (`ansi`), as pixels uint8 [height, width, 3] (`rgb_array`) or in a window (`human`)."""
        return self._renderer.render(self.live.box, self.live.state)

    def close(self) -> None:
        """Close the window, if there is one."""
        self._renderer.close()
