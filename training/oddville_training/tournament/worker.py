"""The worker that plays blocks: agents, games and records of one process."""

import json
import zlib
from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property
from time import perf_counter
from typing import NamedTuple

import numpy as np

from oddville_agents import Agent, make_agent
from oddville_agents.play import agent_seed, compile_agent, derive_agent_seeds, name_key
from oddville_agents.player import AgentFaultError, Player
from oddville_agents.policies.asking import AskingAgent, ForfeitError
from oddville_agents.roster import own_agents
from oddville_agents.spec import AgentSpec, is_own_code
from oddville_env.core.checked import game_seeds
from oddville_env.envs.live_game import LiveGame
from oddville_training.processes.sandbox import Sandbox
from oddville_training.tournament import seated_batch
from oddville_training.tournament.config import Chunk, Games, Lineup, Schedule, Section, TournamentConfig, entrants_of
from oddville_training.tournament.seated_batch import Failed, Seated, SeatedBatch, TimedPlayer
from oddville_training.tournament.transcripts import AskedPlayer, Transcripts

LEVEL = 1  # of zlib: the fastest
GZIP = 31  # tells zlib to write gzip's header, which holds no time then
MOST_SANDBOXES = 8  # guarded agents that are kept: each holds a process's memory, and takes a second to start again


class Played(NamedTuple):
    """A chunk that was played: rows [N], failures, packed records of each block if moves are kept, and seconds."""

    chunk: Chunk
    rows: np.ndarray
    failed: list[Failed]
    records: list[bytes]
    seconds: float


class Worker:
    """Plays chunks of one run; agents stay between chunks, those with code of others in processes of their own."""

    def __init__(self, config: TournamentConfig) -> None:
        self._config = config
        self._players: dict[tuple[int, int], Seated] = {}  # most recently used last
        self._game = 0  # the number of the one that is played alone

    @cached_property
    def _agents(self) -> list[Agent | None]:
        """Those agents that play in this process."""
        specs, game = [entrant.spec for entrant in self._config.entrants], self._config.game
        agents = [make_agent(spec, game.name) if is_own_code(spec, game.name) else None for spec in specs]
        for agent in agents:
            if agent is not None:
                compile_agent(agent, LiveGame(game, self._config.box(self._config.schedule.sections[0].players)))
        return agents

    def play(self, chunk: Chunk) -> Played:
        """Play all games of a chunk."""
        start, config, schedule = perf_counter(), self._config, self._config.schedule
        section, games = schedule.sections[chunk.section], schedule.games_of(chunk)
        seeds = np.repeat(np.concatenate([game_seeds(deal) for deal in chunk.deals.tolist()]), section.games)
        batch = SeatedBatch(config.game, config.box(section.players), seeds, games.seating, config.moves)
        why = self._play_out(batch, section.lineups[chunk.lineup], self._agent_seeds(chunk, games, seeds), games.games)
        batch.end()
        failed = [Failed(int(games.games[table]), int(batch.failed[table]), text) for table, text in why.items()]
        records = packed_records(batch.records(), games, config.names) if config.moves else []
        return Played(chunk, seated_batch.rows_of(batch, games), failed, records, perf_counter() - start)

    def _agent_seeds(self, chunk: Chunk, games: Games, seeds: np.ndarray) -> np.ndarray:
        """The seeds of all agents' own chance, uint64 [T, P] by seat."""
        agent_seeds = np.zeros(games.agents.shape, np.uint64)
        keys = np.array([name_key(name) for name in self._config.names], np.uint64)[games.agents]
        derive_agent_seeds(seeds, np.stack([games.blocks, games.games], 1), keys, agent_seeds)
        return agent_seeds

    def _play_out(
        self, batch: SeatedBatch, lineup: Lineup, agent_seeds: np.ndarray, numbers: np.ndarray
    ) -> dict[int, str]:
        """Play all games, which have these numbers, to their ends; why games were stopped, by table."""
        seated = self._seated(lineup)
        together = [each for each in seated if each is not None and type(each).batch_agent is not Agent.batch_agent]
        if len(together) == len(seated):
            seated_batch.play_together(batch, [agent.batch_agent(batch.size) for agent in together], agent_seeds)
            return {}
        why, players = {}, self._players_of(lineup)
        for table, self._game in enumerate(numbers.tolist()):
            try:
                seated_batch.play_alone(batch, table, players, agent_seeds[table])
            except AgentFaultError as fault:
                why[table] = self._reason(fault)
        return why

    def _seated(self, lineup: Lineup) -> list[Agent | None]:
        """The agents at a table that play in this process, by place."""
        return [self._agents[agent] for agent in lineup]

    def _reason(self, fault: AgentFaultError) -> str:
        return fault.reason

    def _players_of(self, lineup: Lineup) -> list[Seated]:
        """The players at a table, by place."""
        players = [self._player(agent, lineup[:place].count(agent)) for place, agent in enumerate(lineup)]
        self._make_room(players)
        return players

    def _player(self, agent: int, copy: int) -> Seated:
        """One of an agent's copies: agents remember their game, so where one sits twice at a table there are two."""
        player = self._players.pop((agent, copy), None)
        if player is None:
            spec, own, config = self._config.entrants[agent].spec, self._agents[agent] is not None, self._config
            player = (
                TimedPlayer(make_agent(spec, config.game.name), config.limit_s) if own else sandbox_of(spec, config)
            )
        self._players[agent, copy] = player
        return player

    def _make_room(self, seated: Sequence[Seated]) -> None:
        """If there would be too many processes, end those of the agents that have not played for longest."""
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


HomeAgents = Sequence[str | AgentSpec | Agent]  # by place


class HomeWorker(Worker):
    """Plays with agents of any kind in this process; a failure of theirs ends the run, but a model may lose a game."""

    def __init__(self, config: TournamentConfig, agents: HomeAgents, transcripts: Transcripts | None = None) -> None:
        super().__init__(config)
        self._home_agents, self._transcripts = agents, transcripts

    @cached_property
    def _at_home(self) -> list[Agent]:
        """Made with the first chunk, which can tell their errors."""
        return [make_agent(agent, self._config.game.name) for agent in self._home_agents]

    def _agent_seeds(self, chunk: Chunk, games: Games, seeds: np.ndarray) -> np.ndarray:
        """They follow from the deal, the seat and the agent's name alone."""
        names = [agent.name for agent in self._at_home]
        deals = np.repeat(chunk.deals, len(games.games) // len(chunk.deals)).tolist()
        return np.array(
            [
                [agent_seed(deal, seat, names[place]) for seat, place in enumerate(places)]
                for deal, places in zip(deals, games.seating.tolist(), strict=True)
            ],
            np.uint64,
        )

    def _seated(self, lineup: Lineup) -> list[Agent | None]:
        """Agents of this package may play together; all others are asked one by one, so that a fault has a name."""
        game = self._config.game.name
        return [agent if agent.spec and is_own_code(agent.spec, game) else None for agent in self._at_home]

    def _reason(self, fault: AgentFaultError) -> str:
        if isinstance(fault, ForfeitError):
            return fault.reason
        raise fault

    def _players_of(self, lineup: Lineup) -> list[Seated]:
        return [
            Player(agent)
            if self._transcripts is None or not isinstance(agent, AskingAgent)
            else AskedPlayer(agent, self._transcripts, lambda: self._game)
            for agent in self._at_home
        ]


def sandbox_of(spec: str, config: TournamentConfig) -> Sandbox:
    """The sandbox of an agent with code of its own."""
    return Sandbox(spec, config.game, config.settings, config.limit_s, config.memory_mb)


def worker_of(config: TournamentConfig, agents: HomeAgents | None, transcripts: Transcripts | None = None) -> Worker:
    """A worker; agents: those of all line-ups, by place, where they are not the config's."""
    return Worker(config) if agents is None else HomeWorker(config, agents, transcripts)


def packed_records(records: Sequence[str], games: Games, names: Sequence[str]) -> list[bytes]:
    """The records of each block's games, a line each, packed by gzip; packed parts may be put one behind another.

    records: JSON texts of objects, to which block, game and agents are added; names: of the agents.
    """
    lines: dict[int, list[str]] = {}
    spelled = [json.dumps(name) for name in names]
    finished = zip(records, games.blocks.tolist(), games.games.tolist(), games.agents.tolist(), strict=True)
    for record, block, game, agents in finished:
        seated = ", ".join([spelled[agent] for agent in agents])
        line = f'{record[:-1]}, "block": {block}, "game": {game}, "agents": [{seated}]}}\n'
        lines.setdefault(block, []).append(line)
    return [zlib.compress("".join(texts).encode(), LEVEL, GZIP) for texts in lines.values()]


def compile_ahead(config: TournamentConfig) -> None:
    """Play a deal of `random` against itself here, and let the run's built-in agents move, as they are by default.

    What the workers need is then compiled, once and where a person sees it; they only load it.
    """
    pair = Schedule((Section(2, ((0, 1),)),), seed=0, number=1)
    quick = Worker(replace(config, entrants=entrants_of(["random", "random"]), schedule=pair, moves=True))
    quick.play(Chunk(0, 0, np.arange(1), pair.deals))
    game = config.game
    for name in {entrant.spec.partition(":")[0] for entrant in config.entrants} & own_agents(game.name).keys():
        compile_agent(make_agent(name, game.name), LiveGame(game, config.box(2)))
