"""Agents' analysis of positions: candidates, heat on spots, win chances over the game and its turning moves."""

import re
from collections.abc import AsyncIterator, Sequence
from itertools import islice
from typing import Any

import numpy as np

from oddville_env.core.compiled.arrays import copied
from oddville_env.core.errors import GameError
from oddville_env.core.system.extras import find_agents
from oddville_env.web.messages.protocol import BRANCHES
from oddville_env.web.refusal import RefusalError
from oddville_env.web.sessions.access import Grant
from oddville_env.web.sessions.session import Session
from oddville_env.web.sessions.thinking import Thinking

IN_A_PART = 5  # positions between two messages of chances
CLOCK = re.compile(r"\bms=(\d+)")
SLOW_MS, QUICKER = 500, 8  # from so many milliseconds on, a first answer comes after a part of the time
MOST_TURNS = 8
LEAST_TURN = 0.05  # of a chance
Chances = list[float] | None


def check_allowed(session: Session, grant: Grant, game: Any, viewer: int) -> None:
    """Raises RefusalError where an analysis would be unfair or reveal something hidden."""
    if game.is_over:
        raise RefusalError("not_now", "the game is over: there is nothing to analyse", "over_here")
    if not session.may_ask(grant):
        raise RefusalError("not_now", "other people play in this game, and it was made without help", "no_help")
    hidden = session.private and not session.is_open and not session.game.is_over
    if hidden and game.to_move != viewer:
        raise RefusalError("not_now", "this would show what another seat holds", "would_tell")


def quick_first(spec: str) -> list[str]:
    """The specs to ask in order: a slow agent is first asked with a part of its time."""
    slow = CLOCK.search(spec)
    if slow is None or int(slow[1]) < SLOW_MS:
        return [spec]
    return [CLOCK.sub(f"ms={int(slow[1]) // QUICKER}", spec), spec]


async def analysis(session: Session, thinking: Thinking, spec: str, move: int) -> dict[str, Any]:
    """The fields of an `analysis` message. Raises RefusalError."""
    game = session.at(move)
    played = session.entries[move]["word"] if move < session.moves else ""
    found = await _analysed(thinking, spec, game, played, BRANCHES)
    position = game.position(view=found.seat)
    candidates: list[dict[str, Any]] = []
    heat: dict[str, dict[str, Any]] = {}
    for thought in found.candidates:
        about = session.scene.move(thought.word, position) if session.scene else {"path": [], "text": thought.word}
        values = [round(value, 4) for value in thought.values] or None
        shown = {"text": about["text"], "share": round(thought.share, 4), "values": values}
        candidates.append({**thought._asdict(), **shown})
        for spot in set(about["path"]):
            at = heat.setdefault(spot, {"share": 0.0, "value": None})
            at["share"] = round(at["share"] + thought.share, 4)
            if thought.values:
                at["value"] = round(max(thought.values[found.seat], at["value"] or 0.0), 4)
    return {
        "move": move,
        "seat": found.seat,
        "iterations": found.iterations,
        "seconds": round(found.seconds, 3),
        "candidates": candidates,
        "heat": heat,
        "tree": await thinking.analyse(tree_of, session, game.box, found.tree),
    }


def tree_of(session: Session, box: Any, tree: Sequence[Any]) -> list[dict[str, Any]]:
    """The moves of a search's tree, with the last spot that each touches and the drawing that it brings there."""
    game_type, scene = session.game_type, session.scene
    words, mask = game_type.words(box.layout), np.zeros(box.layout.size, np.bool_)
    branches = []
    for branch in tree:
        word, spot, drawing = words[branch.action], None, None
        if scene:
            after = copied(branch.games)
            game_type.entries.step(box.record, after, 0, branch.action, mask)
            drawing = scene.effects(box, branch.games, after, word).get("drawing")
            path = scene.move(word, game_type.position(box, branch.games, 0, branch.seat))["path"]
            spot = path[-1] if path else None
        told = {"word": word, "spot": spot, "drawing": drawing, "value": round(branch.values[branch.seat], 4)}
        known = {name: getattr(branch, name) for name in ("parent", "seat", "visits")}
        branches.append({**told, **known, "prior": round(branch.prior, 4)})
    return branches


async def _analysed(thinking: Thinking, spec: str, game: Any, played: str = "", branches: int = 0) -> Any:
    """The `Analysis` of a game that nothing else uses."""
    try:
        return await thinking.analyse(find_agents().analyse, game, spec, 0, played, branches)
    except GameError as error:
        raise RefusalError("agent", str(error)) from None


async def chances(session: Session, thinking: Thinking, spec: str) -> AsyncIterator[dict[str, Any]]:
    """The fields of `chances` messages, part by part. Raises RefusalError."""
    everything: list[Chances] = []
    part: list[Chances] = []
    best: list[str | None] = []
    moves = session.moves
    for move in range(moves + 1):
        found, word = await _chances_at(session, thinking, spec, move)
        part.append(found)
        best.append(word)
        final = move == moves
        if final or len(part) == IN_A_PART:
            everything += part
            turns = await thinking.analyse(turning_moves, session, everything, best) if final else []
            begin = len(everything) - len(part)
            yield {"agent": spec, "from": begin, "values": part, "final": final, "turns": turns}
            part = []


async def compared(session: Session, thinking: Thinking, specs: Sequence[str]) -> AsyncIterator[dict[str, Any]]:
    """The fields of `compared` messages, part by part. Raises RefusalError."""
    decisions, differing, final = 0, list[Any](), False
    choices = find_agents("judge").choices(session.game.copy(), *specs)
    while not final:
        try:
            found = await thinking.analyse(list, islice(choices, IN_A_PART))
        except GameError as error:
            raise RefusalError("agent", str(error)) from None
        decisions, final = decisions + len(found), len(found) < IN_A_PART
        differing += [choice for choice in found if choice.one != choice.other]
        differing.sort(key=lambda choice: choice.difference, reverse=True)
        most = [_difference(choice) for choice in differing[:MOST_TURNS]]
        same = decisions - len(differing)
        yield {"agents": list(specs), "decisions": decisions, "same": same, "final": final, "differing": most}


def _difference(choice: Any) -> dict[str, Any]:
    costs = {name: getattr(choice, name) for name in ("cost", "other_cost")}
    rounded = {name: None if cost is None else round(cost, 4) for name, cost in costs.items()}
    return {name: getattr(choice, name) for name in ("move", "seat", "one", "other")} | rounded


async def _chances_at(session: Session, thinking: Thinking, spec: str, move: int) -> tuple[Chances, str | None]:
    """Every seat's win chance after `move` moves, and the move that the agent would play there."""
    game = session.at(move)
    if (outcome := game.outcome) is not None:
        return [round(outcome.win_share(seat), 4) for seat in range(session.game.players)], None
    found = await _analysed(thinking, spec, game)
    first = found.candidates[0]
    return [round(value, 4) for value in first.values] if first.values else None, first.word


def turning_moves(session: Session, values: Sequence[Chances], best: Sequence[str | None]) -> list[dict[str, Any]]:
    """The moves that cost their own seat most of its win chance, the worst first; best: the agent's own choices.

    Where hands are hidden, a move that revealed something is luck, and left out: a drawn card is no mistake.
    """
    turns: list[dict[str, Any]] = []
    for entry, before, after, word in zip(session.entries, values, values[1:], best, strict=False):
        if before is not None and after is not None:
            change = round(after[entry["seat"]] - before[entry["seat"]], 4)
            if change <= -LEAST_TURN:
                better = None if word == entry["word"] else word
                move = {name: entry[name] for name in ("move", "seat", "word")}
                turns.append({**move, "change": change, "better": better})
    turns.sort(key=lambda turn: float(turn["change"]))
    decisions = (turn for turn in turns if not (session.private and session.reveals(turn["move"] - 1)))
    return list(islice(decisions, MOST_TURNS))
