"""Facts about moves, cards, observations, deals and whole games."""

import json
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

import numpy as np

from frozen.doors import (
    DATA,
    GOLDEN,
    HALF,
    Digest,
    Fact,
    done,
    hash_of,
    hash_of_bytes,
    layout_digest,
    observation_pieces,
    unnamed,
)
from oddville_env import Game, Move, base_cards, load_cards, oddville_v0

TABLES = {
    "17x9": {"players": 2},
    "5x3": {"players": 4, "table": (5, 3)},
    "9x17": {"players": 3, "table": (9, 17)},
}


def moves() -> Fact:
    """What the words of every table mean; the words themselves, in the order of their ids, are a file."""
    told = {}
    for label, settings in TABLES.items():
        words = (DATA / "words" / f"{label}.txt").read_text().split()
        game, parsed = Game(seed=0, **settings), [Move.parse(word) for word in words]
        assert [game.action(word) for word in words] == list(range(len(words)))
        assert [move.word for move in parsed] == words
        told[label] = {
            "ids": int(oddville_v0.raw_env(**settings).action_space("player_0").n),
            "meaning": hash_of([[int(move.kind), move.parts] for move in parsed]),
            "layout": layout_digest(game),
        }
    return told


# Cards and observations


def cards() -> Fact:
    """Digests of the cards, and what is said of a folder."""
    Path("cards").symlink_to(DATA / "cards", target_is_directory=True)
    return {
        "base": [base_cards().name, base_cards().digest],
        "other": [load_cards(DATA / "cards").name, load_cards(DATA / "cards").digest],
        "check": done("cards", "check", "cards"),
    }


def observations() -> Fact:
    """The pieces of both encodings: names, shapes and bounds, and the hash of them that models store."""
    told: Fact = {}
    for label, settings in TABLES.items():
        for encoding in ("features", "ids"):
            env = oddville_v0.raw_env(encoding=encoding, **settings)
            space = env.observation_space("player_0")["observation"]
            pieces = observation_pieces(env, space.high)
            plain = [(name, piece.shape, int(piece.flat[0])) for name, piece in pieces.items()]
            digest = sha256(repr(plain).encode()).hexdigest()
            told[f"{label}, {encoding}"] = {
                "pieces": len(plain),
                "size": int(space.shape[0]),
                "digest": digest,
                "bounds": hash_of(space.low, space.high),
                "mask": hash_of(env.observation_space("player_0")["action_mask"].high),
            }
    return told


# Deals


def dealt(record: Mapping[str, Any]) -> list[Any]:
    return [record["deck"], record["piles"], record["first"]]


SEEDS = (*range(200), 2**31, 2**32, 2**63 + 1, 2**64 + 5, 10**40)


def deals() -> Fact:
    """What seeds deal, and what is dealt after that where no seed is given."""
    told: Fact = {}
    for players in (2, 3, 4):
        env = oddville_v0.raw_env(players=players)
        env.reset(seed=7)
        after = Digest()
        for _ in range(20):
            env.reset()
            after.add(dealt(env.game.record()))
        told[f"{players} players"] = {
            "seeds": hash_of([dealt(Game(players, seed).record()) for seed in SEEDS]),
            "after": str(after),
        }
    told["seed 7"] = dealt(Game(3, 7).record())
    return told


# Whole games


GAMES: dict[str, dict[str, Any]] = {
    "two": {"players": 2, "seed": 1},
    "three": {"players": 3, "seed": 2},
    "four": {"players": 4, "seed": 3},
    "two, a small table": {"players": 2, "seed": 4, "table": (5, 3)},
    "three, a tall table": {"players": 3, "seed": 5, "table": (9, 17)},
    "four, cut off": {"players": 4, "seed": 6, "max_rounds": 4},
    "three, other cards": {"players": 3, "seed": 7, "cards": "cards"},
    "two, a large seed": {"players": 2, "seed": 2**64 + 5},
    "four, unfinished": {"players": 4, "seed": 8},
}
LARGE_GAMES: dict[str, dict[str, Any]] = {
    "three, a wide table": {"players": 3, "seed": 9, "table": (21, 9), "cards": "wide"},
}


def settings_of(game: Mapping[str, Any]) -> dict[str, Any]:
    """The settings with the folder of their card set."""
    folders = {"cards": DATA / "cards", "wide": DATA / "wide"}
    return {name: folders[value] if name == "cards" else value for name, value in game.items()}


@cache
def lines(name: str) -> list[str]:
    return (DATA / name).read_text().splitlines()


def with_records() -> Iterator[tuple[str, dict[str, Any], str]]:
    """Name, settings and record of every kept game."""
    for games, file in ((GAMES, "games.jsonl"), (LARGE_GAMES, "large_games.jsonl")):
        for (name, settings), line in zip(games.items(), lines(file), strict=True):
            yield name, settings_of(settings), line


def in_words(settings: Mapping[str, Any], words: Sequence[str]) -> Fact:
    """What a game for people tells along the way."""
    game = Game(**settings)
    positions, legal, unseen = Digest(), Digest(), Digest()
    for number, word in enumerate(words):
        positions.add(game.position())
        legal.add(game.legal_moves.words())
        if number == len(words) // HALF:
            middle = game.copy()
        game.push(word)
    for seed in range(3):
        unseen.add(middle.sample_unseen(None, np.random.default_rng(seed)).record())
    return {
        "positions": str(positions.add(game.position())),
        "legal": str(legal),
        "unseen": str(unseen),
        "sheet": hash_of(game.score_sheet()),
        "scores": list(game.scores),
        "drawings": hash_of([str(middle), unnamed(middle.svg()), str(game), unnamed(game.svg())]),
    }


REWARDS = ("outcome", "rank", "margin")


def in_numbers(settings: Mapping[str, Any], words: Sequence[str]) -> Fact:
    """What every seat sees along the way, and what it is paid at the end."""
    of_env = {name: value for name, value in settings.items() if name != "seed"}
    game, told = Game(**settings), {}
    for encoding, reward in zip(("features", "ids", None), REWARDS, strict=True):
        env, seen = oddville_v0.raw_env(encoding=encoding or "ids", reward=reward, **of_env), Digest()
        env.reset(seed=settings["seed"])
        for word in [*words, None]:
            for agent in env.possible_agents if encoding else ():
                observation = env.observe(agent)
                seen.add(observation["observation"], observation["action_mask"])
            if encoding:
                seen.add(env.agent_selection, env.state())
            if word is not None:
                env.step(game.action(word))
        told |= {encoding: str(seen)} if encoding else {}
        told[reward] = env.rewards
    infos = {agent: {name: info[name] for name in info if name != "action_mask"} for agent, info in env.infos.items()}
    told["ends"] = [env.terminations, env.truncations, infos]
    told["record"] = hash_of(env.game.record())
    return told


def along(games: Mapping[str, Any]) -> Fact:
    told = {}
    for name, settings, line in with_records():
        if name in games:
            words = json.loads(line)["moves"]
            told[name] = in_words(settings, words) | in_numbers(settings, words)
    return told


def golden() -> Fact:
    """The games and positions that the other tests keep."""
    files = [path for folder in GOLDEN for path in folder.iterdir()]
    return {path.name: hash_of_bytes(path.read_bytes()) for path in sorted(files, key=lambda path: path.name)}
