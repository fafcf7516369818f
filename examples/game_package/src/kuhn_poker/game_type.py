"""Kuhn poker as a `GameType`."""

import json
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import Any

import numpy as np

from oddville_env.core.game.game_type import GameType, Outcome

from . import entries
from .game import Kuhn, outcome_of, position
from .observation import ENCODINGS, make_encoder
from .rules import LOOPS, NOTES, PLAYERS, SOURCES, STATE, WORDS
from .settings import Box, Layout, Settings, box_of


def deal(box: Box, seed: np.uint64, orders: Mapping[str, Any]) -> np.ndarray:
    """Return a shuffled state [1]."""
    state = np.zeros(1, STATE)
    entries.shuffle(box.record, state, 0, seed)
    return state


def words(layout: Layout) -> tuple[str, ...]:
    """Return the word of every id."""
    return WORDS


def draw_text(shown: dict[str, Any], box: Box, size: tuple[int, int] | None = None) -> str:
    """Return a position as text."""
    cards = [card or "a card" for card in shown["cards"]]
    return f"{cards[0]} against {cards[1]}; {' '.join(shown['moves']) or 'no moves yet'}"


def draw(shown: dict[str, Any], box: Box, **_: Any) -> str:
    """Return a position as a picture of its text."""
    text = f'<text x="10" y="34" font-size="20">{escape(draw_text(shown, box))}</text>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 480 60" width="480" height="60">{text}</svg>'


def record_lines(
    box: Box, seeds: np.ndarray, moves: Iterable[Sequence[int]], notes: np.ndarray, ends: Iterable[Outcome | None]
) -> list[str]:
    """Return JSON records of games dealt from seeds (uint64 [B])."""
    played = [Kuhn.from_deal(box, deal(box, seed, {}), actions) for seed, actions in zip(seeds, moves, strict=True)]
    return [json.dumps(game.record()) for game in played]


KUHN = GameType(
    name="kuhn",
    title="Kuhn poker",
    players=range(PLAYERS, PLAYERS + 1),
    settings=Settings,
    box=box_of,
    entries=entries,
    loops=LOOPS,
    encodings=ENCODINGS,
    make_encoder=make_encoder,
    orders=(),
    deal=deal,
    words=words,
    outcome=outcome_of,
    position=position,
    draw=draw,
    draw_text=draw_text,
    game=Kuhn,
    sources=SOURCES,
    notes=NOTES,
    record_lines=record_lines,
    rounds=lambda box, games: games["moved"],
)
