"""The fields of `state`: one moment of a session as a viewer sees it."""

from collections.abc import Container, Mapping
from functools import cached_property
from itertools import groupby
from time import monotonic
from typing import Any

import numpy as np

from oddville_env.core.errors import GameError
from oddville_env.core.game.game_type import GameType
from oddville_env.core.game.scene import Scene, drawings_of
from oddville_env.core.svg.palette import SEAT_NAMES
from oddville_env.web.sessions.access import position_for
from oddville_env.web.sessions.session import Session


class Snapshot:
    """One moment of a session as a viewer sees it, made once for all browsers with this view."""

    def __init__(self, session: Session, shown: int, viewer: int) -> None:
        self.session, self.shown, self.viewer = session, shown, viewer
        self.game = session.game if shown == session.moves else session.at(shown)
        self.position = position_for(self.game, viewer, session.private)
        self.scene = session.scene

    def fields(self) -> dict[str, Any]:
        """The fields that are the same for all browsers with this view."""
        game, outcome = self.game, self.game.outcome
        table: dict[str, Any] = {"table": None}
        if self.scene:
            speech = self.scene.speech(self.position)._asdict()
            table["table"] = self.scene.table(game.box, game.state, self.position)
        else:
            headline = "game over" if game.to_move is None else f"{SEAT_NAMES[game.to_move]} to move"
            speech = {"headline": headline, "prompt": "", "notice": ""}
            table["picture"] = self.picture()
        return {
            "moves": self.session.moves,
            "shown": self.shown,
            "newest": self.shown == self.session.moves,
            "view": None if self.viewer < 0 else self.viewer,
            "over": game.is_over,
            "to_move": game.to_move,
            "position": self.position,
            **table,
            "score": self._score(),
            "outcome": None if outcome is None else {**outcome._asdict(), "winners": list(outcome.winners)},
            **speech,
        }

    def _score(self) -> list[dict[str, Any]]:
        """Every seat's points, and their sources [P]."""
        names, scores = self.session.game_type.sources, []
        for points, parts in zip(self.game.scores, points_by_source(self.session.game_type, self.game), strict=True):
            sources = [{"source": name, "points": part} for name, part in zip(names, parts, strict=False)]
            scores.append({"points": int(points), "sources": sources or None})
        return scores

    @cached_property
    def legal(self) -> list[dict[str, Any]]:
        """The legal moves by kind in the order of the ids, with the effects of each."""
        game, scene = self.game, self.scene
        if game.is_over:
            return []
        words, actions = self.session.game_type.words(game.box.layout), np.flatnonzero(game.mask).tolist()
        trial = game.sample_unseen(self.viewer if self.viewer >= 0 else game.to_move, np.random.default_rng())
        moves = [_move(scene, words[action], action, game, trial, self.position) for action in actions]
        rules = {kind.kind: kind.rule for kind in scene.kinds} if scene else {}
        groups = groupby(moves, lambda move: str(move["word"]).split(":")[0])
        return [{"kind": kind, "rule": rules.get(kind), "moves": list(group)} for kind, group in groups]

    def events(self) -> list[dict[str, Any]]:
        """The events of the last move."""
        if not self.scene or not self.shown:
            return []
        before = position_for(self.session.at(self.shown - 1), self.viewer, self.session.private)
        return self.scene.events(before, self.position, self.session.entries[self.shown - 1]["word"])

    def picture(self) -> str | None:
        """The whole table as one SVG picture, None where the game cannot draw this view."""
        return drawn(self.session.game_type, self.position, self.game.box)


def points_by_source(game_type: GameType, game: Any) -> list[list[int]]:
    """Every seat's points by source [P], (P, sources); one column for a game without sources."""
    if not game_type.sources:
        return [[int(points)] for points in game.scores]
    found = np.zeros((1, len(game.scores), len(game_type.sources)), np.int64)
    game_type.loops.sources(game.box.record, game.state, found)
    return [[int(part) for part in parts] for parts in found[0]]


def points_over_time(game: Any, moves: int) -> list[list[list[int]]]:
    """Every seat's points by source after each number of moves, (moves + 1, P, sources); takes all moves back."""
    found = [points_by_source(game.game_type, game)]
    for _ in range(moves):
        game.pop()
        found.append(points_by_source(game.game_type, game))
    return found[::-1]


def drawn(game_type: GameType, position: Mapping[str, Any], box: Any) -> str | None:
    """A position as one SVG picture, None where the game cannot draw it."""
    try:
        return str(game_type.draw(position, box))
    except (GameError, TypeError, NotImplementedError):
        return None


def _move(
    scene: Scene | None, word: str, action: int, game: Any, trial: Any, position: Mapping[str, Any]
) -> dict[str, Any]:
    """A move with its effects, tried on a game that is dealt anew."""
    before = game.scores
    trial.push(action)
    changes = [int(after - now) for now, after in zip(before, trial.scores, strict=True)]
    parts: dict[str, Any] = {"path": [], "parts": {}, "text": word, "coins": None}
    if scene:
        parts |= scene.move(word, position) | scene.effects(game.box, game.state, trial.state, word)
    trial.pop()
    return {"word": word, **parts, "scores": changes}


def seats_of(session: Session, mine: list[int], here: set[int]) -> list[dict[str, Any]]:
    """The players of all seats and their status; mine: the browser's own seats; here: the connected ones."""
    return [
        {
            "seat": number,
            "name": SEAT_NAMES[number],
            "person": seat.person,
            "kind": seat.kind,
            "agent": seat.agent,
            "wins": session.wins(number),
            "mine": number in mine,
            "here": not seat.is_human or number in here,
            "status": _status(session, number, here),
            "since": round(monotonic() - seat.since, 2),
            "message": seat.failure,
        }
        for number, seat in enumerate(session.seats)
    ]


def _status(session: Session, number: int, here: set[int]) -> str:
    seat, turn = session.seats[number], session.game.to_move == number
    if seat.is_human:
        if seat.left or number not in here:
            return "left" if seat.left else "away"
        return "to_move" if turn else "waiting"
    if seat.failure:
        return "failed"
    return "thinking" if turn and not session.paused else "waiting"


def drawings(game_type: GameType, box: Any, named: Any, sent: Container[str] = ()) -> dict[str, Any]:
    """The drawings that a message names, without those in `sent`."""
    if game_type.scene is None:
        return {}
    names = sorted(name for name in drawings_of(named) if name not in sent)
    return {name: game_type.scene().draw(box, name)._asdict() for name in names}
