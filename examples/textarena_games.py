"""TextArena: both games as its environments.

    python examples/textarena_games.py --game oldtown --players 3

After `import textarena_games`, `textarena.make("OddVille-v0")` makes such an environment.
"""

from typing import Annotated, Any

import numpy as np
import textarena
import typer
from common import GameName, Seed

from oddville_env.core.game.game_type import game_type
from oddville_env.core.game.prompt import prompt_of, read_answer, rules_digest

IDS = {"oddville": "OddVille-v0", "oldtown": "OldTown-v0"}
TRIES = 3


class TableEnv(textarena.Env):
    """An environment of TextArena. A seat that gives no legal move three times in a row loses."""

    def __init__(self, game: str) -> None:
        self.game_type = game_type(game)

    def reset(self, num_players: int, seed: int | None = None) -> None:
        """Deal a game."""
        self.game = self.game_type.game(num_players, seed=seed)
        self.state = textarena.FFAMultiPlayerState(num_players=num_players, seed=seed, error_allowance=TRIES - 1)
        rules = rules_digest(self.game_type)
        self.state.reset(game_state={}, player_prompt_function=lambda player_id, game_state: rules)
        self._ask()

    def _ask(self) -> None:
        """Show the seat to move its position and its legal moves."""
        self.state.manually_set_current_player_id(self.game.to_move, force=True)
        kind = textarena.ObservationType.GAME_BOARD
        self.state.add_observation(prompt_of(self.game.view()), kind, to_id=self.game.to_move)

    def step(self, action: str) -> tuple[bool, dict[str, Any]]:
        """Play the last legal move of an answer."""
        view = self.game.view()
        answer = read_answer(action, view)
        if answer.action is None:
            if self.state.set_invalid_move(answer.problem):
                rewards = {seat: -1.0 if seat == view.seat else 1 / (view.players - 1) for seat in range(view.players)}
                self.state.set_game_outcome(rewards, answer.problem)
            return self.state.step(rotate_player=False)
        self.game.push(answer.action)
        said = f"Seat @{view.seat} plays {view.word(answer.action)}."
        self.state.add_observation(said, textarena.ObservationType.GAME_ACTION_DESCRIPTION)
        if self.game.is_over:
            outcome, most = self.game.outcome, view.players - 1
            rewards = {seat: (outcome.win_share(seat) * view.players - 1) / most for seat in range(view.players)}
            self.state.set_game_outcome(rewards, f"The scores are {outcome.scores}.")
        done = self.state.step(rotate_player=False)
        if not self.game.is_over:
            self._ask()
        return done


for name, environment in IDS.items():
    wrappers = [textarena.wrappers.LLMObservationWrapper]
    textarena.register(environment, TableEnv, default_wrappers=wrappers, game=name)


def main(
    game: GameName = "oddville",
    players: Annotated[int, typer.Option(help="Number of players.")] = 2,
    seed: Seed = 0,
) -> None:
    """Play a game between stand-ins of language models that name a random word of the last list of legal words."""
    environment, rng = textarena.make(IDS[game]), np.random.default_rng(seed)
    environment.reset(num_players=players, seed=seed)
    done, decisions = False, 0
    while not done:
        _, seen = environment.get_observation()
        lines = seen.rpartition("Legal words:\n")[2].partition("\n\n")[0].splitlines()
        done, _ = environment.step(f"**{lines[int(rng.integers(len(lines)))].split()[0]}**")
        decisions += 1
    rewards, told = environment.close()
    typer.echo(f"{game}: {decisions} decisions, rewards {rewards}. {told[0]['reason']}")


if __name__ == "__main__":
    typer.run(main)
