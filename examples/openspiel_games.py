"""OpenSpiel: both games as Python games of pyspiel, with its search bots.

    python examples/openspiel_games.py --game oldtown --simulations 50

After `import openspiel_games`, `pyspiel.load_game("oddville", {"players": 3})` loads such a game. OddVille hides the
order of cards from every seat, so a chance node behind each move deals it anew. Old Town hides hands: its deal is one
chance node, `information_state_string` is the table as a seat sees it, and `resample_from_infostate` deals the rest
anew, as information set Monte Carlo tree search needs it.
"""

from collections.abc import Callable
from typing import Annotated, Any, NamedTuple

import numpy as np
import pyspiel
import typer
from common import GameName, Seed
from open_spiel.python.algorithms.ismcts import ISMCTSBot
from open_spiel.python.algorithms.mcts import MCTSBot, RandomRolloutEvaluator
from open_spiel.python.bots.uniform_random import UniformRandomBot

from oddville_env import Game, OldTown

DEALS = 1024  # outcomes of the chance node that a game begins with
REDEALS = 16  # outcomes of each of the others
Information = pyspiel.GameType.Information


class Kind(NamedTuple):
    """A game for pyspiel. longest: most decisions of a seat; redeals: a chance node follows every move."""

    played: Callable[..., Any]
    information: Information
    longest: int
    redeals: bool


KINDS = {
    "oddville": Kind(Game, Information.PERFECT_INFORMATION, 1000, True),
    "oldtown": Kind(OldTown, Information.IMPERFECT_INFORMATION, 200, False),
}


class Held:
    """Holds a game, so that pyspiel's deep copies use the faster copy of the game itself."""

    def __init__(self, game: Any) -> None:
        self.game = game

    def __deepcopy__(self, memo: dict[int, object]) -> "Held":
        return Held(self.game.copy())


def described(name: str) -> pyspiel.GameType:
    """Return the description that pyspiel registers."""
    return pyspiel.GameType(
        short_name=name,
        long_name=name,
        dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
        chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
        information=KINDS[name].information,
        utility=pyspiel.GameType.Utility.ZERO_SUM,
        reward_model=pyspiel.GameType.RewardModel.TERMINAL,
        min_num_players=2,
        max_num_players=4,
        provides_information_state_string=True,
        provides_information_state_tensor=False,
        provides_observation_string=True,
        provides_observation_tensor=True,
        parameter_specification={"players": 2},
    )


class SpielGame(pyspiel.Game):
    """A game for a number of players."""

    def __init__(self, name: str, params: dict[str, int] | None = None) -> None:
        self.kind, self.players = KINDS[name], (params or {}).get("players", 2)
        self.sample = self.kind.played(self.players, seed=0)
        about = pyspiel.GameInfo(
            num_distinct_actions=len(self.sample.mask),
            max_chance_outcomes=DEALS,
            num_players=self.players,
            min_utility=-1.0,
            max_utility=1.0,
            utility_sum=0.0,
            max_game_length=self.kind.longest * self.players,
        )
        super().__init__(described(name), about, params or {})

    def new_initial_state(self) -> "SpielState":
        """Return a game before its deal."""
        return SpielState(self)

    def make_py_observer(self, iig_obs_type: Any = None, params: Any = None) -> "Observer":
        """Return the object that writes observations into a tensor."""
        return Observer(self)


class SpielState(pyspiel.State):
    """A state of a game. held: the game, None before its deal; dealing: chance is to move."""

    def __init__(self, game: SpielGame) -> None:
        super().__init__(game)
        self.held: Held | None = None
        self.players, self.decisions, self.dealing = game.players, 0, True

    def current_player(self) -> int:
        """Return the seat to move, or pyspiel's number for chance or a finished game."""
        if self.is_terminal():
            return pyspiel.PlayerId.TERMINAL
        return pyspiel.PlayerId.CHANCE if self.dealing else self.held.game.to_move

    def _legal_actions(self, player: int) -> list[int]:
        return np.flatnonzero(self.held.game.mask).tolist()

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return deals, all equally likely."""
        deals = DEALS if self.held is None else REDEALS
        return [(deal, 1 / deals) for deal in range(deals)]

    def _apply_action(self, action: int) -> None:
        kind = self.get_game().kind
        if self.held is None:
            self.held, self.dealing = Held(kind.played(self.players, seed=action)), False
        elif self.dealing:
            self._deal_anew(np.random.default_rng([self.held.game.seed, self.decisions, action]))
            self.dealing = False
        else:
            self.held.game.push(action)
            self.decisions += 1
            self.dealing = kind.redeals and not self.held.game.is_over

    def _deal_anew(self, rng: np.random.Generator, seat: int | None = None) -> None:
        """Sample anew what a seat cannot know."""
        game = self.held.game
        self.held = Held(game.sample_unseen(game.to_move if seat is None else seat, rng))

    def _action_to_string(self, player: int, action: int) -> str:
        sample = self.get_game().sample
        return f"deal:{action}" if player < 0 else sample.game_type.words(sample.box.layout)[action]

    def is_terminal(self) -> bool:
        """The game is over."""
        return self.held is not None and self.held.game.is_over

    def returns(self) -> list[float]:
        """Return 1 for the winner and together -1 for the others; zeros before the end."""
        if not self.is_terminal():
            return [0.0] * self.players
        shares = [self.held.game.outcome.win_share(seat) for seat in range(self.players)]
        return [(share * self.players - 1) / (self.players - 1) for share in shares]

    def resample_from_infostate(self, player: int, sampler: Callable[[], float]) -> "SpielState":
        """Return a random state that looks the same to a seat."""
        other = self.clone()
        other._deal_anew(np.random.default_rng(int(sampler() * 2**53)), player)
        return other

    def information_state_string(self, player: int | None = None) -> str:
        """Return the seat and the table as it sees it, as text: equal for states that the seat cannot tell apart."""
        if self.held is None:
            return ""
        seat = self.current_player() if player is None else player
        return f"seat {seat}\n{self.held.game.text(view=seat)}"

    observation_string = information_state_string

    def __str__(self) -> str:
        return "not dealt yet" if self.held is None else self.held.game.text()


class Observer:
    """Writes what a seat sees: `tensor` float32 [N]."""

    def __init__(self, game: SpielGame) -> None:
        self.tensor = np.zeros(len(seen_by(game.sample, 0)), np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: SpielState, player: int) -> None:
        """Write what a seat sees; zeros before the deal."""
        self.tensor[:] = 0 if state.held is None else seen_by(state.held.game, player)

    def string_from(self, state: SpielState, player: int) -> str:
        """Return the same as text."""
        return state.information_state_string(player)


def seen_by(game: Any, seat: int) -> np.ndarray:
    """Return a seat's observation: [N]."""
    return np.concatenate([piece.ravel() for piece in game.observe(seat).values()])


def registered(name: str) -> type[SpielGame]:
    """Register a game with pyspiel; returns its class."""

    class Named(SpielGame):
        def __init__(self, params: dict[str, int] | None = None) -> None:
            super().__init__(name, params)

    pyspiel.register_game(described(name), Named)
    return Named


OddVilleGame, OldTownGame = map(registered, KINDS)


def searcher(game: pyspiel.Game, simulations: int, rng: np.random.RandomState) -> pyspiel.Bot:
    """Return OpenSpiel's search for the game, ISMCTS where hands are hidden; values come from random rollouts."""
    evaluator = RandomRolloutEvaluator(1, rng)
    if game.get_type().information == Information.IMPERFECT_INFORMATION:
        return ISMCTSBot(game, evaluator, 1.0, simulations, random_state=rng)
    return MCTSBot(game, 1.0, simulations, evaluator, random_state=rng)


def main(
    game: GameName = "oddville",
    simulations: Annotated[int, typer.Option(help="Simulations for a move.")] = 20,
    games: Annotated[int, typer.Option(help="Games to play.")] = 1,
    seed: Seed = 0,
    show: Annotated[bool, typer.Option("--show", help="Print the last position of each game.")] = False,
) -> None:
    """Play OpenSpiel's search against a random player, in alternating seats."""
    spiel, rng = pyspiel.load_game(game), np.random.RandomState(seed)
    won = 0.0
    for number in range(games):
        own = number % 2
        bots = [UniformRandomBot(seat, rng) for seat in range(2)]
        bots[own] = searcher(spiel, simulations, rng)
        state = spiel.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                state.apply_action(int(rng.randint(len(state.chance_outcomes()))))
            else:
                state.apply_action(int(bots[state.current_player()].step(state)))
        won += state.returns()[own]
        if show:
            typer.echo(str(state))
    typer.echo(f"{game}: mean return {won / games:.2f} of {simulations} simulations in {games} games")


if __name__ == "__main__":
    typer.run(main)
