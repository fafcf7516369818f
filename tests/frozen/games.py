"""Facts about moves, cards, deals, observations, whole games and environments."""

import json
from importlib import import_module
from typing import Any

import gymnasium
import numpy as np

import oddville_env
from frozen.ask import ENCODINGS, ENVIRONMENTS, GAMES, RECORDS, STRIDE, Digest, Fact, chosen, digest
from oddville_env import OldTownSoloEnv, oddville_mini_v0
from oddville_env.oldtown.solo.generator import LEVELS, generate

PLAYERS = (2, 3, 4)
SEEDS = (*range(50), 2**31, 2**32, 2**63 + 1, 2**64 + 5)
DEALT = {"oddville": ("deck", "piles", "first"), "oldtown": ("first", "hands", "own", "common")}
SETTINGS: dict[str, list[dict[str, Any]]] = {
    "oddville": [{"players": 2}, {"players": 4, "table": (5, 3), "max_rounds": 6}, {"players": 3, "table": (9, 17)}],
    "oldtown": [{"players": 2}, {"players": 3, "lone_confirm": True}, {"players": 4}],
}
REWARDS = ("outcome", "rank", "margin")
GAME_SEEDS = (1, 7, 2**64 + 5)


def labelled(name: str) -> Any:
    """The settings of a game's facts, by a readable name."""
    for settings in SETTINGS[name]:
        yield " ".join(f"{key}={value}" for key, value in settings.items()), settings


def moves(name: str) -> Fact:
    """Number and words of the moves, and the digest that models store."""
    found = {}
    for label, settings in labelled(name):
        game = GAMES[name](seed=0, **settings)
        words = [game.view().word(action) for action in range(len(game.mask))]
        assert [game.action(word) for word in words] == list(range(len(words)))
        found[label] = [len(words), digest(words), game.box.layout.digest]
    return found


def cards(name: str) -> Fact:
    return {"oddville": oddville_env.base_cards, "oldtown": oddville_env.base_deck}[name]().digest


def deals(name: str) -> Fact:
    """What seeds deal, and the deals that follow one where no seed is given."""
    found: Fact = {}
    for players in PLAYERS:
        env, seeds, after = ENVIRONMENTS[name].raw_env(players=players), Digest(), Digest()
        for seed in SEEDS:
            seeds.add(dealt(name, GAMES[name](players, seed).record()))
        env.reset(seed=7)
        for _ in range(10):
            env.reset()
            after.add(dealt(name, env.game.record()))
        found[f"{players} players"] = {"seeds": str(seeds), "after": str(after)}
    return found


def dealt(name: str, record: dict[str, Any]) -> list[Any]:
    return [record[each] for each in DEALT[name]]


def puzzles() -> Fact:
    """The first puzzles of seeds, and an episode of the environment."""
    found: Fact = {level: digest([next(generate(level, seed)).plain() for seed in (0, 1)]) for level in LEVELS}
    env, seen = OldTownSoloEnv(level="easy"), Digest()
    observation, info = env.reset(seed=3)
    over = False
    while not over:
        seen.add(observation, info["action_mask"])
        observation, reward, terminated, truncated, info = env.step(chosen(info["action_mask"], 1))
        over = terminated or truncated
        seen.add(float(reward))
    return found | {"episode": str(seen)}


def observations(name: str) -> Fact:
    """Pieces of the encodings with their sizes, and their bounds."""
    found: Fact = {}
    for label, settings in labelled(name):
        for encoding in ENCODINGS[name]:
            env = ENVIRONMENTS[name].raw_env(encoding=encoding, **settings)
            space = env.observation_space("player_0")
            seen = space["observation"]
            pieces = env.unwrapped.encoder.views(seen.high)
            shapes = [[piece, list(values.shape)] for piece, values in pieces.items()]
            bounds = digest(seen.low, seen.high, space["action_mask"].high)
            found[f"{label} {encoding}"] = [len(shapes), int(seen.shape[0]), digest(shapes), bounds]
    return found


def played(name: str) -> Any:
    """Games that a rule without chance chooses the moves of: label, the game at its end, its words."""
    for (label, settings), seed in zip(labelled(name), GAME_SEEDS, strict=True):
        game = GAMES[name](seed=seed, **settings)
        while not game.is_over:
            game.push(chosen(game.mask, len(game.moves)))
        yield label, game, [move.word for move in game.moves]


def games(name: str) -> Fact:
    """What whole games tell along the way: legal words, positions and observations of every seat, and their ends."""
    found: Fact = {}
    for (label, game, words), (_, settings), seed in zip(played(name), labelled(name), GAME_SEEDS, strict=True):
        again, legal, positions, seen, rows = GAMES[name](seed=seed, **settings), *(Digest() for _ in range(4))
        for number, word in enumerate(words):
            legal.add(again.legal_moves.words())
            if number % STRIDE == 0:
                for seat in (None, *range(again.players)):
                    positions.add(again.position(seat))
            for each in ENCODINGS[name]:
                for seat in (again.to_move, (again.to_move + 1) % again.players):
                    seen.add(*again.observe(seat, each).values())
            rows.add(*again.observe(again.to_move, "entities").values())
            again.push(word)
        found[label] = {
            "words": digest(words),
            "legal": str(legal),
            "positions": str(positions),
            "observations": str(seen),
            "entities": str(rows),
            "scores": list(game.scores),
            "ranks": list(game.outcome.ranks),
            "sheet": digest(again.score_sheet()),
            "record": digest(game.record()),
        }
    return found


def names() -> Fact:
    return {package: sorted(import_module(package).__all__) for package in ("oddville_env", "oddville_agents")}


def pictures(name: str) -> Fact:
    return {label: [digest(game.svg()), digest(str(game))] for label, game, _ in played(name)}


def unseen(name: str) -> Fact:
    """What is dealt anew in the middle of a game for a seat that cannot know it."""
    _, game, words = next(played(name))
    game.take_back(len(words) // 2)
    return digest([game.sample_unseen(0, np.random.default_rng(seed)).record() for seed in range(3)])


def mini() -> Fact:
    """OddVille Mini: its cards, its moves, and a game of PettingZoo's environment."""
    env, seen, number = oddville_mini_v0.env(), Digest(), 0
    env.reset(seed=7)
    for _ in env.agent_iter():
        observation, reward, terminated, truncated, _ = env.last()
        seen.add(*observation.values(), float(reward), terminated, truncated)
        over, number = terminated or truncated, number + 1
        env.step(None if over else chosen(observation["action_mask"], number))
    game = env.unwrapped.game
    played = {"episode": str(seen), "scores": list(game.scores), "record": digest(game.record())}
    return {"cards": game.box.cards.digest, "layout": game.box.layout.digest, **played}


def stored_records() -> Fact:
    """Records of a file are read, replayed and written again as they are."""
    lines = RECORDS.read_text().splitlines()
    for line in lines:
        name = "oldtown" if "oldtown" in json.loads(line)["format"] else "oddville"
        assert json.dumps(GAMES[name].from_record(line).record()) == line
    return [digest(line) for line in lines]


def aec(name: str) -> Fact:
    """Two games of PettingZoo's environment, the second one without a seed, and an illegal action."""
    found: Fact = {}
    for (label, settings), reward in zip(labelled(name), REWARDS, strict=True):
        env, seen = ENVIRONMENTS[name].env(reward=reward, **settings), Digest()
        for seed in (5, None):
            env.reset(seed=seed)
            for number, agent in enumerate(env.agent_iter()):
                observation, reward_now, terminated, truncated, info = env.last()
                seen.add(agent, observation["observation"], observation["action_mask"])
                seen.add(float(reward_now), terminated, truncated)
                seen.add({key: info[key] for key in sorted(info) if key != "action_mask"})
                env.step(None if terminated or truncated else chosen(observation["action_mask"], number))
        env.reset(seed=1)
        env.step(int(env.last()[0]["action_mask"].argmin()))
        found[label] = [str(seen), digest(env.rewards, env.terminations)]
    return found


TITLES = {"oddville": "OddVille", "oldtown": "OldTown"}
STEPS = 150


def single(name: str) -> Fact:
    """Two games of Gymnasium's environment, the second one without a seed."""
    found: Fact = {}
    for (label, settings), reward in zip(labelled(name), REWARDS, strict=True):
        opponents = ("greedy", "random", "random")[: settings["players"] - 1]
        env = gymnasium.make(f"oddville_env:{TITLES[name]}-v0", opponents=opponents, reward=reward, **settings)
        seen, number = Digest(), 0
        for seed in (11, None):
            observation, info = env.reset(seed=seed)
            over = False
            while not over:
                seen.add(observation, info["action_mask"])
                observation, paid, terminated, truncated, info = env.step(chosen(info["action_mask"], number))
                over, number = terminated or truncated, number + 1
                seen.add(float(paid), terminated, truncated)
            seen.add(list(map(int, info["scores"])), list(map(int, info["ranks"])))
        found[label] = str(seen)
    return found


def vector(name: str) -> Fact:
    """The vector environments: all seats by the sampler, one seat against agents, and that for Stable-Baselines3."""
    env, seen = getattr(oddville_env, f"{TITLES[name]}SelfPlayEnv")(num_envs=5, players=3), Digest()
    observations, info = env.reset(seed=13)
    sampler = env.sampler(seed=5)
    for _ in range(STEPS):
        seen.add(observations, info["action_mask"], info["seat"])
        observations, rewards, terminated, truncated, info = env.step(sampler.sample(env.batch))
        seen.add(rewards, terminated, truncated)
    return {"self-play": str(seen), "one seat": _one_seat(name), "SB3": _for_sb3(name)}


def _seats(name: str) -> Any:
    return getattr(oddville_env, f"{TITLES[name]}SeatVectorEnv")(
        num_envs=4, opponents=["greedy", "random"], players=3, reward="margin"
    )


def _one_seat(name: str) -> str:
    env, seen = _seats(name), Digest()
    observations, info = env.reset(seed=17)
    for number in range(STEPS):
        seen.add(observations, info["action_mask"])
        actions = np.array([chosen(mask, number + row) for row, mask in enumerate(info["action_mask"])])
        observations, rewards, terminated, truncated, info = env.step(actions)
        seen.add(rewards, terminated, truncated)
    return str(seen)


def _for_sb3(name: str) -> str:
    env, seen = getattr(oddville_env, f"{TITLES[name]}VecEnv")(_seats(name)), Digest()
    env.seed(19)
    observations = env.reset()
    for number in range(STEPS):
        masks = np.stack(env.env_method("action_masks"))
        seen.add(observations, masks)
        observations, rewards, dones, infos = env.step(np.array([chosen(mask, number) for mask in masks]))
        seen.add(rewards, dones, [info.pop("terminal_observation") for info in infos if info])
    return str(seen)
