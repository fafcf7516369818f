"""A summary of a game for lists of games and for invitations."""

from typing import Any

from oddville_env.web.sessions.keys import Grant
from oddville_env.web.sessions.room import Room
from oddville_env.web.sessions.snapshot import seats_of


def about_game(room: Room, grant: Grant) -> dict[str, Any]:
    """What every holder of a key may know of a game, and what the key is for."""
    session = room.session
    mine, outcome = session.seats_of(grant), session.game.outcome
    hosts = [seat for seat in session.seats_of(Grant("host")) if seat != grant.seat]
    return {
        "id": session.id,
        "game": session.game_type.name,
        "title": session.game_type.title,
        "role": grant.role,
        "seat": grant.seat,
        "arrived": grant.seat is not None and bool(session.seats) and session.seats[grant.seat].place is not None,
        "inviter": hosts[0] if hosts else None,
        "players": session.players,
        "replay": session.is_replay,
        "help": session.with_help,
        "clock": session.clock.terms() if session.clock else None,
        "seats": seats_of(session, mine, room.here),
        "to_move": session.game.to_move,
        "over": bool(session.game.is_over),
        "moves": session.moves,
        "scores": list(map(int, session.game.scores)),
        "winners": None if outcome is None else list(outcome.winners),
        "rematch": session.rematch.of(grant) if session.rematch else None,
    }
