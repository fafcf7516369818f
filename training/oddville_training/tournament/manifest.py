"""The folder of a run: its files, and `manifest.json`, which says what it is: another run is refused."""

import json
from collections.abc import Mapping
from hashlib import sha256
from math import isfinite
from pathlib import Path
from typing import Any

from oddville_agents import make_agent
from oddville_agents.player import one_line
from oddville_agents.spec import files_of, is_own_code
from oddville_agents.tensors import LARGEST
from oddville_env import __version__
from oddville_env.core.disk.files import remove_unfinished
from oddville_env.core.disk.locks import LOCK
from oddville_env.core.disk.reading import JsonFormat, read_whole
from oddville_env.core.errors import GameError, shown
from oddville_env.core.game.game_type import GameType
from oddville_training.tournament.config import Entrant, TournamentConfig
from oddville_training.tournament.worker import sandbox_of

MANIFEST, RESULTS, GAMES = "manifest.json", "results.parquet", "games.jsonl.gz"
LINES, RECORDS = "journal.jsonl", "records.part"
"""The journal: they go when the results are there, the lines first."""


class RunError(GameError):
    """A folder that holds no run, a broken one, or another one."""


FILE = JsonFormat("oddville-tournament", 1, "manifest of a tournament", RunError)
PASSING = ("machine", "wall_seconds", "verdict")  # the fields that may differ when a run is resumed
DIGEST = 16  # letters
SHOWN = ("spec", "version", "digest")  # of an agent


def about(config: TournamentConfig, **more: Any) -> dict[str, Any]:
    """The manifest of a run; more: what is not in the config. Loads every agent once; raises AgentError."""
    schedule, box, options = config.schedule, config.box(config.schedule.sections[0].players), config.game.options
    manifest = {
        "game": config.game.name,
        "agents": [_agent(entrant, config) for entrant in config.entrants],
        "players": [section.players for section in schedule.sections],
        "blocks": schedule.number,
        "seed": schedule.seed,
        "full": any(section.full for section in schedule.sections),
        "lineups": [len(section.lineups) for section in schedule.sections],
        **more,
        **{option.name: getattr(config.settings, option.name) for option in options if not option.data},
        "moves": config.moves,
        "limit_s": config.limit_s,
        "memory_mb": config.memory_mb,
        **{option.name: getattr(box, option.name).digest for option in options if option.data},
        "layout": box.layout.digest,
        "package": __version__,
    }
    return json.loads(json.dumps(manifest))  # type: ignore[no-any-return]


def _agent(entrant: Entrant, config: TournamentConfig) -> dict[str, Any]:
    files = files_of(entrant.spec)
    own = is_own_code(entrant.spec, config.game.name)
    version = make_agent(entrant.spec, config.game.name).version if own else sandbox_of(entrant.spec, config).version()
    digest = sha256(b"".join(read_whole(file, LARGEST) for file in files)).hexdigest()[:DIGEST] if files else None
    return {**entrant._asdict(), "version": version, "digest": digest}


def read(folder: Path) -> dict[str, Any]:
    """The manifest in a folder; raises RunError."""
    return FILE.read(folder / MANIFEST)


def check_finished(folder: Path, game: GameType) -> None:
    """Raises RunError where a folder holds no finished tournament of a game."""
    name = read(folder).get("game")
    if name != game.name:
        raise RunError(f"{folder} holds a tournament of the game {shown(name)}, not of {game.name}")
    if not is_finished(folder):
        raise RunError(f"the tournament in {folder} is not finished: repeat the command that it was begun with")


def version_of(agent: str, folder: Path) -> str:
    """The version of an agent of the run in a folder; raises RunError."""
    agents = read(folder).get("agents")
    for each in agents if isinstance(agents, list) else []:
        if isinstance(each, dict) and each.get("name") == agent:
            return str(each.get("version"))
    raise RunError(f"{folder / MANIFEST} tells of no agent {shown(agent)}")


def begin(folder: Path, manifest: dict[str, Any]) -> dict[str, Any]:
    """The manifest to resume: the one in the folder, or this one, written there. Raises RunError.

    A run that was ended before its first block is forgotten: its agents may not have been able to play at all.
    """
    is_new = not (folder / MANIFEST).exists()
    if is_new and any(each.name != LOCK for each in folder.iterdir()):
        raise RunError(f"{folder} holds other files, but no tournament: name a new folder")
    there = {} if is_new else read(folder)
    lines = folder / LINES
    if not (folder / RESULTS).exists() and not (lines.exists() and lines.stat().st_size):  # nothing was played
        FILE.write(folder / MANIFEST, manifest)
        return manifest
    for name in dict.fromkeys([*manifest, *there]):
        if name not in PASSING and there.get(name) != manifest.get(name):
            raise RunError(
                f"{folder} holds another tournament: {name} is {_shown(there.get(name))} there, "
                f"not {_shown(manifest.get(name))}; repeat the command that it was begun with, or name a new folder"
            )
    return there


def clear(folder: Path) -> None:
    """Remove what a run that was killed began to write, and the records of a journal that has gone."""
    remove_unfinished(folder, MANIFEST)
    if (folder / MANIFEST).exists():
        remove_unfinished(folder, RESULTS)
        remove_unfinished(folder, GAMES)
        if not (folder / LINES).exists():
            (folder / RECORDS).unlink(missing_ok=True)


def is_finished(folder: Path) -> bool:
    """The results of the run in a folder are all there."""
    return (folder / RESULTS).exists() and not (folder / LINES).exists()


def seconds(manifest: Mapping[str, Any]) -> float:
    """The seconds that a run has taken so far."""
    before = manifest.get("wall_seconds")
    return max(float(before), 0.0) if isinstance(before, int | float) and isfinite(before) else 0.0


def _shown(value: Any) -> str:
    """A value for a message; agents by what tells them apart."""
    if isinstance(value, list) and value and all(isinstance(each, dict) for each in value):
        value = ", ".join(" ".join(str(each[name]) for name in SHOWN if each.get(name)) for each in value)
        return one_line(value)
    return one_line(json.dumps(value))
