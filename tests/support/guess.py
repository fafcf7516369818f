"""A second game for the adapters: hidden hands, ties, and one player alone; nothing of it is compiled.

Every seat is dealt a card of 0..2 that it alone sees, and says `low` or `high` in turn: rightly for a point.
"""

from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import numpy as np

from oddville_env.core.checked.settings import whole_number
from oddville_env.core.game.game_type import NOBODY, GameType, Outcome
from oddville_env.core.parts.chance import following_seed
from oddville_env.core.parts.loops import LEGAL, EncodingLoops
from oddville_env.core.parts.pieces import Encoder, Form, Piece, encoder_of
from oddville_env.core.parts.values import DefensiveCopy

SEATS, CARDS, UNSAID, UNKNOWN = 4, 3, -1, -1
WORDS = ("low", "high", "twice")  # the last one is never legal
RECORD = np.dtype(
    (np.record, [("seed", "u8"), ("to_move", "i1"), ("truncated", "?"), ("legal_count", "i2"),
                 ("card", "i1", SEATS), ("said", "i1", SEATS)])
)  # fmt: skip


@dataclass(frozen=True)
class Settings:
    players: int = 2

    def __post_init__(self) -> None:
        whole_number("players", self.players, 1, SEATS)


class Box(DefensiveCopy):
    games = RECORD

    def __init__(self, settings: Settings) -> None:
        self.settings, self.players = settings, settings.players
        self.layout = SimpleNamespace(size=len(WORDS))
        self.record = np.array([settings.players])


PIECES = (Piece("card", (1,), CARDS, "own card + 1"), Piece("said", (2, SEATS), CARDS, "me first: said, to move"))


def write(boxes: Any, games: Any, index: int, seat: int, out: np.ndarray) -> None:
    players, game = int(boxes[0]), games[index]
    out[:] = 0
    out[0] = game.card[seat] + 1
    for place in range(players):
        other = (seat + place) % players
        out[1 + place], out[1 + SEATS + place] = game.said[other] + 1, other == game.to_move


def make_encoder(box: Box, encoding: str) -> Encoder:
    return encoder_of(FORMS, encoding, None)


def shuffle(boxes: Any, games: Any, index: int, seed: Any) -> None:
    games[index].seed = seed
    games[index].card[:] = np.random.default_rng(int(seed)).integers(0, CARDS, SEATS)


def lay_table(boxes: Any, games: Any, index: int, mask: np.ndarray) -> int:
    games[index].said[:] = UNSAID
    games[index].to_move = 0
    legal(boxes, games, index, mask)
    return 0


def legal(boxes: Any, games: Any, index: int, mask: np.ndarray) -> None:
    mask[:] = [games[index].to_move != NOBODY] * 2 + [False]
    games[index].legal_count = mask.sum()


def step(boxes: Any, games: Any, index: int, action: int, mask: np.ndarray) -> int:
    game = games[index]
    assert mask[action], "adapters play legal moves only"
    game.said[game.to_move] = action
    game.to_move = game.to_move + 1 if game.to_move + 1 < boxes[0] else NOBODY
    legal(boxes, games, index, mask)
    return int(game.to_move)


def canonicalize_hidden(boxes: Any, games: Any, index: int, seat: int) -> None:
    games[index].seed = 0
    games[index].card[np.arange(SEATS) != seat] = UNKNOWN


def canonical_copies(boxes: Any, games: Any, tables: Any, out: Any) -> None:
    for place, table in enumerate(tables):
        out[place] = games[table]
        canonicalize_hidden(boxes, out, place, int(out[place].to_move))


def outcome(box: Box, games: Any, index: int) -> Outcome | None:
    game = games[index]
    if game.to_move != NOBODY:
        return None
    scores = tuple(int((said == 1) == (card == CARDS - 1)) for said, card in zip(game.said, game.card, strict=True))
    scores = scores[: box.players]
    return Outcome(scores, tuple(1 + sum(other > score for other in scores) for score in scores))


def position(box: Box, games: Any, index: int, seat: int | None) -> dict[str, Any]:
    cards = [int(card) if seat == at else None for at, card in enumerate(games[index].card[: box.players])]
    return {"cards": cards, "said": games[index].said[: box.players].tolist()}


def _publish(games: Any, index: int, legal_moves: Any, masks: Any, seats: Any) -> None:
    masks[index], seats[index] = legal_moves[index], games[index].to_move


def _deal_one(boxes: Any, games: Any, index: int, seed: Any, legal_moves: Any, masks: Any, seats: Any) -> None:
    shuffle(boxes, games, index, seed)
    lay_table(boxes, games, index, legal_moves[index])
    _publish(games, index, legal_moves, masks, seats)


def deal(boxes: Any, games: Any, seeds: Any, legal_moves: Any, masks: Any, seats: Any, low: int, high: int) -> None:
    for index in range(low, high):
        _deal_one(boxes, games, index, seeds[index], legal_moves, masks, seats)


def deal_anew(boxes: Any, games: Any, tables: Any, legal_moves: Any, masks: Any, seats: Any) -> None:
    for index in tables:
        _deal_one(boxes, games, index, following_seed(games[index].seed), legal_moves, masks, seats)


def observe(boxes: Any, games: Any, seats: Any, shown: Any, out: Any, low: int, high: int) -> None:
    for index in range(low, high):
        out[index] = 0
        if seats[index] != NOBODY:
            write(boxes, games, index, int(seats[index]), out[index])


def play(boxes: Any, games: Any, tables: Any, actions: Any, legal_moves: Any, masks: Any, seats: Any) -> None:
    for index in tables:
        step(boxes, games, index, int(actions[index]), legal_moves[index])
        _publish(games, index, legal_moves, masks, seats)


def end(boxes: Any, games: Any, ended: Any, truncated: Any, scores: Any, ranks: Any) -> None:
    box = Box(Settings(int(boxes[0])))
    for index in range(len(games)):
        how = outcome(box, games, index)
        ended[index], truncated[index] = how is not None, False
        if how:
            scores[index], ranks[index] = how.scores, how.ranks


def step_all(boxes: Any, games: Any, actions: Any, legal_moves: Any, masks: Any, seats: Any, *rest: Any) -> None:
    ended, truncated, scores, ranks, shown, observations, low, high = rest
    play(boxes, games, np.arange(low, high), actions, legal_moves, masks, seats)
    end(boxes, games, ended, truncated, scores, ranks)
    deal_anew(boxes, games, np.flatnonzero(ended), legal_moves, masks, seats)
    observe(boxes, games, seats, shown, observations, low, high)


def first_illegal(actions: Any, tables: Any, masks: Any) -> int:
    wrong = [t for t in tables if not 0 <= actions[t] < masks.shape[1] or not masks[t, actions[t]]]
    return int(wrong[0]) if wrong else LEGAL


def sample(boxes: Any, games: Any, seeds: Any, draws: int, masks: Any, actions: Any, low: int, high: int) -> None:
    actions[low:high] = [(int(seed) >> draws % 60) & 1 for seed in seeds[low:high]]


FORMS = {"plain": Form(lambda layout: PIECES, write, EncodingLoops(observe, step_all, afterstates=print))}


class Guess:
    """The game for people, as far as adapters and views need it."""

    def __init__(self, box: Box, state: np.ndarray) -> None:
        self.box, self.state = box, state.copy()

    @classmethod
    def from_state(cls, box: Box, state: np.ndarray) -> "Guess":
        return cls(box, state)

    @classmethod
    def from_deal(cls, box: Box, dealt: np.ndarray, actions: Any) -> "Guess":
        game, mask = cls(box, dealt), np.zeros(len(WORDS), bool)
        lay_table(box.record, game.state, 0, mask)
        for action in actions:
            step(box.record, game.state, 0, action, mask)
        return game

    def sample_unseen(self, seat: int, rng: np.random.Generator) -> "Guess":
        other, others = Guess(self.box, self.state), np.arange(SEATS) != seat
        other.state[0].card[others] = rng.integers(0, CARDS, SEATS - 1)
        return other


GUESS = GameType(
    name="guess",
    title="Guess",
    players=range(1, SEATS + 1),
    settings=Settings,
    box=Box,
    entries=SimpleNamespace(**{
        function.__name__: function
        for function in (shuffle, lay_table, legal, step, canonicalize_hidden, canonical_copies)
    }),
    loops=SimpleNamespace(
        deal=deal, deal_anew=deal_anew, play=play, end=end, first_illegal=first_illegal, sample=sample,
    ),
    encodings=("plain",),
    make_encoder=make_encoder,
    orders=(),
    deal=lambda box, seed, orders: np.zeros(1, RECORD),
    words=lambda layout: WORDS,
    outcome=outcome,
    position=position,
    draw=lambda shown, box, fixed=False: "",
    draw_text=lambda shown, box: str(shown),
    game=Guess,
)  # fmt: skip
