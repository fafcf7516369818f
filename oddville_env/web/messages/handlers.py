"""Carries out the messages of browsers, one method a message."""

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from functools import partial
from typing import Any

from oddville_env.core.errors import GameError, shown
from oddville_env.core.system.extras import find_agents
from oddville_env.web.messages import analysis
from oddville_env.web.messages.state_writer import StateWriter
from oddville_env.web.refusal import RefusalError
from oddville_env.web.sessions.lobby import Entered, Lobby
from oddville_env.web.sessions.room import Watcher
from oddville_env.web.sessions.saving import game_of
from oddville_env.web.sessions.snapshot import points_over_time
from oddville_env.web.sessions.thinking import is_own_code

LOG = logging.getLogger("uvicorn.error")
Message = dict[str, Any]
Parts = AsyncIterator[dict[str, Any]]  # the fields of messages


class Handlers:
    """Carries out the messages of one browser; raises RefusalError where one is refused."""

    def __init__(self, entered: Entered, lobby: Lobby, writer: StateWriter, watcher: Watcher) -> None:
        self._room, self._grant = entered
        self._lobby, self._writer, self._watcher = lobby, writer, watcher
        self._send = watcher.send
        self._session = self._room.session
        self._thought: asyncio.Task[None] | None = None
        self._counting: asyncio.Task[None] | None = None
        self._to_count: Message | None = None

    async def handle(self, message: Message) -> None:
        """Carry out a checked message."""
        await getattr(self, f"_{message['type']}")(message)

    def stop(self) -> None:
        """End the running analysis."""
        if self._thought is not None:
            self._thought.cancel()
            self._thought = None

    def close(self) -> None:
        """End all that runs for this browser."""
        self.stop()
        if self._counting is not None:
            self._counting.cancel()

    async def _change(self, reason: str, work: Callable[..., object], *args: Any) -> None:
        await self._room.change(reason, partial(work, *args), self._watcher)

    async def _move(self, message: Message) -> None:
        move = (message["word"], message["at"], self._writer.uncovered)
        await self._change("move", self._session.play, self._grant, *move)

    async def _undo(self, message: Message) -> None:
        await self._change("undo", self._session.undo, self._grant)

    async def _agree(self, message: Message) -> None:
        await self._change("undo", self._session.agree, self._grant, message["agrees"])

    async def _uncover(self, message: Message) -> None:
        await self._change("seats", self._writer.uncover, message["seat"])

    async def _go(self, message: Message) -> None:
        async with self._room.thinking.looking():
            forward = self._writer.look_at(message["move"])
            self.stop()
            self._send(self._writer.state("go", forward))

    async def _seat(self, message: Message) -> None:
        seat, agent = message["seat"], message["agent"]
        if agent is not None:
            self._lobby.check_agent(agent)

        def seated() -> None:
            self._session.seat(self._grant, seat, agent, self._room.here)
            self._room.reseat(seat)

        await self._change("seats", seated)

    async def _leave(self, message: Message) -> None:
        await self._change("seats", self._session.leave, self._grant)

    async def _name(self, message: Message) -> None:
        await self._change("seats", self._session.name, self._grant, message["seat"], message["name"])

    async def _chat(self, message: Message) -> None:
        if not self._writer.may()["chat"]:
            raise RefusalError("not_now", "there is no chat in this game, or it is switched off", "chat_off")
        await self._room.say(self._grant, message["text"], message.get("name"))

    async def _allow_chat(self, message: Message) -> None:
        if self._grant.role != "host":
            raise RefusalError("not_allowed", "only the host may switch the chat off and on", "host_chats")
        await self._change("seats", setattr, self._session.chat, "allowed", message["allowed"])

    async def _rematch(self, message: Message) -> None:
        if not self._writer.may()["rematch"]:
            raise RefusalError("not_now", "its players may play a rematch when the game is over", "no_rematch")
        async with self._room.arranging:
            if self._session.rematch is None:
                rematch = await self._lobby.rematch(self._session)
                await self._change("seats", setattr, self._session, "rematch", rematch)

    async def _pause(self, message: Message) -> None:
        self._may_lead()
        await self._change("seats", setattr, self._session, "paused", message["paused"])

    async def _pace(self, message: Message) -> None:
        self._may_lead()
        await self._change("seats", setattr, self._session, "pace", float(message["seconds"]))

    async def _step(self, message: Message) -> None:
        self._may_lead()
        self._room.step()

    def _may_lead(self) -> None:
        if not self._writer.may()["pause"]:
            raise RefusalError("not_allowed", "only the host may change how fast agents play", "host_paces")

    async def _hint(self, message: Message) -> None:
        if not self._writer.may()["hint"]:
            raise RefusalError("not_now", "hints are for the player to move, alone or in a game with help", "no_hint")
        asked = {**message, "agent": find_agents("roster").hint_agent(self._session.game_type.name)}
        self._think("analysis", self._analysed(asked, self._session.moves, "hint"), message)

    async def _analyse(self, message: Message) -> None:
        move = message.get("move")
        number = self._writer.shown if move is None else move
        self._may_think(message["agent"])
        analysis.check_allowed(self._session, self._grant, self._session.at(number), self._writer.viewer)
        self._think("analysis", self._analysed(message, number, "analyse"), message)

    async def _stop_analysis(self, message: Message) -> None:
        self.stop()

    async def _chances(self, message: Message) -> None:
        self._may_think(message["agent"])
        self._may_see_all()
        parts = analysis.chances(self._session, self._room.thinking, message["agent"])
        self._think("chances", parts, message)

    async def _compare(self, message: Message) -> None:
        for agent in message["agents"]:
            self._may_think(agent)
        self._may_see_all()
        parts = analysis.compared(self._session, self._room.thinking, message["agents"])
        self._think("compared", parts, message)

    def _may_see_all(self) -> None:
        if not self._session.may_see_chances(self._grant):
            sentence = "win chances are shown when the game is over, or where they reveal nothing hidden"
            raise RefusalError("not_now", sentence, "no_chances")

    async def _points(self, message: Message) -> None:
        """Count in the background, for one question at a time; of the questions meanwhile the last one counts."""
        self._to_count = message
        if self._counting is None or self._counting.done():
            self._counting = asyncio.create_task(self._count())

    async def _count(self) -> None:
        while (message := self._to_count) is not None:
            self._to_count = None
            await self._tell("points", self._counted(), message)

    async def _counted(self) -> Parts:
        game, moves = self._session.game.copy(), self._session.moves
        yield {"values": await self._room.thinking.analyse(points_over_time, game, moves)}

    def _may_think(self, agent: str) -> None:
        self._lobby.check_agent(agent)
        if not is_own_code(agent, self._session.game_type):
            sentence = f"the agent {shown(agent)} can play, but cannot be asked for analysis"
            raise RefusalError("not_allowed", sentence, "silent", agent=shown(agent))

    def _think(self, kind: str, parts: Parts, message: Message) -> None:
        """Analyse in the background; a new question ends the one before."""
        self.stop()
        self._thought = asyncio.create_task(self._tell(kind, parts, message))

    async def _tell(self, kind: str, parts: Parts, message: Message) -> None:
        """Send the parts of an answer as messages of a kind."""
        number = message.get("id")
        try:
            async for part in parts:
                self._send({"type": kind, "id": number, **part})
        except RefusalError as error:
            self._send(error.message(number))
        except GameError as error:
            self._send(RefusalError("agent", str(error)).message(number))
        except Exception as error:
            LOG.exception("an analysis failed")
            self._send(RefusalError("agent", f"the analysis failed: {type(error).__name__}").message(number))

    async def _analysed(self, message: Message, move: int, purpose: str) -> Parts:
        for agent in analysis.quick_first(message["agent"]):
            found = await analysis.analysis(self._session, self._room.thinking, agent, move)
            yield {"purpose": purpose, **found, "agent": message["agent"], "final": agent == message["agent"]}

    async def _play_on(self, message: Message) -> None:
        if not self._writer.may()["play_on"]:
            raise RefusalError("not_now", "a game can be played on from any move when it is over", "play_on_later")
        session = self._session
        variation, line = session.at(message["move"]), message.get("line", ())
        for number, word in enumerate(line, 1):
            try:
                variation.push(word)
            except GameError:
                sentence = f"move {number} is not legal here: other cards were drawn than the search assumed"
                raise RefusalError("not_now", sentence, "line_ends", n=number) from None
        seats = self._lobby.seats(message["seats"])
        if len(seats) != (number := session.game.players):
            raise RefusalError("not_allowed", f"the game has {number} seats, not {len(seats)}", "seats", n=number)
        game = game_of(session.game_type, variation.record(), self._lobby.data)
        begun = self._lobby.session_of(session.game_type, game, seats)
        begun.practice = begun.had_people  # its players have seen what is hidden
        begun.with_help = bool(line)
        room = await self._lobby.open(begun)
        self._send({"type": "made", "id": message.get("id"), "game": made(room.session)})

    async def _ping(self, message: Message) -> None:
        self._send({"type": "pong", "id": message.get("id")})


def made(session: Any) -> dict[str, Any]:
    """The answer to the maker of a game: its keys. An agent's seat has none."""
    keys = session.keys
    seats = [key if seat.is_human else None for key, seat in zip(keys.seats, session.seats, strict=False)]
    plain = {"host": keys.host, "watch": keys.watch, "seats": seats}
    return {"id": session.id, "game": session.game_type.name, "keys": plain}
