"""RLCard: both games as RLCard environments, with its deep Q-learning.

    python examples/rlcard_dqn.py --games 200

After `import rlcard_dqn`, `rlcard.make("oddville", {"game_num_players": 3})` makes such an environment.
"""

from collections import OrderedDict
from collections.abc import Callable
from typing import Annotated, Any

import numpy as np
import rlcard
import torch
import typer
from common import Curve, CurveFile, Device, GameName, Seed
from rlcard.agents import DQNAgent, RandomAgent
from rlcard.envs.env import Env
from rlcard.envs.registration import register
from rlcard.utils import reorganize, tournament

from oddville_env import Game, OldTown

LARGEST_SEED = 2**31 - 1


class Table:
    """What RLCard calls a game: seats, their observations and moves."""

    allow_step_back = False
    np_random: np.random.RandomState  # RLCard sets it

    def __init__(self, played: Callable[..., Any], players: int) -> None:
        self.played, self.players = played, players
        self.game = played(players, seed=0)

    def init_game(self) -> tuple[dict[str, Any], int]:
        """Deal a game; returns the observation of the seat to move, and the seat."""
        self.game = self.played(self.players, seed=int(self.np_random.randint(LARGEST_SEED)))
        return self._now()

    def step(self, action: int) -> tuple[dict[str, Any], int]:
        """Play a move; returns the observation of the next seat, and the seat."""
        self.game.push(int(action))
        return self._now()

    def _now(self) -> tuple[dict[str, Any], int]:
        seat = self.get_player_id()
        return self.get_state(seat), seat

    def get_state(self, seat: int) -> dict[str, Any]:
        """Return a seat's observation and legal moves."""
        seen = np.concatenate([piece.ravel() for piece in self.game.observe(seat).values()])
        legal = np.flatnonzero(self.game.mask).tolist() if seat == self.game.to_move else []
        return {"seen": seen, "legal": legal}

    def get_player_id(self) -> int:
        """Return the seat to move; 0 when the game is over."""
        return self.game.to_move or 0

    def is_over(self) -> bool:
        """The game is over."""
        return self.game.is_over

    def get_num_players(self) -> int:
        """Return the number of players."""
        return self.players

    def get_num_actions(self) -> int:
        """Return the number of actions."""
        return len(self.game.mask)


class TableEnv(Env):
    """An environment of RLCard; config: `game_num_players`."""

    played: Callable[..., Any]

    def __init__(self, config: dict[str, Any]) -> None:
        self.game = Table(type(self).played, config.get("game_num_players", 2))
        super().__init__(config)
        self.state_shape = [[len(self.game.get_state(0)["seen"])]] * self.num_players
        self.action_shape = [None] * self.num_players

    def _extract_state(self, state: dict[str, Any]) -> dict[str, Any]:
        return {
            "obs": state["seen"],
            "raw_obs": state["seen"],
            "legal_actions": OrderedDict.fromkeys(state["legal"]),
            "raw_legal_actions": state["legal"],
            "action_record": self.action_recorder,
        }

    def _decode_action(self, action: int) -> int:
        return action

    def get_payoffs(self) -> np.ndarray:
        """1 for the winner and together -1 for the others: float [P]."""
        shares = np.array([self.game.game.outcome.win_share(seat) for seat in range(self.num_players)])
        return (shares * self.num_players - 1) / (self.num_players - 1)


class OddVilleCards(TableEnv):
    """OddVille."""

    name, played = "oddville", Game


class OldTownCards(TableEnv):
    """Old Town."""

    name, played = "oldtown", OldTown


for each in (OddVilleCards, OldTownCards):
    register(env_id=each.name, entry_point=f"{__name__}:{each.__name__}")


def main(
    game: GameName = "oddville",
    games: Annotated[int, typer.Option(help="Games to learn from.")] = 100,
    measured: Annotated[int, typer.Option(help="Games of the evaluation.")] = 20,
    seed: Seed = 0,
    device: Device = "cpu",
    curve: CurveFile = None,
) -> None:
    """Learn against random players, then measure the mean payoff."""
    torch.set_num_threads(1)
    rlcard.utils.set_seed(seed)
    environment = rlcard.make(game, {"seed": seed, "game_num_players": 2})
    learner = DQNAgent(
        num_actions=environment.num_actions,
        state_shape=environment.state_shape[0],
        mlp_layers=[128],
        replay_memory_init_size=100,
        device=torch.device(device),
    )
    environment.set_agents([learner, RandomAgent(environment.num_actions)])
    progress, decisions, recent = Curve(curve), 0, []
    for game_number in range(1, games + 1):
        played, payoffs = environment.run(is_training=True)
        transitions = reorganize(played, payoffs)[0]
        for transition in transitions:
            learner.feed(transition)
        decisions += len(transitions)
        recent.append(float(payoffs[0]))
        if game_number % 10 == 0:
            progress.add(decisions, mean_payoff=np.mean(recent[-100:]))
    typer.echo(f"\n{game}: mean payoff {tournament(environment, measured)[0]:.2f} in {measured} games")


if __name__ == "__main__":
    typer.run(main)
