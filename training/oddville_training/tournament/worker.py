"""Where blocks are played: agents, tables and records of one process."""

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from time import perf_counter
from typing import NamedTuple

import numpy as np

from oddville_agents import Agent, built_in, make_agent
from oddville_agents.play import derive_agent_seeds, name_key, rehearse
from oddville_agents.roster import is_own_code
from oddville_env.core.seeds import game_seeds
from oddville_env.envs.live_game import LiveGame
from oddville_env.oddville.game_type import ODDVILLE
from oddville_training.tournament.config import TournamentConfig, entrants_of
from oddville_training.tournament.play_loop import Seated, TimedPlayer, play_alone, play_together
from oddville_training.tournament.record_writer import records_of
from oddville_training.tournament.rows import Failed, rows_of
from oddville_training.tournament.sandbox import Sandbox
from oddville_training.tournament.schedule import Chunk, Schedule, Section
from oddville_training.tournament.tables import Tables

MOST_TABLES = 4096  # whose states are in memory
MOST_SANDBOXES = 8  # guarded agents that are kept: each holds a process's memory, and takes a second to start again


class Played(NamedTuple):
    """What became of a chunk: rows ROW [N], failures, packed records of each block if moves are kept, and seconds."""

    chunk: Chunk
    rows: np.ndarray
    failed: list[Failed]
    records: list[bytes]
    seconds: float


class Worker:
    """Plays chunks of one run; agents stay between chunks, those with code of others in processes of their own."""

    def __init__(self, config: TournamentConfig) -> None:
        self._config = config
        self._players: dict[tuple[int, int], Seated] = {}  # who played last comes last

    @cached_property
    def _keys(self) -> np.ndarray:
        return np.array([name_key(name) for name in self._config.names], np.uint64)

    @cached_property
    def _agents(self) -> list[Agent | None]:
        """Those agents that play in this process."""
        agents = [make_agent(entrant.spec) if is_own_code(entrant.spec) else None for entrant in self._config.entrants]
        for agent in agents:
            if agent is not None:
                rehearse(agent, LiveGame(ODDVILLE, self._config.box(self._config.schedule.sections[0].players)))
        return agents

    def play(self, chunk: Chunk) -> Played:
        """Play all games of a chunk."""
        start = perf_counter()
        size = max(MOST_TABLES // self._config.schedule.sections[chunk.section].games, 1)
        rows: list[np.ndarray] = []
        failed: list[Failed] = []
        records: list[bytes] = []
        for first in range(0, len(chunk.blocks), size):
            some = slice(first, first + size)
            played = self._play(chunk._replace(blocks=chunk.blocks[some], deals=chunk.deals[some]))
            rows.append(played[0])
            failed += played[1]
            records += played[2]
        return Played(chunk, np.concatenate(rows), failed, records, perf_counter() - start)

    def _play(self, chunk: Chunk) -> tuple[np.ndarray, list[Failed], list[bytes]]:
        section = self._config.schedule.sections[chunk.section]
        lineup = section.lineups[chunk.lineup]
        blocks, games, seating, agents = self._config.schedule.games_of(chunk)
        seeds = np.repeat(np.concatenate([game_seeds(deal) for deal in chunk.deals.tolist()]), section.games)
        tables = Tables(self._config.box(section.players), seeds, seating, self._config.moves)
        agent_seeds = np.zeros(seating.shape, np.uint64)
        derive_agent_seeds(seeds, np.stack([blocks, games], 1), self._keys[agents], agent_seeds)
        why = self._play_out(tables, lineup, agent_seeds)
        tables.end()
        failed = [Failed(int(games[table]), int(tables.failed[table]), text) for table, text in why.items()]
        records = []
        if self._config.moves:
            names = [json.dumps(name) for name in self._config.names]
            records = records_of(tables, blocks, games, [[names[agent] for agent in row] for row in agents.tolist()])
        return rows_of(tables, blocks, games, agents), failed, records

    def _play_out(self, tables: Tables, lineup: Sequence[int], agent_seeds: np.ndarray) -> dict[int, str]:
        """Play tables to their ends; why games were stopped, by table."""
        seated = [self._agents[agent] for agent in lineup]
        together = [agent for agent in seated if agent is not None and type(agent).batch_agent is not Agent.batch_agent]
        if len(together) == len(seated):
            play_together(tables, [agent.batch_agent(len(agent_seeds)) for agent in together], agent_seeds)
            return {}
        players = [self._player(agent, lineup[:place].count(agent)) for place, agent in enumerate(lineup)]
        self._make_room(players)
        why = {table: play_alone(tables, table, players, agent_seeds[table]) for table in range(len(agent_seeds))}
        return {table: text for table, text in why.items() if text is not None}

    def _player(self, agent: int, copy: int) -> Seated:
        """One of an agent's copies: agents remember their game, so where one sits twice at a table there are two."""
        player = self._players.pop((agent, copy), None)
        if player is None:
            spec, own, config = self._config.entrants[agent].spec, self._agents[agent] is not None, self._config
            player = TimedPlayer(make_agent(spec), config.limit_s) if own else Sandbox(spec, config)
        self._players[agent, copy] = player
        return player

    def _make_room(self, seated: Sequence[Seated]) -> None:
        """Where there would be too many processes, end those of the agents that have not played for longest."""
        sandboxes = [player for player in self._players.values() if isinstance(player, Sandbox)]
        needed = sum(sandbox in seated for sandbox in sandboxes)
        waiting = [sandbox for sandbox in sandboxes if sandbox.is_open and sandbox not in seated]
        for sandbox in waiting[: max(needed + len(waiting) - MOST_SANDBOXES, 0)]:
            sandbox.close()

    def close(self) -> None:
        """End the processes of guarded agents."""
        for player in self._players.values():
            if isinstance(player, Sandbox):
                player.close()


def compile_ahead(config: TournamentConfig) -> None:
    """Play a deal of `random` against itself here, and let the run's built-in agents move, as they are by default.

    What the workers need is then compiled, once and where a person sees it; they only load it.
    """
    pair = Schedule((Section(2, ((0, 1),)),), seed=0, number=1)
    quick = Worker(replace(config, entrants=entrants_of(["random", "random"]), schedule=pair, moves=True))
    quick.play(Chunk(0, 0, np.arange(1), pair.deals))
    for name in {entrant.spec.partition(":")[0] for entrant in config.entrants} & built_in().keys():
        if is_own_code(name):
            rehearse(make_agent(name), LiveGame(ODDVILLE, config.box(2)))
