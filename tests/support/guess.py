"""A third game for the adapters: hidden hands, ties, and one player alone.

Every seat is dealt a card of 0..2 that it alone sees, and says `low` or `high` in turn: rightly for a point.
"""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from oddville_env.core.checked import whole_number
from oddville_env.core.compiled.jit import kernel
from oddville_env.core.game.game_type import NOBODY, GameType, Outcome
from oddville_env.core.parts import chance
from oddville_env.core.parts.entries import make_entries
from oddville_env.core.parts.loops import Kernels, encoding_loops, make_loops
from oddville_env.core.parts.pieces import Form, Piece, encoder_of
from oddville_env.core.parts.values import DefensiveCopy

SEATS, CARDS, UNKNOWN = 4, 3, -1
WORDS = ("low", "high", "twice")  # the last one is never legal
FIELDS = [("seed", "u8"), ("to_move", "i1"), ("legal_count", "i2"), ("card", "i1", SEATS), ("said", "i1", SEATS)]
BOX, STATE = (np.dtype((np.record, fields)) for fields in ([("players", "i2")], FIELDS))
PIECES = (Piece("card", (1,), CARDS, "own card + 1"), Piece("said", (2, SEATS), CARDS, "me first: said, to move"))


@dataclass(frozen=True)
class Settings:
    players: int = 2

    def __post_init__(self) -> None:
        whole_number("players", self.players, 1, SEATS)


class Box(DefensiveCopy):
    games = STATE

    def __init__(self, settings: Settings) -> None:
        self.settings, self.players = settings, settings.players
        self.layout = SimpleNamespace(size=len(WORDS))
        self.record = np.array([(settings.players,)], BOX)


@kernel
def shuffle(box, game, seed):
    game.seed = seed
    for seat in range(SEATS):
        game.card[seat] = chance.draw(seed, 0, seat, CARDS)


@kernel
def lay_table(box, game):
    game.said[:] = UNKNOWN
    game.to_move = 0


@kernel
def legal(box, game, mask):
    mask[:2] = game.to_move != NOBODY
    mask[2] = False
    game.legal_count = 2 * mask[0]


@kernel
def step(box, game, action, mask):
    game.said[game.to_move] = action
    game.to_move = game.to_move + 1 if game.to_move + 1 < box.players else NOBODY
    legal(box, game, mask)


@kernel
def note_end(box, game, scores, ranks):
    for seat in range(box.players):
        scores[seat] = (game.said[seat] == 1) == (game.card[seat] == CARDS - 1)
    for seat in range(box.players):
        ranks[seat] = 1 + (scores[: box.players] > scores[seat]).sum()


@kernel
def is_truncated(game):
    return False


@kernel
def sample_unseen(boxes, games, index, seat, seed):
    for other in range(SEATS):
        if other != seat:
            games[index].card[other] = chance.draw(seed, 0, other, CARDS)


@kernel
def canonicalize_hidden(boxes, games, index, seat):
    games[index].seed = 0
    for other in range(SEATS):
        if other != seat:
            games[index].card[other] = UNKNOWN


@kernel
def write(boxes, games, index, seat, out):
    game, players = games[index], boxes[0].players
    out[:] = 0
    out[0] = game.card[seat] + 1
    for place in range(players):
        other = (seat + place) % players
        out[1 + place], out[1 + SEATS + place] = game.said[other] + 1, other == game.to_move


LOOPS = make_loops(
    Kernels(
        shuffle, lay_table, legal, step, note_end, is_truncated, sample_unseen, write_sources=None, note_chance=None
    )
)
FORMS = {"plain": Form(lambda layout: PIECES, write, encoding_loops(LOOPS, write))}
HIDDEN = (sample_unseen, canonicalize_hidden)
ENTRIES = (*make_entries(shuffle, lay_table, legal, step, canonicalize_hidden), *HIDDEN)


def outcome(box: Box, games: Any, index: int) -> Outcome | None:
    scores, ranks = np.zeros((2, box.players), np.int16)
    note_end(box.record[0], games[index], scores, ranks)
    return Outcome(tuple(scores.tolist()), tuple(ranks.tolist())) if games[index].to_move == NOBODY else None


def position(box: Box, games: Any, index: int, seat: int | None) -> dict[str, Any]:
    cards = [int(card) if seat == at else None for at, card in enumerate(games[index].card[: box.players])]
    return {"cards": cards, "said": games[index].said[: box.players].tolist()}


class Guess:
    """The game for people, as far as views need it."""

    def __init__(self, box: Box, state: np.ndarray) -> None:
        self.box, self.state = box, state.copy()

    from_state = classmethod(lambda cls, box, state: cls(box, state))


GUESS = GameType(
    name="guess",
    title="Guess",
    players=range(1, SEATS + 1),
    settings=Settings,
    box=Box,
    entries=SimpleNamespace(**{each.__name__: each for each in ENTRIES}),
    loops=LOOPS,
    encodings=("plain",),
    make_encoder=lambda box, encoding: encoder_of(FORMS, encoding, None),
    orders=(),
    deal=lambda box, seed, orders: np.zeros(1, STATE),
    words=lambda layout: WORDS,
    outcome=outcome,
    position=position,
    draw=lambda shown, box, fixed=False: "",
    draw_text=lambda shown, box: str(shown),
    game=Guess,
)
