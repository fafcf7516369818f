"""What the page shows outside of games: its files, the games, agents and records on offer, and the rules.

A checkout serves the page's sources; a wheel holds them bundled into one script and one style.
"""

import mimetypes
import re
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path
from typing import Any

from oddville_env import __version__
from oddville_env.core.game.game_type import GameType
from oddville_env.core.svg.palette import SEAT_COLOURS, SEAT_NAMES
from oddville_env.core.system.extras import find_agents
from oddville_env.web.messages.state_writer import PROTOCOL
from oddville_env.web.sessions.lobby import Lobby
from oddville_env.web.sessions.thinking import is_own_code

FOLDER = Path(__file__).with_name("static")
SHARED = ("shell", "plain")  # folders of modules that every server sends
CHAPTER, RULE = re.compile(r"([A-Z])\. (.+)"), re.compile(r"- ([A-Z]\d+) (.+)")
mimetypes.add_type("text/javascript", ".js")  # some systems say text/plain, which browsers refuse for modules


def page_index(game_types: Iterable[GameType]) -> str:
    """The page itself; in a checkout it names all modules of these games, so that browsers ask for them at once.

    Games with a scene have modules of their own, others are played by picture and words.
    """
    text = (FOLDER / "index.html").read_text(encoding="utf-8")
    names = [*SHARED, *(game_type.name for game_type in game_types if game_type.scene is not None)]
    modules = [file for name in names for file in sorted((FOLDER / name).rglob("*.js"))]
    links = [f'<link rel="modulepreload" href="static/{file.relative_to(FOLDER).as_posix()}">\n' for file in modules]
    return text.replace("<script ", "".join(links) + "<script ", 1)


def info(lobby: Lobby) -> dict[str, Any]:
    """The answer of `GET api/info`."""
    game_types = list(lobby.game_types.values())
    return {
        "protocol": PROTOCOL,
        "version": __version__,
        "games": [_game(game_type, lobby) for game_type in game_types],
        "agents": _agents(game_types, lobby.offered),
        "records": len(lobby.records),
    }


def _game(game_type: GameType, lobby: Lobby) -> dict[str, Any]:
    scene = game_type.scene() if game_type.scene else None
    options = [option for option in game_type.options if not option.data]
    roster, puzzles = find_agents("roster"), None
    levels = zip(roster.LEVELS, roster.roster_of(game_type.name).levels, strict=False)  # the weakest first
    if scene and scene.puzzles:
        printed = [{"name": name, "level": level} for name, level in scene.puzzles.printed(lobby.box_of(game_type))]
        puzzles = {"printed": printed, "levels": list(scene.puzzles.levels)}
    return {
        "name": game_type.name,
        "title": game_type.title,
        "players": list(game_type.players),
        "seat_names": list(SEAT_NAMES),
        "colours": [shades._asdict() for shades in SEAT_COLOURS],
        "options": [
            {"name": option.name, "default": _plain(option.default), "help": option.help} for option in options
        ],
        "kinds": [kind._asdict() for kind in scene.kinds] if scene else [],
        "sources": list(game_type.sources),
        "levels": [{"level": level, "agent": spec} for level, spec in levels if spec in lobby.offered],
        "page": game_type.name if scene else "plain",
        "python": [f"from {game_type.game.__module__} import {game_type.game.__name__}", game_type.game.__name__],
        "puzzles": puzzles,
    }


def _plain(value: Any) -> Any:
    return str(value) if isinstance(value, Path) else list(value) if isinstance(value, tuple) else value


def _agents(game_types: Iterable[GameType], offered: Iterable[str]) -> list[dict[str, Any]]:
    """The agents on offer for each game: its own, and those that no game of this server knows by name."""
    listed = find_agents("roster").listed
    known = {each: {agent.name: agent.plain() for agent in listed(each.name)} for each in game_types}
    names = {name for own in known.values() for name in own}
    found = []
    for game_type, own in known.items():
        for spec in offered:
            name = spec.split(":")[0]
            if name in own or name not in names:
                told = own.get(name, {"what": "", "options": []})
                about = {"about": told["what"].split(". ")[0].removesuffix("."), "options": told["options"]}
                analyses = is_own_code(spec, game_type)
                found.append({"spec": spec, "game": game_type.name, **about, "can_analyse": analyses})
    return found


@lru_cache(maxsize=8)
def chapters(law: Path) -> list[dict[str, Any]]:
    """The numbered rules of a law file, chapter by chapter."""
    found: list[dict[str, Any]] = []
    for section in re.sub(r"\s*\n {2,}", " ", law.read_text(encoding="utf-8")).split("\n## "):
        if head := CHAPTER.match(section):
            matches = filter(None, map(RULE.match, section.splitlines()))
            rules = [{"id": rule[1], "text": rule[2]} for rule in matches]
            found.append({"id": head[1], "title": head[2], "rules": rules})
    return found
