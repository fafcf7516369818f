"""The decisions of recorded games: each with its seat's observation, move and reward.

Letters of shapes: D decisions of a game, N numbers of an observation, A actions, P seats.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from oddville_env.core.errors import RecordError
from oddville_env.core.game.game_type import GameType
from oddville_env.core.parts.pieces import Encoder
from oddville_env.envs.rewards import Reward


class Decisions(NamedTuple):
    """The decisions of a game, in their order."""

    game: np.ndarray  # int32 [D]: the number of the game, from 0
    step: np.ndarray  # int16 [D]: how many decisions of the game came before
    seat: np.ndarray  # int8 [D]: the seat to move
    observation: np.ndarray  # [D, N], uint8 or float32 as its encoding is: what this seat saw
    action_mask: np.ndarray  # bool [D, A]: the legal moves
    action: np.ndarray  # int16 [D]: the id of its move
    reward: np.ndarray  # float32 [D]: the seat's reward of the game at its last decision, 0 before it
    last: np.ndarray  # bool [D]: the seat's last decision of a finished game


class Recorded(NamedTuple):
    """A recorded game."""

    decisions: Decisions
    final_observations: np.ndarray  # [P, N]: what every seat saw at the end
    truncated: bool
    settings: dict[str, Any]  # those of the game that a record holds, as keywords of its environments


def replayed(
    file: Path,
    lines: Iterable[tuple[int, str]],
    game_type: GameType,
    encoding: str,
    reward: Reward,
    data: Mapping[str, Any],
) -> Iterator[Recorded]:
    """Replay every record of a file, (line number, JSON) each; data: settings that a record does not hold.

    Raises RecordError for a bad record, and where two tables differ in size.
    """
    layout, options = None, [option.name for option in game_type.options if not option.data]
    for number, (line, text) in enumerate(lines):
        try:
            game = game_type.game.from_record(text, **data)
        except RecordError as error:
            raise RecordError(f"{file}, line {line}: {error}") from None
        layout = layout or game.box.layout
        if game.box.layout != layout:
            raise RecordError(f"{file}, line {line}: the table has another size than the first game's")
        settings = {name: getattr(game.box, name) for name in ("players", *options)}
        yield recorded(game, number, game_type.make_encoder(game.box, encoding), reward, settings)


def recorded(game: Any, number: int, encoder: Encoder, reward: Reward, settings: dict[str, Any]) -> Recorded:
    """The decisions of a replayed game, whose moves are taken back and played again."""
    moves, outcome = [game.action(move) for move in game.moves], game.outcome
    seen_by = partial(encoder.observation, game.box.record, game.state, 0)  # a seat
    final = np.stack([seen_by(seat) for seat in range(game.players)])
    for _ in moves:
        game.pop()
    seats, seen, masks = [], [], []
    for move in moves:
        seats.append(game.to_move)
        seen.append(seen_by(game.to_move))
        masks.append(game.mask.copy())
        game.push(move)
    rewards, last = np.zeros(len(moves), np.float32), np.zeros(len(moves), np.bool_)
    if outcome is not None:
        won = reward(outcome.scores, outcome.ranks)
        for seat in set(seats):
            at = len(seats) - 1 - seats[::-1].index(seat)
            rewards[at], last[at] = won[seat], True
    decisions = Decisions(
        np.full(len(moves), number, np.int32),
        np.arange(len(moves), dtype=np.int16),
        np.array(seats, np.int8),
        np.array(seen, encoder.dtype).reshape(len(moves), *encoder.shape),
        np.array(masks, np.bool_).reshape(len(moves), len(game.mask)),
        np.array(moves, np.int16),
        rewards,
        last,
    )
    return Recorded(decisions, final, outcome is not None and outcome.truncated, settings)
