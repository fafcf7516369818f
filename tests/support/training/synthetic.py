"""Results of tournaments that were never played: players of known strength, games of a block that share luck."""

from itertools import combinations, permutations
from math import log

import numpy as np
import polars as pl

ELO = 400 / log(10)
SOURCES = ("buildings", "characters", "workers", "square")
STYLES = np.array([[0.62, 0.2, 0.1, 0.08], [0.5, 0.28, 0.14, 0.08], [0.7, 0.12, 0.14, 0.04], [0.45, 0.25, 0.2, 0.1]])


def results(
    strengths: dict[str, float],
    players: int = 2,
    blocks: int = 100,
    seed: int = 0,
    *,
    luck: float = 0.3,
    form: float = 0.0,
    seats: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0),
    mixed: bool = False,
    first_block: int = 0,
) -> pl.DataFrame:
    """A results table: every two agents meet in so many blocks, in each of them once with each turn of the seats.

    strengths: Elo by name; seats: Elo of each seat. mixed: all agents sit together (there must be `players` of them),
    not one against several equals. luck: 0 is none, near 1 is nothing else; all games of a deal share it, seat by seat.
    form: the same for how well an agent does with a deal in a seat, whoever its opponents are.
    Whatever the luck, a single game follows the Plackett-Luce model with these strengths exactly.
    """
    rng, names = np.random.default_rng(seed), list(strengths)
    met = combinations(range(len(names)), 2) if players == 2 else permutations(range(len(names)), 2)
    line_ups = [tuple(range(players))] if mixed else [(i, *[j] * (players - 1)) for i, j in met]
    line_up = np.repeat(np.array(line_ups), blocks, axis=0)  # [B, N]
    turns = (np.arange(players)[:, None] - np.arange(players)) % players  # [games of a block, seats]
    agents = line_up[:, turns]  # [B, games, seats]
    strength = np.array([strengths[name] for name in names])[agents] + np.array(seats[:players])
    share, share_of_form = 1 - luck, 1 - form
    deal = np.tile(np.arange(blocks), len(line_ups))[:, None, None]
    in_form = stable(rng, share_of_form, (blocks, len(names), players))[deal, agents, np.arange(players)]
    lucky = stable(rng, share, (blocks, 1, players))[deal[:, 0, 0]]
    noise = lucky / share_of_form + in_form - np.log(rng.standard_exponential(agents.shape))
    order = np.argsort(-(strength / ELO / share / share_of_form + noise), axis=-1)
    ranks = np.argsort(order, axis=-1) + 1
    return _table(rng, names, line_ups, agents, ranks, blocks, first_block)


def stable(rng: np.random.Generator, share: float, shape: tuple[int, ...]) -> np.ndarray:
    """Logarithms of positive stable variables (Kanter): with Gumbel noise they are Gumbel noise 1 / share as wide."""
    angle, wait = rng.uniform(0, np.pi, shape), rng.standard_exponential(shape)
    if share == 1:
        return np.zeros(shape)
    rest = np.log(np.sin((1 - share) * angle)) - np.log(wait)
    return np.log(np.sin(share * angle)) - np.log(np.sin(angle)) / share + (1 - share) / share * rest


def _table(
    rng: np.random.Generator,
    names: list[str],
    line_ups: list[tuple[int, ...]],
    agents: np.ndarray,
    ranks: np.ndarray,
    blocks: int,
    first_block: int,
) -> pl.DataFrame:
    shape = agents.shape  # [B, games of a block, seats]
    games = np.arange(shape[0] * shape[1]).reshape(*shape[:2], 1) + first_block * shape[1]
    block, rounds = np.arange(shape[0])[:, None, None], rng.poisson(14, (*shape[:2], 1)) + 9
    scores = np.sort(rng.poisson(1.4 * rounds, shape), axis=-1)[..., ::-1]
    scores = np.take_along_axis(scores, ranks - 1, axis=-1)
    sources = rng.multinomial(scores, STYLES[agents % len(STYLES)])
    decisions = rounds * 2 + rng.poisson(4, shape)
    think = decisions * (0.02 + 0.4 * (agents % 3)) * rng.gamma(20, 1 / 20, shape)
    columns = {
        "players": (shape[-1], pl.UInt8),
        "block": (block + first_block, pl.UInt32),
        "pairing": (block // blocks, pl.UInt32),
        "deal": (block % blocks, pl.UInt64),
        "game": (games, pl.UInt32),
        "seat": (np.arange(shape[-1]), pl.UInt8),
        "agent": (agents, pl.UInt32),
        "rank": (ranks, pl.UInt8),
        "score": (scores, pl.Int16),
        **{name: (sources[..., place], pl.Int16) for place, name in enumerate(SOURCES)},
        "decisions": (decisions, pl.UInt16),
        "think_ms": (think, pl.Float32),
        "slowest_ms": (think / decisions * rng.uniform(2, 9, shape), pl.Float32),
        "rounds": (rounds, pl.UInt16),
        "trigger": (ranks == 1, pl.Boolean),
        "truncated": (False, pl.Boolean),
    }
    flat = {
        name: pl.Series(np.broadcast_to(value, shape).ravel()).cast(kind) for name, (value, kind) in columns.items()
    }
    pairings = [" | ".join(names[agent] for agent in line_up) for line_up in line_ups]
    return pl.DataFrame(flat).with_columns(
        pairing=pl.Series(pairings).gather(flat["pairing"]),
        agent=pl.Series(names).gather(flat["agent"]),
        failure=pl.lit(None, pl.String),
    )
