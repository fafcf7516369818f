"""Agents' analysis of positions: candidates, heat on spots, win chances over the game and its mistakes.

Each analysis is a job of its own: a task that is cancelled starts no further one.
"""

import re
from collections.abc import AsyncIterator, Sequence
from statistics import fmean
from time import monotonic
from typing import Any

import numpy as np

from oddville_env.core.compiled.arrays import copied
from oddville_env.core.parts.played_game import replayed
from oddville_env.core.system.extras import find_agents
from oddville_env.web.messages.protocol import BRANCHES
from oddville_env.web.refusal import RefusalError
from oddville_env.web.sessions.access import Grant
from oddville_env.web.sessions.session import Session
from oddville_env.web.sessions.thinking import Thinking

PART_S = 0.5  # seconds between two messages about a whole game
CLOCK = re.compile(r"\bms=(\d+)")
SLOW_MS, QUICKER = 500, 8  # from so many milliseconds on, a first answer comes after a part of the time
MOST_DIFFERING = 8
LEAST_LOSS = 0.05  # win chance that a mistake costs


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
    return [spec] if slow is None or int(slow[1]) < SLOW_MS else [_hurried(spec, QUICKER), spec]


def _hurried(spec: str, number: int) -> str:
    """The agent with a part of its time, where its time is limited: one of `number` parts."""
    return CLOCK.sub(lambda clock: f"ms={max(int(clock[1]) // number, 1)}", spec)


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


async def _analysed(
    thinking: Thinking, spec: str, game: Any, played: str = "", branches: int = 0, seed: int = 0
) -> Any:
    """The `Analysis` of a game that nothing else uses."""
    return await thinking.analyse(find_agents().analyse, game, spec, seed, played, branches)


async def chances(session: Session, thinking: Thinking, spec: str) -> AsyncIterator[dict[str, Any]]:
    """The fields of `chances` messages, part by part. Raises GameError."""
    judge, game = find_agents("judge"), session.game.copy()
    part, due = _hurried(spec, judge.REPEATS), monotonic() + PART_S
    sent, values, turns = 0, list[list[float] | None](), list[dict[str, Any]]()
    for move, word in enumerate(replayed(game), 1):
        found = [await _analysed(thinking, part, game, word, seed=seed) for seed in judge.seeds(game)]
        verdict = judge.verdict(found, word)
        values.append(_mean(found))
        if verdict.loss is not None and verdict.loss >= LEAST_LOSS:
            turns.append({"move": move, **_mistake(verdict)})
        if monotonic() >= due:
            yield {"agent": spec, "from": sent, "values": values, "final": False, "turns": []}
            sent, due, values = sent + len(values), monotonic() + PART_S, []
    if (outcome := game.outcome) is None:
        values.append(_mean([await _analysed(thinking, part, game)]))
    else:
        values.append([round(outcome.win_share(seat), 4) for seat in range(game.players)])
    turns.sort(key=lambda turn: float(turn["change"]))
    yield {"agent": spec, "from": sent, "values": values, "final": True, "turns": turns}


def _mean(found: Sequence[Any]) -> list[float] | None:
    """Every seat's chance with the choice of each analysis; None where a forced move was not valued."""
    known = [one.candidates[0].values for one in found if one.candidates[0].values]
    return [round(fmean(each), 4) for each in zip(*known, strict=True)] or None


def _mistake(verdict: Any) -> dict[str, Any]:
    better = None if verdict.best == verdict.word else verdict.best
    error = None if verdict.standard_error is None else round(verdict.standard_error, 4)
    change = -round(verdict.loss, 4)
    return {"seat": verdict.seat, "word": verdict.word, "change": change, "standard_error": error, "better": better}


async def compared(session: Session, thinking: Thinking, specs: Sequence[str]) -> AsyncIterator[dict[str, Any]]:
    """The fields of `compared` messages, part by part. Raises GameError."""
    decisions, due, differing, game = 0, monotonic() + PART_S, list[Any](), session.game.copy()
    for move, word in enumerate(replayed(game), 1):
        if len(game.legal_moves) > 1:
            found = [await _analysed(thinking, spec, game) for spec in specs]
            choice, decisions = find_agents("judge").choice(move, word, *found), decisions + 1
            if choice.one != choice.other:
                differing.append(choice)
            if monotonic() >= due:
                yield _comparison(specs, decisions, differing, final=False)
                due = monotonic() + PART_S
    yield _comparison(specs, decisions, differing, final=True)


def _comparison(specs: Sequence[str], decisions: int, differing: Sequence[Any], final: bool) -> dict[str, Any]:
    most = sorted(differing, key=lambda choice: float(choice.difference), reverse=True)[:MOST_DIFFERING]
    told = {"agents": list(specs), "decisions": decisions, "same": decisions - len(differing), "final": final}
    return {**told, "differing": [_difference(choice) for choice in most]}


def _difference(choice: Any) -> dict[str, Any]:
    costs = {name: getattr(choice, name) for name in ("cost", "other_cost")}
    rounded = {name: None if cost is None else round(cost, 4) for name, cost in costs.items()}
    return {name: getattr(choice, name) for name in ("move", "seat", "one", "other")} | rounded
