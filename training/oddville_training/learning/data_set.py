"""Data sets of an agent's decisions: safetensors files, each of so many games that the agent plays with itself.

The k-th game is dealt as `Game(seed=seed + k)` is. Some moves are stray ones, so that positions are met that good play
does not reach; what is noted is what the agent would play there. Letters of shapes: D decisions with more than one
legal move, N numbers of an observation, A actions, P seats.

| tensor | what it holds |
| --- | --- |
| `observations` | uint8 [D, N]: what the seat to move sees |
| `masks` | bool [D, A]: the legal moves |
| `moves` | int16 [D]: the agent's move |
| `shares` | float16 [D, A]: how much of its thought each move got; only of agents that say so, as `search` does |
| `seats` | int8 [D]: the seat to move |
| `games` | int32 [D]: the number of the game |
| `scores`, `ranks` | int16 [D, P]: how the game ended, by seat |
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from safetensors import SafetensorError, safe_open

from oddville_agents import make_agent
from oddville_agents.agent import Agent
from oddville_agents.play import agent_seed
from oddville_agents.player import BatchPlayer, Player, copy_of
from oddville_agents.policies.models import save_tensors
from oddville_agents.roster import FIRST_GAME
from oddville_agents.tensors import ArrayKind, check_arrays, read_arrays
from oddville_env.core.checked import check, game_seeds, one_of, whole, whole_number
from oddville_env.core.disk.files import remove_unfinished
from oddville_env.core.disk.locks import alone_in
from oddville_env.core.disk.reading import JsonFormat
from oddville_env.core.errors import GameError, SettingError, located, shown
from oddville_env.core.game.game_type import NOBODY, GameType, game_type, known_games
from oddville_env.core.parts.pieces import Encoder
from oddville_env.envs.game_batch import GameBatch
from oddville_training.processes.pools import Job, Workers
from oddville_training.program import meter

SHARD = 500  # games of a file
TABLES = 125  # games that are played at once
MOST_GAMES = 10**8
POINTS = np.iinfo(np.int16)


class DataSetError(GameError):
    """A folder that holds another data set, or none."""


ABOUT = JsonFormat("oddville-decisions", 1, "description of a data set", DataSetError)


class DataSetSpec(NamedTuple):
    """The data set that is wanted."""

    agent: str  # its spec
    players: int = 2
    games: int = 10_000
    seed: int = 0
    stray: float = 0.05  # the part of the moves that are random
    encoding: str = "features"
    game: str = FIRST_GAME

    def shards(self) -> range:
        """The numbers of the files."""
        return range(-(-self.games // SHARD))

    def games_of(self, number: int) -> range:
        """The numbers of the games in a file."""
        return range(number * SHARD, min((number + 1) * SHARD, self.games))


def make(folder: Path, asked: DataSetSpec, workers: Workers, progress: bool = True) -> None:
    """Write the files that are not there; Ctrl-C keeps those that are.

    Raises SettingError where a data set cannot be like this, and DataSetError where the folder holds another one.
    """
    players = game_type(asked.game).players
    whole_number("players", asked.players, players[0], players[-1])
    whole_number("games", asked.games, 1, MOST_GAMES)
    if not 0 <= asked.stray <= 1:
        raise SettingError(f"stray must be a number from 0 to 1, not {asked.stray}")
    with alone_in(folder, DataSetError), meter("files", progress) as shown:
        left = jobs(folder, asked)
        task = shown.add_task("playing", total=len(asked.shards()), completed=len(asked.shards()) - len(left))
        for _ in workers(left):
            shown.advance(task)


def jobs(folder: Path, asked: DataSetSpec) -> list[Job]:
    """The files that do not hold all their games yet.

    Raises DataSetError where the folder holds another data set, or more games of this one.
    """
    path = folder / "about.json"
    if path.exists():
        there = ABOUT.read(path)
        if {**there, "games": None} != {**asked._asdict(), "games": None}:
            made = ", ".join(f"{name} {shown(there.get(name))}" for name in DataSetSpec._fields)
            raise DataSetError(f"{folder} holds another data set, made from {made}")
        check(there, {"games": whole(1, MOST_GAMES)}, DataSetError)
        if there["games"] > asked.games:
            raise DataSetError(f"{folder} holds {there['games']} games: ask for at least as many, or name a new folder")
        remove_unfinished(folder)
    make_agent(asked.agent, asked.game)  # a wrong name is told at once
    ABOUT.write(path, asked._asdict())
    files = [(number, folder / f"games-{number:05}.safetensors") for number in asked.shards()]
    left = [(number, file) for number, file in files if _held(file) < asked.games_of(number).stop]
    return [Job(file, play_shard, (asked, number), save_tensors, "games") for number, file in left]


def _held(file: Path) -> int:
    """The number of the game behind the last one in a file, 0 where there is no such file."""
    if not file.is_file():
        return 0
    try:
        with safe_open(file, "numpy") as tensors:
            games = tensors.get_slice("games")
            (decisions,) = games.get_shape()
            return int(games[decisions - 1 : decisions][0]) + 1
    except (SafetensorError, ValueError, IndexError, TypeError):  # it is damaged, and made anew
        return 0


def files_of(folder: Path) -> list[Path]:
    """The files of a data set; raises DataSetError where there are none."""
    found = sorted(folder.glob("games-*.safetensors"))
    if not found:
        raise DataSetError(f"{folder} holds no games: the command imitate makes them")
    return found


def read_about(folder: Path, encoding: str) -> dict[str, Any]:
    """A data set's description; raises DataSetError where it is of other observations than these."""
    path = folder / "about.json"
    about = ABOUT.read(path)
    with located(path, DataSetError):
        check(about, {"game": one_of(*known_games()), "encoding": one_of(encoding)}, DataSetError)
        players = game_type(about["game"]).players
        check(about, {"players": whole(players[0], players[-1])}, DataSetError)
    return about


def read_decisions(path: Path, encoder: Encoder, players: int) -> dict[str, np.ndarray]:
    """The tensors of a file; raises DataSetError where they are not what `play_shard` gives."""
    tensors, _ = read_arrays(path, DataSetError)
    actions = encoder.layout.size
    kinds = {
        "observations": ArrayKind(encoder.dtype, ("D", encoder.size), encoder.low.min().item(), encoder.high),
        "masks": ArrayKind(np.bool_, ("D", actions)),
        "moves": ArrayKind(np.int16, ("D",), 0, actions - 1),
        "shares": ArrayKind(np.float16, ("D", actions), 0, 1),
        "seats": ArrayKind(np.int8, ("D",), 0, players - 1),
        "games": ArrayKind(np.int32, ("D",), 0, MOST_GAMES),
        "scores": ArrayKind(np.int16, ("D", players), POINTS.min, POINTS.max),
        "ranks": ArrayKind(np.int16, ("D", players), 1, players),
    }
    if "shares" not in tensors:
        del kinds["shares"]
    decisions = check_arrays(path, tensors, kinds, DataSetError)["D"]
    if not tensors["masks"][np.arange(decisions), tensors["moves"]].all():
        raise DataSetError(f"{path}: a move is not legal")
    return tensors


def play_shard(asked: DataSetSpec, number: int) -> dict[str, np.ndarray]:
    """The decisions of the games of a file, in the order of the games."""
    played = setup_of(asked.game, asked.players, asked.encoding)
    return decisions_of(make_agent(asked.agent, asked.game), played, asked.games_of(number), asked.seed, asked.stray)


class GameSetup(NamedTuple):
    """The game, the box of its settings, and the encoder of what its seats see."""

    game: GameType
    box: Any
    encoder: Encoder


def setup_of(name: str, players: int, encoding: str) -> GameSetup:
    """The usual games of so many players."""
    game = game_type(name)
    box = game.box(game.settings(players=players))
    return GameSetup(game, box, game.make_encoder(box, encoding))


def decisions_of(agent: Agent, played: GameSetup, numbers: range, seed: int, stray: float) -> dict[str, np.ndarray]:
    """An agent's decisions in games that it plays with itself, in the order of their numbers."""
    thinks = type(agent).opinion is not Agent.opinion and type(agent).batch_agent is Agent.batch_agent
    size, parts = 1 if thinks else TABLES, []
    for first in numbers[::size]:
        tables = min(size, numbers.stop - first)
        batch = GameBatch(*played, tables)
        seeds = [seed + first + table for table in range(tables)]
        batch.deal_from(np.concatenate([game_seeds(each) for each in seeds]))
        ask = _thinking(agent, batch, seeds[0]) if thinks else _choosing(agent, batch, seeds)
        parts.append(_play(batch, ask, stray, np.random.default_rng([seed, first]), first))
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


Ask = Callable[[np.ndarray, np.ndarray], dict[str, np.ndarray]]
"""Writes the moves at tables, int64 [T], into actions, and returns what else is known of them."""


def _choosing(agent: Agent, batch: GameBatch, seeds: list[int]) -> Ask:
    """An agent in all seats of many games, which says its moves."""
    players = [BatchPlayer(agent, batch.size) for _ in range(batch.box.players)]
    for seat, player in enumerate(players):
        for table, seed in enumerate(seeds):
            player.begin(table, seat, len(players), agent_seed(seed, seat, agent.name))

    def ask(tables: np.ndarray, actions: np.ndarray) -> dict[str, np.ndarray]:
        for seat, player in enumerate(players):
            mine = tables[batch.seats[tables] == seat]
            if len(mine):
                player.move(batch.view(mine), actions)
        return {}

    return ask


def _thinking(agent: Agent, batch: GameBatch, seed: int) -> Ask:
    """An agent in all seats of one game, which says what it thinks of every move: `shares` float16 [1, A]."""
    players = [Player(copy_of(agent)) for _ in range(batch.box.players)]
    for seat, player in enumerate(players):
        player.begin(seat, len(players), agent_seed(seed, seat, agent.name))

    def ask(tables: np.ndarray, actions: np.ndarray) -> dict[str, np.ndarray]:
        opinion = players[batch.seats[0]].opinion(batch.view(tables).one(0))
        shares = np.zeros((1, batch.masks.shape[1]), np.float16)
        for candidate in opinion.candidates:
            shares[0, candidate.action] = candidate.share
        actions[0] = opinion.candidates[0].action
        return {"shares": shares}

    return ask


def _play(batch: GameBatch, ask: Ask, stray: float, rng: np.random.Generator, first: int) -> dict[str, np.ndarray]:
    """Play games to their ends; their decisions, in the order of the games, which are numbered from `first`."""
    actions, noted = np.zeros(batch.size, np.int64), []
    while len(tables := np.flatnonzero(batch.seats != NOBODY)):
        seen = batch.observe()
        known = ask(tables, actions)
        open_ = batch.masks[tables].sum(1) > 1
        here = {"observations": seen[tables], "masks": batch.masks[tables], "moves": actions[tables].astype(np.int16)}
        here |= {"seats": batch.seats[tables], "games": (first + tables).astype(np.int32), **known}
        noted.append({name: array[open_] for name, array in here.items()})
        for table in tables[rng.random(len(tables)) < stray].tolist():
            actions[table] = rng.choice(np.flatnonzero(batch.masks[table]))
        batch.play(tables, actions)
    batch.end()
    found = {name: np.concatenate([each[name] for each in noted]) for name in noted[0]}
    found = {name: array[np.argsort(found["games"], kind="stable")] for name, array in found.items()}
    of = found["games"] - first
    return found | {"scores": batch.scores[of], "ranks": batch.ranks[of]}
