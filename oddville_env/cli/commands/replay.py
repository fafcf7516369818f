"""`replay`: the moves of a recorded game."""

import json
from typing import Annotated

import typer

from oddville_env.cli.options import NONE, File, Index, Settings, option
from oddville_env.cli.records import game_of, positions_of
from oddville_env.core.game.game_type import GameType


def replay(
    game_type: GameType,
    file: File,
    index: Index = 0,
    positions: Annotated[bool, option("Print each decision as JSON: position, legal moves, move.")] = False,
    data: Settings = NONE,
) -> None:
    """Print the moves of a recorded game."""
    game = game_of(game_type, file, index, data)
    for number, word in enumerate(positions_of(game), 1):
        if word is None:
            break
        if positions:
            legal = game.legal_moves.words()
            typer.echo(json.dumps({"position": game.position(), "legal": legal, "move": word}))
        else:
            typer.echo(f"{number:4}  seat {game.to_move}  {word}")
    if not positions and game.outcome:
        typer.echo(f"scores {list(game.outcome.scores)}, ranks {list(game.outcome.ranks)}")
