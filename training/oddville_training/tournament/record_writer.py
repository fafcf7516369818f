"""Records of many games as text, written fast: what games share is turned into text once."""

import json
import zlib
from collections.abc import Sequence
from functools import cache

import numpy as np

from oddville_env.oddville import record
from oddville_env.oddville.cards.words import NOBODY, NOTHING, Character, Suit
from oddville_env.oddville.moves import words
from oddville_env.oddville.rules import batch
from oddville_env.oddville.rules.actions import Layout
from oddville_env.oddville.rules.box import Box
from oddville_env.oddville.rules.state import BUILDINGS, GUILDS
from oddville_training.tournament.tables import Tables

LEVEL = 1  # of zlib: the fastest
GZIP = 31  # tells zlib to write gzip's header, which holds no time then
NUMBERS = [str(number) for number in range(BUILDINGS)]
GUILD_NAMES = [json.dumps(word) for word in Suit.words()[:GUILDS]]
CHARACTERS = [json.dumps(name) for name in Character.words()]


def records_of(tables: Tables, blocks: np.ndarray, games: np.ndarray, names: Sequence[Sequence[str]]) -> list[bytes]:
    """The records of each block's games, a line each, packed by gzip; packed parts may be put one behind another.

    blocks, games: their numbers int [T], a block's games in a row; names: the agents by table and seat, as JSON texts.
    Lines are those of `json.dumps(game.record())`, with block, game and agents added.
    """
    lines: dict[int, list[str]] = {}
    deals = _deals(tables.box, np.unique(tables.seeds))
    told = zip(blocks.tolist(), games.tolist(), tables.seeds, _played(tables), _ends(tables), names, strict=True)
    for block, game, seed, played, end, seated in told:
        run = f'"block": {block}, "game": {game}, "agents": [{", ".join(seated)}]'
        lines.setdefault(block, []).append(f"{{{deals[seed]}, {played}, {end}, {run}}}\n")
    return [packed("".join(texts).encode()) for texts in lines.values()]


def packed(text: bytes) -> bytes:
    """A text as one part of a gzip file: equal texts give equal bytes."""
    packer = zlib.compressobj(LEVEL, zlib.DEFLATED, GZIP)
    return packer.compress(text) + packer.flush()


def _deals(box: Box, seeds: np.ndarray) -> dict[np.uint64, str]:
    """The fields of a record up to `piles`, by the seed of the game."""
    states, texts = np.zeros(len(seeds), box.games), {}
    settings = (
        f'"format": "{record.FORMAT}", "version": {record.VERSION}, "players": {box.players}, '
        f'"table": {list(box.table)}, "max_rounds": {box.max_rounds}'
    )
    for index, seed in enumerate(seeds):
        batch.shuffle(box.record, states, index, seed)
    kept = states["pile"][..., ::-1][..., : box.players - 1]  # top first
    dealt = (states["first"].tolist(), states["deck"].tolist(), kept.tolist())
    for seed, first, deck, piles in zip(seeds, *dealt, strict=True):
        cards = ", ".join([NUMBERS[card] for card in deck])
        told = ", ".join([f"{guild}: {_pile(tuple(pile))}" for guild, pile in zip(GUILD_NAMES, piles, strict=True)])
        texts[seed] = f'{settings}, "first": {first}, "deck": [{cards}], "piles": {{{told}}}'
    return texts


@cache
def _pile(characters: tuple[int, ...]) -> str:
    """Characters, top first; what lies beyond the pile is NOTHING."""
    return "[" + ", ".join([CHARACTERS[character] for character in characters if character != NOTHING]) + "]"


@cache
def _spelled(layout: Layout) -> list[str]:
    return [json.dumps(word) for word in words(layout)]


def _played(tables: Tables) -> list[str]:
    """The fields `reshuffles` and `moves` of every record."""
    assert tables.kept is not None
    moves, lengths, piles, reshuffles = tables.kept
    spell, texts = _spelled(tables.box.layout).__getitem__, []
    for table, (length, number) in enumerate(zip(lengths.tolist(), reshuffles.tolist(), strict=True)):
        said = ", ".join(map(spell, moves[table, :length].tolist()))
        new = ", ".join([_pile(tuple(pile)) for pile in piles[table, :number].tolist()]) if number else ""
        texts.append(f'"reshuffles": [{new}], "moves": [{said}]')
    return texts


def _ends(tables: Tables) -> list[str]:
    """The last fields of every record; a game that a failure stopped is not over."""
    texts = []
    ends = (tables.scores, tables.ranks, tables.triggers, tables.games["truncated"], tables.failed)
    for scores, ranks, trigger, truncated, failed in zip(*(array.tolist() for array in ends), strict=True):
        if failed != NOBODY:
            scores = ranks = "null"
        ended_by = "null" if trigger == NOBODY else trigger
        cut = "true" if truncated else "false"
        texts.append(f'"scores": {scores}, "ranks": {ranks}, "trigger": {ended_by}, "truncated": {cut}')
    return texts
