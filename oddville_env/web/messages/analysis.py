"""What agents think of positions, for people: candidates, heat on spots, chances over the game and what turned it."""

import re
from collections.abc import AsyncIterator, Sequence
from time import perf_counter
from typing import Any

from oddville_env.core.errors import OddVilleError
from oddville_env.web.refusal import RefusalError
from oddville_env.web.sessions.keys import Pass
from oddville_env.web.sessions.session import Session
from oddville_env.web.sessions.thinking import Thinking, opinion_of

IN_A_PART = 5  # positions between two messages of chances
CLOCK = re.compile(r"\bms=(\d+)")
SLOW_MS, QUICKER = 500, 8  # from so many milliseconds on a first answer comes in a part of the time
MOST_TURNS = 8
LEAST_TURN = 0.05  # of a chance
Chances = list[float] | None


def check_allowed(session: Session, entry: Pass, game: Any, eyes: int) -> None:
    """Agents may be asked where that is fair, and where it tells nothing hidden; raises RefusalError."""
    if game.is_over:
        raise RefusalError("not_now", "the game is over here: there is nothing to think about", "over_here")
    if not session.may_ask(entry):
        raise RefusalError("not_now", "other people play in this game, which was made without help", "no_help")
    hidden = session.private and not session.is_open and not session.game.is_over
    if hidden and game.to_move != eyes:
        raise RefusalError("not_now", "this would tell what another seat holds", "would_tell")


def quick_first(spec: str) -> list[str]:
    """The agents to ask one after the other: before one that takes its time, itself with a part of it."""
    slow = CLOCK.search(spec)
    if slow is None or int(slow[1]) < SLOW_MS:
        return [spec]
    return [CLOCK.sub(f"ms={int(slow[1]) // QUICKER}", spec), spec]


async def analysis(session: Session, thinking: Thinking, spec: str, move: int) -> dict[str, Any]:
    """The fields of an `analysis` message. Raises RefusalError."""
    game, start = session.at(move), perf_counter()
    opinion = await _opinion(thinking, spec, game)
    seconds = perf_counter() - start if opinion.seconds is None else opinion.seconds
    position = game.position(view=game.to_move)
    words = session.game_type.words(game.box.layout)
    played = session.entries[move]["word"] if move < session.moves else None
    candidates: list[dict[str, Any]] = []
    heat: dict[str, dict[str, Any]] = {}
    for candidate in opinion.candidates:
        word = words[candidate.action]
        about = session.scene.move(word, position) if session.scene else {"path": [], "text": word}
        candidates.append(
            {
                "word": word,
                "text": about["text"],
                "share": round(candidate.share, 4),
                "visits": candidate.visits,
                "values": [round(value, 4) for value in candidate.values] or None,
                "line": [words[action] for action in candidate.line[1:]],
                "played": word == played,
            }
        )
        _warm(heat, about["path"], candidate, game.to_move)
    return {
        "move": move,
        "seat": game.to_move,
        "iterations": opinion.iterations,
        "seconds": round(seconds, 3),
        "candidates": candidates,
        "heat": heat,
    }


def _warm(heat: dict[str, dict[str, Any]], path: Sequence[str], candidate: Any, seat: int) -> None:
    """Add a candidate to the spots that it touches."""
    for spot in set(path):
        at = heat.setdefault(spot, {"share": 0.0, "value": None})
        at["share"] = round(at["share"] + candidate.share, 4)
        if candidate.values:
            at["value"] = round(max(candidate.values[seat], at["value"] or 0.0), 4)


async def _opinion(thinking: Thinking, spec: str, game: Any) -> Any:
    try:
        return await thinking.analyse(opinion_of, spec, game.view())
    except OddVilleError as error:
        raise RefusalError("agent", str(error)) from None


async def chances(session: Session, thinking: Thinking, spec: str) -> AsyncIterator[dict[str, Any]]:
    """The fields of `chances` messages, part by part. Raises RefusalError."""
    everything: list[Chances] = []
    part: list[Chances] = []
    moves = session.moves
    for move in range(moves + 1):
        part.append(await _chances_at(session, thinking, spec, move))
        final = move == moves
        if final or len(part) == IN_A_PART:
            everything += part
            turns = turning_moves(session.entries, everything) if final else []
            begin = len(everything) - len(part)
            yield {"agent": spec, "from": begin, "values": part, "final": final, "turns": turns}
            part = []


async def _chances_at(session: Session, thinking: Thinking, spec: str, move: int) -> Chances:
    """Every seat's chance to win after so many moves."""
    game = session.at(move)
    if (outcome := game.outcome) is not None:
        return [round(outcome.win_share(seat), 4) for seat in range(session.players)]
    opinion = await _opinion(thinking, spec, game)
    values = opinion.candidates[0].values
    return [round(value, 4) for value in values] if values else None


def turning_moves(entries: Sequence[dict[str, Any]], values: Sequence[Chances]) -> list[dict[str, Any]]:
    """The moves after which their own seat's chance was much worse, the worst first."""
    turns = []
    for entry, before, after in zip(entries, values, values[1:], strict=False):
        if before is not None and after is not None:
            change = round(after[entry["seat"]] - before[entry["seat"]], 4)
            if change <= -LEAST_TURN:
                turns.append({"move": entry["move"], "seat": entry["seat"], "word": entry["word"], "change": change})
    return sorted(turns, key=lambda turn: turn["change"])[:MOST_TURNS]
