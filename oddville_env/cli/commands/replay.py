"""`replay`: a recorded game, move by move."""

import json
from typing import Annotated

import typer

from oddville_env.cli.options import File, Index, Settings
from oddville_env.cli.records import game_of, take_back
from oddville_env.core.game.game_type import GameType


def replay(
    game_type: GameType,
    file: File,
    index: Index = 0,
    positions: Annotated[bool, typer.Option(help="One line of JSON for each decision, before it is played.")] = False,
    data: Settings = {},  # noqa: B006  (nobody writes into it)
) -> None:
    """Show a recorded game move by move."""
    game = game_of(game_type, file, index, data)
    moves = game.moves
    take_back(game, 0)
    for number, move in enumerate(moves, 1):
        if positions:
            legal = game.legal_moves.words()
            typer.echo(json.dumps({"position": game.position(), "legal": legal, "move": move.word}))
        else:
            typer.echo(f"{number:4}  seat {game.to_move}  {move.word}")
        game.push(move)
    if not positions and game.outcome:
        typer.echo(f"scores {list(game.outcome.scores)}, ranks {list(game.outcome.ranks)}")
