"""What 0.1.0 stored and published: later versions number, deal, tell and play the same, byte for byte.

`FACTS` ask today's code through public doors; `data/frozen` holds what 0.1.0 answered, and files that it wrote.
Who changes a fact on purpose gives it a new version beside the old one.
"""

import gzip
import io
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stderr, redirect_stdout
from functools import cache
from hashlib import sha256
from importlib import import_module
from importlib.metadata import entry_points, version
from pathlib import Path
from typing import Any, NamedTuple
from unittest import mock
from zlib import crc32

import gymnasium
import numpy as np
import pettingzoo
import pytest

import oddville_agents
from oddville_env import Game, IllegalMoveError, Move, base_cards, load_cards, oddville_v0

# All that is asked of modules inside the packages stands here. `test_an_address_is_there` holds published ones.
SELF_PLAY = "oddville_env.envs.self_play"
SB3 = "oddville_env.envs.sb3"
SUITE = "oddville_training.tournament.suite"


def layout_digest(game: Game) -> str:
    """What manifests and models store of the moves' numbering."""
    return game.box.layout.digest


def observation_pieces(env: Any, vector: np.ndarray) -> Mapping[str, np.ndarray]:
    """The named pieces of an observation."""
    return env.unwrapped.encoder.views(vector)


DATA = Path(__file__).parent / "data" / "frozen"
GOLDEN = (Path(__file__).parent / "oddville" / "data", Path(__file__).parent / "agents" / "data")

Fact = dict[str, Any]

PROGRAM = "oddville"
STRIDE = 7  # of the rule that chooses moves; odd, so that it meets all of them
HALF = 2

MINE = """
import numpy as np
from oddville_agents import Agent, GameAgent


def first(observation, mask):
    return int(mask.argmax())


class Lucky(Agent):
    name, version, encoding = "lucky", "7", "ids"

    def reset(self, seat, players, seed):
        self.rng = np.random.default_rng([seat, players, seed])

    def act(self, observation, mask):
        return int(self.rng.choice(np.flatnonzero(mask)))


class Thinker(GameAgent):
    name = "thinker"

    def think(self, game):
        seat, best, most = game.to_move, 0, -1
        for move in game.legal_moves:
            game.push(move)
            worth = 100 * game.scores[seat] + sum(game.position()["row"]) % 100
            game.pop()
            if worth > most:
                best, most = game.action(move), worth
        return best


class Cheats(Agent):
    def act(self, observation, mask):
        return 471
"""


# Doors


class Said(NamedTuple):
    """How a run of the program ended."""

    code: int
    out: str
    err: str


def oddville(*words: object) -> Said:
    """Run the program in this process, with these words behind its name."""
    program = next(iter(entry_points(group="console_scripts", name=PROGRAM))).load()
    out, err, code = io.StringIO(), io.StringIO(), 0
    with (
        mock.patch.object(sys, "argv", [PROGRAM, *map(str, words)]),
        mock.patch.dict(os.environ, {"COLUMNS": "200", "TERMINAL_WIDTH": "200"}),
        redirect_stdout(out),
        redirect_stderr(err),
    ):
        try:
            program()
        except SystemExit as end:
            code = int(end.code or 0)
    return Said(code, out.getvalue(), err.getvalue())


def done(*words: object) -> str:
    """Run the program, which must succeed; what it prints."""
    said = oddville(*words)
    assert said.code == 0, said.err
    return said.out


class Digest:
    """A hash of many values: of arrays their dtype, shape and bytes, of anything else its JSON."""

    def __init__(self) -> None:
        self._hash = sha256()

    def add(self, *values: Any) -> "Digest":
        for value in values:
            if isinstance(value, np.ndarray):
                self._hash.update(f"{value.dtype.str}{value.shape}".encode() + np.ascontiguousarray(value).tobytes())
            else:
                self._hash.update(json.dumps(value).encode())
        return self

    def __str__(self) -> str:
        return self._hash.hexdigest()


def hash_of(*values: Any) -> str:
    return str(Digest().add(*values))


def hash_of_bytes(data: bytes) -> str:
    return sha256(data).hexdigest()


def text_of(fact: Fact) -> str:
    """A fact as its file has it."""
    return json.dumps(fact, indent=1) + "\n"


def chosen(mask: np.ndarray, number: int) -> int:
    """A legal id by a rule without luck, another one every time."""
    legal = np.flatnonzero(mask)
    return int(legal[number * STRIDE % len(legal)])


def here() -> None:
    """Lay agents of one's own, weights and a model into the working folder."""
    Path("mine.py").write_text(MINE)
    shutil.copy(DATA / "mine.json", "mine.json")
    for name in ("model.safetensors", "model.json"):
        shutil.copy(DATA / "training" / name, name)


# Moves


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
        "drawings": hash_of([str(middle), middle.svg(), str(game), game.svg()]),
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
    told["ends"] = [env.terminations, env.truncations, env.infos]
    told["record"] = hash_of(env.game.record())
    return told


def along(games: Mapping[str, Any]) -> Fact:
    told = {}
    for name, settings, line in with_records():
        if name in games:
            words = json.loads(line)["moves"]
            told[name] = in_words(settings, words) | in_numbers(settings, words)
    return told


def games() -> Fact:
    return along(GAMES)


def large_games() -> Fact:
    """A card set with fewer slots on a larger table, for which all kernels are compiled anew."""
    return along(LARGE_GAMES)


def golden() -> Fact:
    """The games and positions that the other tests keep."""
    files = [path for folder in GOLDEN for path in folder.iterdir()]
    return {path.name: hash_of_bytes(path.read_bytes()) for path in sorted(files, key=lambda path: path.name)}


# Environments


def aec() -> Fact:
    """Two games in PettingZoo's wrappers, the second one dealt without a seed; hidden orders; an illegal action."""
    told: Fact = {}
    for players, reward in zip((2, 3, 4), REWARDS, strict=True):
        env, seen = oddville_v0.env(players=players, reward=reward, max_rounds=12), Digest()
        for seed in (players, None):
            env.reset(seed=seed)
            for number, agent in enumerate(env.agent_iter()):
                observation, paid, terminated, truncated, info = env.last()
                seen.add(agent, observation["observation"], observation["action_mask"])
                seen.add(paid, terminated, truncated, info)
                over = terminated or truncated
                env.step(None if over else chosen(observation["action_mask"], number))
        env.reset(seed=players, options={"deck": list(range(64)), "first": 1})
        told[f"{players} players"] = {"seen": str(seen), "given": dealt(env.unwrapped.game.record())[1:]}
        env.step(int(env.last()[0]["action_mask"].argmin()))
        told[f"{players} players"]["illegal"] = [env.rewards, env.terminations]
    return told


ONE_SEAT: dict[str, dict[str, Any]] = {
    "random": {"opponents": "random", "players": 2},
    "greedy, ids": {"opponents": "greedy", "players": 2, "encoding": "ids", "reward": "rank"},
    "mixed": {"opponents": ["greedy:weights=simple", "random"], "players": 3, "seat": 1, "reward": "margin"},
    "four": {"opponents": "random", "players": 4, "table": (5, 3), "max_rounds": 6},
    "search": {"opponents": "search:sims=20", "players": 2, "max_rounds": 8},
    "mine": {"opponents": ["./mine.py:Lucky", "./mine.py:Thinker", "./mine.py:first"], "players": 4, "max_rounds": 8},
}


def one_seat() -> Fact:
    """Two games of the single-seat environment, the second one dealt without a seed; an illegal action."""
    here()
    return {name: _one_seat(settings) for name, settings in ONE_SEAT.items()}


def _one_seat(settings: dict[str, Any]) -> Fact:
    env, seen, ends = gymnasium.make("oddville_env:OddVille-v0", **settings), Digest(), []
    for seed in (11, None):
        observation, info = env.reset(seed=seed)
        paid, over, number = 0.0, False, 0
        while not over:
            seen.add(observation, info["action_mask"], env.unwrapped.action_masks(), paid)
            observation, paid, terminated, truncated, info = env.step(chosen(info["action_mask"], number))
            over, number = terminated or truncated, number + 1
        ends.append([float(paid), terminated, truncated, info["scores"], info["ranks"], info["seat"]])
        seen.add(observation)
    _, info = env.reset(seed=1)
    illegal = env.step(info["action_mask"].argmin())
    return {"seen": str(seen), "ends": ends, "illegal": [float(illegal[1]), *illegal[2:4]]}


ALL_SEATS: dict[str, dict[str, Any]] = {
    "two": {"num_envs": 6, "players": 2},
    "three, ids": {"num_envs": 5, "players": 3, "encoding": "ids", "reward": "rank"},
    "four, cut off": {"num_envs": 4, "players": 4, "reward": "margin", "max_rounds": 5, "table": (5, 3)},
    "one game": {"num_envs": 1, "players": 2, "encoding": "ids"},
}
STEPS = 400


def all_seats() -> Fact:
    """The vector environment for self-play, played by its own sampler."""
    told = {}
    for name, settings in ALL_SEATS.items():
        env, seen = import_module(SELF_PLAY).OddVilleSelfPlayEnv(**settings), Digest()
        observations, info = env.reset(seed=13)
        first, sampler, ended = hash_of(observations[0]), env.sampler(seed=5), 0
        for _ in range(STEPS):
            seen.add(observations, info["action_mask"], info["seat"])
            observations, rewards, terminated, truncated, info = env.step(sampler.sample(env.batch))
            over = terminated | truncated
            seen.add(rewards, terminated, truncated, info["scores"][over], info["ranks"][over])
            ended += int(over.sum())
        told[name] = {"first": first, "seen": str(seen), "ended": ended}
    return told


SEATS: dict[str, dict[str, Any]] = {
    "greedy": {"num_envs": 5, "opponents": "greedy", "players": 2},
    "mixed": {"num_envs": 4, "opponents": ["greedy", "random"], "players": 3, "encoding": "ids", "reward": "margin"},
    "four, seat 2": {"num_envs": 3, "opponents": "random", "players": 4, "seat": 2, "reward": "rank", "max_rounds": 6},
    "mine": {"num_envs": 2, "opponents": "./mine.py:Lucky", "players": 2, "encoding": "ids", "max_rounds": 6},
}
SEAT_STEPS = 250


def _many_seats(settings: dict[str, Any]) -> gymnasium.vector.VectorEnv:
    return gymnasium.make_vec("oddville_env:OddVille-v0", vectorization_mode="vector_entry_point", **settings)


def many_seats() -> Fact:
    """The vector environment with one learning seat in every game."""
    here()
    told = {}
    for name, settings in SEATS.items():
        env, seen, ended = _many_seats(settings), Digest(), 0
        observations, info = env.reset(seed=17)
        for number in range(SEAT_STEPS):
            seen.add(observations, info["action_mask"])
            actions = np.array([chosen(mask, number + row) for row, mask in enumerate(info["action_mask"])])
            observations, rewards, terminated, truncated, info = env.step(actions)
            over = terminated | truncated
            seen.add(rewards, terminated, truncated)
            if over.any():
                final = info["final_info"]
                seen.add(info["final_obs"][over], *(final[each][over] for each in ("scores", "ranks", "seat")))
                ended += int(over.sum())
        told[name] = {"seen": str(seen), "ended": ended}
    return told


def for_baselines() -> Fact:
    """The same as Stable-Baselines3 is given it."""
    env, seen, ended = import_module(SB3).OddVilleVecEnv(_many_seats(SEATS["mixed"]).unwrapped), Digest(), []
    env.seed(19)
    observations = env.reset()
    for number in range(SEAT_STEPS):
        masks = np.stack(env.env_method("action_masks"))
        seen.add(observations, masks)
        observations, rewards, dones, infos = env.step(np.array([chosen(mask, number) for mask in masks]))
        seen.add(rewards, dones)
        for info in infos:
            if info:
                seen.add(info.pop("terminal_observation"))
                ended.append(info)
    return {"seen": str(seen), "ended": ended}


# Agents


SIMULATED: dict[str, tuple[object, ...]] = {
    "random,random": (20,),
    "random,random,random": (10,),
    "random,random,random,random": (10,),
    "greedy,random": (10,),
    "greedy,greedy:weights=simple,random": (6,),
    "greedy,greedy,greedy,greedy:weights=tuned": (3,),
    "search:sims=40,greedy": (2,),
    "search:sims=40,search:sims=40,greedy": (1,),
    "search:sims=40,random,greedy,search:sims=40": (1,),
    "search:sims=40,threads=2,greedy": (1,),
    "search:sims=40,weights=simple,greedy:weights=search": (1,),
    "greedy:weights=mine.json,greedy": (4,),
    "./mine.py:Lucky,./mine.py:Thinker,./mine.py:first": (2,),
    "random,greedy,random": (6, "--table", 5, 3, "--max-rounds", 6, "--cards", "other"),
}
SIMULATED_MODELS: dict[str, tuple[object, ...]] = {
    "./model.safetensors,greedy": (3,),
    "random,./model.safetensors,./model.safetensors:sample=true,greedy": (3,),
}


def simulate(agents: str, games: object, *more: object, seed: int = 3) -> bytes:
    """The records of some games, as a file has them."""
    words = [DATA / "cards" if word == "other" else word for word in more]
    out = Path("simulated.jsonl")
    done("simulate", "--agents", agents, "--games", games, "--seed", seed, "--out", out, *words)
    if "--cards" not in more:
        assert f"{games} of {games} records replay to the same end" in done("verify", out)
    return out.read_bytes()


def _simulated(played: Mapping[str, tuple[object, ...]]) -> Fact:
    here()
    told = {}
    for agents, words in played.items():
        text = simulate(agents, *words)
        scores = ["-".join(map(str, json.loads(line)["scores"])) for line in text.splitlines()]
        told[agents] = {"scores": " ".join(scores), "records": hash_of_bytes(text)}
    return told


def simulated() -> Fact:
    """Games that agents play."""
    return _simulated(SIMULATED)


def model_games() -> Fact:
    """Games that a model of 0.1.0 plays."""
    return _simulated(SIMULATED_MODELS)


def weights() -> Fact:
    """The sets of weights that come with the package."""
    home = Path(oddville_agents.__file__).parent
    return {path.name: hash_of_bytes(path.read_bytes()) for path in sorted(home.rglob("weight_sets/*.json"))}


def suite() -> Fact:
    """The benchmark suite, and fingerprints of games that the ladder's agents play."""
    frozen = import_module(SUITE).SUITE
    told: Fact = {"suite": {**frozen._asdict(), "anchors": [anchor._asdict() for anchor in frozen.anchors]}}
    for spec in ("random", "greedy:weights=simple", "greedy", "search:sims=200"):
        ids = []
        for players in (2, 3):
            record = json.loads(simulate(",".join([spec] * players), 1, seed=0))
            game = Game(players)
            ids += [game.action(word) for word in record["moves"]]
        told[spec] = f"{crc32(np.array(ids, np.int16).tobytes()):08x}"
    return told


def ladder() -> Fact:
    """The built-in agents against each other."""
    done("ladder", "--players", "2,3", "--blocks", 2, "--seed", 6, "--workers", 1, "--out", "ladder")
    return finished(Path("ladder"))


def benchmark() -> Fact:
    """An agent's row in the table of the suite."""
    said = oddville("benchmark", "random", "--workers", 1)
    return {"code": said.code, "row": said.out.splitlines(), "head": said.err.splitlines()[-2:]}


EVALUATED: tuple[tuple[object, ...], ...] = (
    ("greedy", "--against", "random", "greedy:weights=simple", "--games", 20, "--seed", 5),
    ("random", "--against", "greedy", "random", "--games", 12, "--players", 3, "--max-rounds", 20),
    ("search:sims=20", "--against", "greedy", "--games", 4, "--players", 4, "--seed", 2, "--table", 9, 17),
)


def evaluated() -> Fact:
    """The figures of evaluations, as the file has them."""
    told = {}
    for words in EVALUATED:
        done("evaluate", *words, "--json", "figures.json")
        told[" ".join(map(str, words))] = json.loads(Path("figures.json").read_text())
    return told


def analysed() -> Fact:
    """What search thinks of a recorded decision."""
    told = {}
    for index, move in ((0, 33), (1, 20), (2, 41)):
        words = ("--index", index, "--move", move, "--agent", "search:sims=150", "--seed", 4)
        done("analyse", DATA / "games.jsonl", *words, "--json", "thoughts.json", "--out", "thoughts.svg")
        thoughts = json.loads(Path("thoughts.json").read_text())
        best = [thoughts["candidates"][0][name] for name in ("word", "visits")]
        drawn = hash_of_bytes(Path("thoughts.svg").read_bytes())
        del thoughts["seconds"]
        told[f"{index}, {move}"] = {"names": list(thoughts), "best": best, "all": hash_of(thoughts), "drawn": drawn}
    return told


def printed() -> Fact:
    """What other commands print and draw of a record."""
    done("draw", DATA / "games.jsonl", "--index", 2, "--move", 40, "--out", "table.svg")
    counts = done("perft", "--depth", 4, "--players", 3, "--seed", 2)
    return {
        "drawn": hash_of_bytes(Path("table.svg").read_bytes()),
        "replay": hash_of(done("replay", DATA / "games.jsonl", "--index", 1)),
        "positions": hash_of(done("replay", DATA / "games.jsonl", "--index", 1, "--positions")),
        "perft": re.findall(r"depth \d+: [\d,]+ lines", counts),
        "tables": {name: hash_of(done("tables", name)) for name in ("actions", "features", "ids")},
    }


# Tournaments


TOURNAMENTS: dict[str, tuple[object, ...]] = {
    "match": ("greedy", "random", "--sprt", "0,20", "--blocks", 400, "--seed", 9),
    "mine": ("./mine.py:Lucky", "./mine.py:Cheats", "--blocks", 2, "--moves", "--limit-s", 30),
}
MORE_TOURNAMENTS: dict[str, tuple[object, ...]] = {
    "round robin": ("greedy", "random", "search:sims=40", "--players", "2,3", "--blocks", 2, "--seed", 1, "--moves"),
    "all seatings": (
        *("greedy", "random", "random", "--players", 3, "--blocks", 2, "--full", "--moves"),
        *("--table", 7, 7, "--max-rounds", 12),
    ),
    "gauntlet": (
        *("./mine.py:Lucky", "./mine.py:Cheats", "greedy:weights=mine.json", "--players", "2,4", "--blocks", 2),
        *("--challenger", "./mine.py:Lucky", "--moves", "--limit-s", 30),
    ),
}
PASSING = ("machine", "wall_seconds", "package")
TIMES = ("think_ms", "slowest_ms")


def tournaments() -> Fact:
    """What is in the folders of two small tournaments."""
    return _tournaments(TOURNAMENTS)


def more_tournaments() -> Fact:
    """What is in the folders of others, whose reports take their time."""
    return _tournaments(MORE_TOURNAMENTS)


def _tournaments(played: Mapping[str, tuple[object, ...]]) -> Fact:
    here()
    told = {}
    for name, words in played.items():
        said = oddville("tournament", *words, "--workers", 1, "--out", name)
        told[name] = {"code": said.code} | finished(Path(name))
    return told


def finished(folder: Path) -> Fact:
    """A tournament's results, records and manifest; of what differs from run to run only that it is there."""
    import polars as pl

    results, manifest = pl.read_parquet(folder / "results.parquet"), json.loads((folder / "manifest.json").read_text())
    rows = results.drop(TIMES).rows()
    told = {
        "files": sorted(path.name for path in folder.iterdir()),
        "manifest": {name: None if name in PASSING else value for name, value in manifest.items()},
        "schema": {name: str(kind) for name, kind in results.schema.items()},
        "rows": len(rows),
        "first rows": rows[:8],
        "all rows": hash_of(rows),
    }
    if (folder / "games.jsonl.gz").exists():
        told["records"] = hash_of_bytes(gzip.decompress((folder / "games.jsonl.gz").read_bytes()))
    return told


FACTS: dict[str, Callable[[], Fact]] = {
    fact.__name__: fact
    for fact in (
        moves, cards, observations, deals, games, golden, aec, one_seat, all_seats, many_seats, for_baselines,
        simulated, model_games, weights, suite, evaluated, analysed, printed, tournaments,
        large_games, more_tournaments, ladder, benchmark,
    )
}  # fmt: skip
SLOW = ("large_games", "more_tournaments", "ladder", "benchmark")
NEEDS = {
    **dict.fromkeys(("suite", "tournaments", "more_tournaments", "ladder", "benchmark"), "polars"),
    **dict.fromkeys(("for_baselines", "evaluated", "model_games"), "sb3_contrib"),
}


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=[pytest.mark.slow] if name in SLOW else []) for name in FACTS]
)
@pytest.mark.filterwarnings("ignore")
def test_a_fact_is_as_it_was(name: str) -> None:
    if name in NEEDS:
        pytest.importorskip(NEEDS[name])
    frozen, found = (DATA / f"{name}.json").read_text(), text_of(FACTS[name]())
    assert json.loads(found) == json.loads(frozen)
    assert found == frozen


# Records


@pytest.mark.parametrize("name", GAMES)
def test_a_game_is_recorded_as_it_was(name: str) -> None:
    (settings, line), *_ = [(settings, line) for each, settings, line in with_records() if each == name]
    game = Game(**settings, moves=json.loads(line)["moves"])
    again = Game.from_record(line, settings.get("cards"))
    assert json.dumps(game.record()) == json.dumps(again.record()) == line
    assert again.position() == game.position()


def test_an_id_is_told_by_the_word_it_had() -> None:
    words = (DATA / "words" / "17x9.txt").read_text().split()
    env = oddville_v0.raw_env()
    env.reset(seed=0)
    legal = env.observe(env.agent_selection)["action_mask"]
    for action in np.flatnonzero(legal == 0).tolist():
        with pytest.raises(IllegalMoveError, match=re.escape(f"action {action} ({words[action]}) is not legal")):
            env.step(action)


def test_the_program_is_beside_python() -> None:
    program = Path(sys.executable).with_name(PROGRAM)
    command = [program, "simulate", "--agents", "random,random", "--games", "20", "--seed", "3", "--out", "a.jsonl"]
    subprocess.run(command, check=True, capture_output=True)
    frozen = json.loads((DATA / "simulated.json").read_text())
    assert hash_of_bytes(Path("a.jsonl").read_bytes()) == frozen["random,random"]["records"]


def test_commands_take_the_options_they_took() -> None:
    for command, options in json.loads((DATA / "options.json").read_text()).items():
        assert set(options) <= set(options_of(command)), command


def commands() -> list[str]:
    """The names of all commands."""
    shown = oddville("--help").out
    return re.findall(r"^\W*([a-z]+)  ", shown.split("Commands")[-1], re.MULTILINE)


def options_of(command: str) -> list[str]:
    """The long options that the help of a command names."""
    return sorted(set(re.findall(r"--[a-z][a-z-]*", done(*command.split(), "--help"))))


def test_the_addresses_of_the_readme_are_there() -> None:
    """README.md, agents/README.md and training/README.md publish these."""
    for extra in ("sb3_contrib", "polars", "matplotlib"):
        pytest.importorskip(extra)
    addresses = json.loads((DATA / "addresses.json").read_text())
    for module, names in addresses.items():
        assert [name for name in names if not hasattr(import_module(module), name)] == [], module


def test_the_environments_have_their_names() -> None:
    assert "OddVille-v0" in gymnasium.registry
    if hasattr(pettingzoo, "register"):
        assert "oddville_v0" in {name.replace("-", "_") for name in pettingzoo.aec_registry}


# Models and training runs


DIGESTS = ("layout_digest", "observation_digest", "cards_digest")
LAST = Path("checkpoints") / "0000000128"


def weights_of(path: Path) -> dict[str, list[Any]]:
    """Names, shapes and dtypes of the tensors in a file."""
    numpy_files = import_module("safetensors.numpy")
    return {name: [list(each.shape), str(each.dtype)] for name, each in sorted(numpy_files.load_file(path).items())}


@pytest.fixture
def training(tmp_path: Path) -> Path:
    """A copy of a training run of 0.1.0, with a network smaller than the program makes."""
    pytest.importorskip("sb3_contrib")
    return Path(shutil.copytree(DATA / "training", tmp_path / "training"))


def test_a_run_that_has_reached_its_end_is_written_as_it_was_read(training: Path) -> None:
    before = {path: path.read_bytes() for path in training.rglob("*.safetensors")}
    about = json.loads((training / "model.json").read_text())
    done("train", "--folder", training, "--resume", "--steps", 128)
    assert {path: path.read_bytes() for path in training.rglob("*.safetensors")} == before
    again = json.loads((training / "model.json").read_text())
    for told in (about, again):
        told["libraries"] = list(told["libraries"])
    assert json.dumps(again) == json.dumps(about)


def test_a_run_goes_on(training: Path) -> None:
    done("train", "--folder", training, "--resume", "--steps", 192)
    about = json.loads((training / "model.json").read_text())
    assert about["steps"] == 192
    for name in ("model.safetensors", "optimizer.safetensors"):
        assert weights_of(training / "checkpoints" / "0000000192" / name) == weights_of(training / LAST / name)


def trained() -> Fact:
    """The files of a short run: names and shapes of the weights, and what the description says."""
    done("train", "--folder", "fresh", "--envs", 4, "--steps", 256, "--against", "random,greedy", "--players", 3)
    about = json.loads(Path("fresh/model.json").read_text())
    about["libraries"] = list(about["libraries"])
    files = sorted(str(path.relative_to("fresh")) for path in Path("fresh").rglob("*") if path.is_file())
    return {
        "files": [file for file in files if not file.startswith("tensorboard")],
        "about": about,
        "model": weights_of(Path("fresh/model.safetensors")),
        "optimizer": weights_of(Path("fresh/checkpoints/0000000256/optimizer.safetensors")),
    }


def test_a_new_model_has_the_fields_and_weights_that_it_had() -> None:
    pytest.importorskip("sb3_contrib")
    assert text_of(trained()) == (DATA / "trained.json").read_text()


def test_a_model_stores_the_digests_that_0_1_0_computes() -> None:
    about = json.loads((DATA / "training" / "model.json").read_text())
    label = "17x9"
    digests = [moves()[label]["layout"], observations()[f"{label}, features"]["digest"], base_cards().digest]
    assert [about[name] for name in DIGESTS] == digests


# Folders of tournaments


COMMAND = ("greedy", "random", "--players", "2,3", "--blocks", 3, "--seed", 4, "--moves", "--workers", 1)


@pytest.fixture
def cups(tmp_path: Path) -> Path:
    """Copies of two folders that 0.1.0 left with the same command: `finished`, and `stopped` after some blocks."""
    pytest.importorskip("polars")
    pytest.importorskip("matplotlib")
    return Path(shutil.copytree(DATA / "tournaments", tmp_path / "cups"))


def as_of(folder: Path, package: str) -> None:
    """A run is gone on with by the version that began it: say which one that was."""
    path = folder / "manifest.json"
    path.write_text(json.dumps(json.loads(path.read_text()) | {"package": package}, indent=1) + "\n")


def test_a_finished_tournament_is_reported_as_it_was(cups: Path) -> None:
    folder = cups / "finished"
    kept = {name: (folder / name).read_bytes() for name in ("ratings.json", "pairwise.csv")}
    for name in kept:
        (folder / name).unlink()
    done("report", folder)
    rated, before = json.loads((folder / "ratings.json").read_text()), json.loads(kept["ratings.json"])
    # The figures come from a solver: another processor may round the last digits otherwise.
    assert flat(rated) == {name: about(value) for name, value in flat(before).items()}
    assert (folder / "pairwise.csv").read_bytes() == kept["pairwise.csv"]
    assert (folder / "report.html").exists()


def about(value: Any) -> Any:
    return pytest.approx(value, rel=1e-6, abs=1e-9) if isinstance(value, float) else value


def flat(value: Any, name: str = "") -> dict[str, Any]:
    """The leaves of a JSON value by their places."""
    if isinstance(value, dict | list):
        parts = value.items() if isinstance(value, dict) else enumerate(value)
        return {place: leaf for key, part in parts for place, leaf in flat(part, f"{name}/{key}").items()}
    return {name: value}


def test_a_finished_tournament_is_not_played_again(cups: Path) -> None:
    folder = cups / "finished"
    as_of(folder, version("oddville-env"))
    kept = {path: path.read_bytes() for path in folder.iterdir() if path.suffix in (".json", ".parquet", ".gz")}
    done("tournament", *COMMAND, "--out", folder)
    del kept[folder / "ratings.json"]
    assert {path: path.read_bytes() for path in kept} == kept


def test_a_stopped_tournament_goes_on(cups: Path) -> None:
    import polars as pl

    as_of(cups / "stopped", version("oddville-env"))
    done("tournament", *COMMAND, "--out", cups / "stopped")
    told = {name: finished(cups / name) for name in ("finished", "stopped")}
    for each in told.values():
        del each["files"]
    assert told["stopped"] == told["finished"]
    # What the journal held was not played anew: its times are those of then.
    kept = json.loads((DATA / "journal.json").read_text())
    rows = pl.read_parquet(cups / "stopped" / "results.parquet").filter(pl.col("block").is_in(kept["blocks"]))
    assert rows.select("block", *TIMES).rows() == [tuple(row) for row in kept["times"]]


@pytest.mark.parametrize("name", ["finished", "stopped"])
def test_a_tournament_of_another_version_is_refused_in_a_sentence(cups: Path, name: str) -> None:
    as_of(cups / name, "0.0.9")
    said = oddville("tournament", *COMMAND, "--out", cups / name)
    assert said.code == 1
    assert "package is" in said.err
    assert len(said.err.strip().splitlines()) == 1
