"""Self-play PPO in one file: one network plays every seat of many games at once, on the batched engine.

    python examples/selfplay_ppo.py --minutes 10
    python examples/selfplay_ppo.py --game oldtown --minutes 10

Proximal policy optimization (Schulman et al. 2017) with a mask for illegal actions (Huang and Ontanon 2020). All seats
share the network and see the game relative to themselves, so every decision of every seat is learned from. The reward
is the squashed margin in points: it carries more information than the winner alone.

Seats take turns, and a seat may move several times in a row. So each seat of each game has its own trajectory: its next
state is the observation at its own next decision, and its reward comes at the end of the game. Letters of shapes:
B games, T steps of a rollout, P seats, N numbers of an observation, A actions.
"""

import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
import torch
import typer
from common import Curve, CurveFile, Device, GameName, Games, Minutes, Seed, play_against, seed_torch
from gymnasium import spaces
from torch import Tensor, nn
from torch.distributions import Categorical

import oddville_env
from oddville_agents.agent import FunctionAgent

GAMES = 128  # B: played at once
STEPS = 64  # T: of a rollout, in every game
PLAYERS = 2  # P
EPOCHS, BATCH = 2, 1024  # passes over a rollout, and decisions of a gradient step
MARGIN = 10.0  # points; a reward is tanh(points ahead / MARGIN)
RATE = 1.5e-3  # of learning, falling to zero at the end
CLIP = 0.2  # of the probability ratio
ENTROPY = 0.01  # weight of the policy's entropy
LAMBDA = 0.95  # of generalized advantage estimation; rewards are not discounted, as every game ends
ILLEGAL = -1e8  # logit of an illegal action
ANCHORS = {"oddville": ["random", "greedy:weights=simple"], "oldtown": ["random", "greedy"]}  # to measure against


class Policy(nn.Module):
    """A perceptron with two heads: logits of all actions, and the value of the observing seat."""

    def __init__(self, space: spaces.Box, actions: int, width: int = 256) -> None:
        """space: of the observations [N]; whole numbers are divided by their largest value."""
        super().__init__()
        high = torch.from_numpy(space.high.astype(np.float32)).clamp(1)
        self.register_buffer("scale", 1 / high if space.dtype == np.uint8 else torch.ones_like(high))
        self.body = nn.Sequential(nn.Linear(len(high), width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.logits, self.value = nn.Linear(width, actions), nn.Linear(width, 1)

    def forward(self, observations: Tensor, masks: Tensor) -> tuple[Categorical, Tensor]:
        """Observations [..., N], masks bool [..., A] -> a distribution over legal actions, and values [...]."""
        hidden = self.body(observations.float() * self.scale)
        return Categorical(logits=self.logits(hidden).masked_fill(~masks, ILLEGAL)), self.value(hidden).squeeze(-1)

    @torch.no_grad()
    def best(self, observations: np.ndarray, masks: np.ndarray) -> np.ndarray:
        """The likeliest actions, int64 [...]."""
        choice, _ = self(self.tensor(observations), self.tensor(masks))
        actions: np.ndarray = choice.logits.argmax(-1).cpu().numpy()
        return actions

    def tensor(self, array: np.ndarray) -> Tensor:
        """An array on the network's device."""
        return torch.from_numpy(array).to(self.scale.device)


class Rollout(NamedTuple):
    """T steps of B games. `following` [T, B]: the step of the same seat's next decision, or -1; `ended`: there is none
    because the game was over before it, so `rewards` holds what the seat won."""

    observations: Tensor  # [T, B, N]
    masks: Tensor  # bool [T, B, A]
    actions: Tensor  # int64 [T, B]
    log_probs: Tensor  # float32 [T, B]
    values: Tensor  # float32 [T, B]
    rewards: np.ndarray  # float32 [T, B]
    following: np.ndarray  # int64 [T, B]
    ended: np.ndarray  # bool [T, B]


class Collector:
    """Plays all games by the policy, and remembers where each of them stands."""

    def __init__(self, games: "oddville_env.OddVilleSelfPlayEnv", seed: int) -> None:
        self.games = games
        self.observations, self.info = games.reset(seed=seed)

    @torch.no_grad()
    def collect(self, policy: Policy) -> Rollout:
        """The next T steps of every game."""
        rows, steps = np.arange(GAMES), []
        rewards, ended = np.zeros((STEPS, GAMES), np.float32), np.zeros((STEPS, GAMES), bool)
        following, last = np.full((STEPS, GAMES), -1), np.full((GAMES, PLAYERS), -1)
        for step in range(STEPS):
            seats = self.info["seat"]
            before = last[rows, seats]
            following[before[before >= 0], rows[before >= 0]] = step
            last[rows, seats] = step
            seen, masks = policy.tensor(self.observations), policy.tensor(self.info["action_mask"]).bool()
            choice, values = policy(seen, masks)
            actions = choice.sample()
            steps.append((seen, masks, actions, choice.log_prob(actions), values))
            self.observations, won, terminated, truncated, self.info = self.games.step(actions.cpu().numpy())
            for game in np.flatnonzero(terminated | truncated):
                seats_that_moved = np.flatnonzero(last[game] >= 0)
                at = last[game, seats_that_moved]
                rewards[at, game], ended[at, game] = np.tanh(won[game, seats_that_moved] / MARGIN), True
                last[game] = -1
        return Rollout(*(torch.stack(each) for each in zip(*steps, strict=True)), rewards, following, ended)


def advantages(rollout: Rollout) -> np.ndarray:
    """Generalized advantage estimation (Schulman et al. 2016) along each seat's own decisions: float32 [T, B]."""
    rows, values = np.arange(GAMES), rollout.values.cpu().numpy()
    found = np.zeros((STEPS, GAMES), np.float32)
    for step in reversed(range(STEPS)):
        after = rollout.following[step]
        goes_on = after >= 0
        next_value = np.where(goes_on, values[after, rows], 0)
        error = rollout.rewards[step] + next_value - values[step]
        found[step] = error + LAMBDA * np.where(goes_on, found[after, rows], 0)
    return found


def improve(policy: Policy, optimizer: torch.optim.Optimizer, rollout: Rollout) -> dict[str, float]:
    """PPO's update; returns losses of the last gradient step. A seat's last decision in an unfinished game is left out:
    its return is not known yet.
    """
    known = policy.tensor(np.flatnonzero((rollout.ended | (rollout.following >= 0)).ravel()))
    advantage = policy.tensor(advantages(rollout)).flatten()
    target = advantage + rollout.values.flatten()
    seen, masks, actions, old = (tensor.flatten(0, 1) for tensor in rollout[:4])
    for _ in range(EPOCHS):
        for some in known[torch.randperm(len(known), device=known.device)].split(BATCH):
            choice, values = policy(seen[some], masks[some])
            gain = advantage[some]
            gain = (gain - gain.mean()) / (gain.std() + 1e-8)
            ratio = (choice.log_prob(actions[some]) - old[some]).exp()
            of_policy = -torch.minimum(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
            of_value = 0.5 * (values - target[some]).square().mean()
            entropy = choice.entropy().mean()
            loss = of_policy + of_value - ENTROPY * entropy
            optimizer.zero_grad()
            loss.backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()
    return {"policy_loss": of_policy.item(), "value_loss": of_value.item(), "entropy": entropy.item()}


def make_games(game: str, encoding: str) -> "oddville_env.OddVilleSelfPlayEnv":
    """Games of OddVille or Old Town, by name, in which all seats learn."""
    made = {"oddville": oddville_env.OddVilleSelfPlayEnv, "oldtown": oddville_env.OldTownSelfPlayEnv}[game]
    return made(GAMES, players=PLAYERS, encoding=encoding, reward="margin", copy=True)


def make_policy(games: "oddville_env.OddVilleSelfPlayEnv") -> Policy:
    """A fresh one for these games."""
    return Policy(games.single_observation_space, int(games.single_action_space.n))


def learn(
    policy: Policy,
    games: "oddville_env.OddVilleSelfPlayEnv",
    seconds: float,
    seed: int,
    watch: Callable[[int, dict[str, float]], None] = lambda decisions, losses: None,
) -> None:
    """Play and learn for so many seconds of CPU. watch: called after each update with decisions so far and losses."""
    optimizer = torch.optim.Adam(policy.parameters(), lr=RATE)
    collector, begun, decisions = Collector(games, seed), time.process_time(), 0
    while (spent := time.process_time() - begun) < seconds:
        optimizer.param_groups[0]["lr"] = RATE * (1 - spent / seconds)
        losses = improve(policy, optimizer, collector.collect(policy))
        decisions += GAMES * STEPS
        watch(decisions, losses)


def agent_of(policy: Policy, encoding: str) -> FunctionAgent:
    """The policy as an agent for `evaluate` and tournaments."""

    def ppo(observation: np.ndarray, mask: np.ndarray) -> int:
        return int(policy.best(observation, mask))

    agent = FunctionAgent(ppo)
    agent.encoding = encoding
    return agent


def main(
    game: GameName = "oddville",
    minutes: Minutes = 10,
    games: Games = 400,
    encoding: Annotated[str, typer.Option(help="Encoding of the observations.")] = "summary",
    seed: Seed = 0,
    device: Device = "cpu",
    curve: CurveFile = None,
    out: Annotated[Path | None, typer.Option(help="File for the weights, which torch_evaluator.py reads.")] = None,
) -> None:
    """Learn by self-play, then play against `random` and a heuristic."""
    seed_torch(seed)
    batch = make_games(game, encoding)
    policy, progress = make_policy(batch).to(device), Curve(curve)

    def watch(decisions: int, losses: dict[str, float]) -> None:
        if decisions % (10 * GAMES * STEPS) == 0:
            progress.add(decisions, **losses)

    learn(policy, batch, 60 * minutes, seed, watch)
    policy.to("cpu")
    if out is not None:
        torch.save(policy.state_dict(), out)
    play_against(ANCHORS[game], agent_of(policy, encoding), games, seed, game)


if __name__ == "__main__":
    typer.run(main)
