"""PPO in one file after CleanRL, on Gymnasium's vector environment: one seat learns against a named agent.

    python examples/cleanrl_ppo.py --steps 500000 --opponents greedy:weights=simple

Action masks come in the infos. At the end of a game the vector environment starts the next one in the same step. All
seats learn in `selfplay_ppo.py`. Letters of shapes: B games, T steps, N numbers of an observation, A actions.
"""

import gymnasium
import numpy as np
import torch
import typer
from common import Curve, CurveFile, Device, GameName, Opponents, Seed, Steps, seed_torch
from torch import Tensor, nn
from torch.distributions import Categorical

GAMES, STEPS = 16, 64  # B, and T of a rollout
EPOCHS, PARTS = 4, 4  # passes over a rollout, and gradient steps of a pass
RATE, CLIP, ENTROPY, LAMBDA = 5e-4, 0.2, 0.01, 0.95
ILLEGAL = -1e8  # logit of an illegal action
NAMES = {"oddville": "OddVille", "oldtown": "OldTown"}


class Policy(nn.Module):
    """Observations uint8 [B, N] and masks bool [B, A] -> a distribution over legal actions, and values [B]."""

    def __init__(self, high: np.ndarray, actions: int, width: int = 128) -> None:
        """high: the largest value of each number of an observation [N]."""
        super().__init__()
        self.register_buffer("scale", 1 / torch.from_numpy(high.astype(np.float32)).clamp(1, 16))
        self.body = nn.Sequential(nn.Linear(len(high), width), nn.Tanh(), nn.Linear(width, width), nn.Tanh())
        self.logits, self.value = nn.Linear(width, actions), nn.Linear(width, 1)

    def forward(self, observations: Tensor, masks: Tensor) -> tuple[Categorical, Tensor]:
        """The policy's answer and its guess of the return."""
        hidden = self.body(observations.float() * self.scale)
        return Categorical(logits=self.logits(hidden).masked_fill(~masks, ILLEGAL)), self.value(hidden).squeeze(1)


class Player:
    """Plays the games by the policy; `wins` holds for each finished game whether its seat won."""

    def __init__(self, environments: gymnasium.vector.VectorEnv, seed: int, device: str) -> None:
        self.environments, self.device, self.wins = environments, device, []
        observations, info = environments.reset(seed=seed)
        self._remember(observations, info)

    def _remember(self, observations: np.ndarray, info: dict) -> None:
        self.seen = torch.from_numpy(observations).to(self.device)
        self.masks = torch.from_numpy(info["action_mask"]).to(self.device).bool()

    @torch.no_grad()
    def rollout(self, policy: Policy) -> tuple[list[Tensor], Tensor]:
        """T steps: observations, masks, actions, log probabilities, values, rewards, ends, each [T, B, ...]; and the
        values [B] of where the games then stand."""
        steps = []
        for _ in range(STEPS):
            seen, masks = self.seen, self.masks
            choice, values = policy(seen, masks)
            actions = choice.sample()
            observations, rewards, terminated, truncated, info = self.environments.step(actions.cpu().numpy())
            ends = terminated | truncated
            if ends.any():
                final, over = info["final_info"], np.flatnonzero(ends)
                self.wins += (final["ranks"][over, final["seat"][over]] == 1).tolist()
            paid, over = torch.from_numpy(rewards.astype(np.float32)), torch.from_numpy(ends)
            steps.append(
                (seen, masks, actions, choice.log_prob(actions), values, paid.to(self.device), over.to(self.device))
            )
            self._remember(observations, info)
        return [torch.stack(each) for each in zip(*steps, strict=True)], policy(self.seen, self.masks)[1]


def advantages(values: Tensor, rewards: Tensor, ends: Tensor, last: Tensor) -> Tensor:
    """Generalized advantage estimation without discount: values, rewards, ends [T, B], last [B] -> [T, B]."""
    found, following, later = torch.zeros_like(values), last, torch.zeros_like(last)
    for step in reversed(range(len(values))):
        goes_on = (~ends[step]).float()
        later = rewards[step] + goes_on * following - values[step] + LAMBDA * goes_on * later
        found[step], following = later, values[step]
    return found


def learn(policy: Policy, optimizer: torch.optim.Optimizer, rollout: list[Tensor], last: Tensor) -> None:
    """PPO's update."""
    values, rewards, ends = rollout[4:]
    gains = advantages(values, rewards, ends, last).flatten()
    targets = gains + values.flatten()
    seen, masks, actions, old = (each.flatten(0, 1) for each in rollout[:4])
    for _ in range(EPOCHS):
        for some in torch.randperm(len(gains)).chunk(PARTS):
            choice, found = policy(seen[some], masks[some])
            gain = (gains[some] - gains[some].mean()) / (gains[some].std() + 1e-8)
            ratio = (choice.log_prob(actions[some]) - old[some]).exp()
            of_policy = -torch.minimum(ratio * gain, ratio.clamp(1 - CLIP, 1 + CLIP) * gain).mean()
            of_value = 0.5 * (found - targets[some]).square().mean()
            optimizer.zero_grad()
            (of_policy + of_value - ENTROPY * choice.entropy().mean()).backward()
            nn.utils.clip_grad_norm_(policy.parameters(), 0.5)
            optimizer.step()


def main(
    game: GameName = "oddville",
    opponents: Opponents = "random",
    curve: CurveFile = None,
    steps: Steps = 200_000,
    seed: Seed = 0,
    device: Device = "cpu",
) -> None:
    """Learn against an agent, and show how many of the last 100 games were won."""
    seed_torch(seed)
    environments = gymnasium.make_vec(
        f"oddville_env:{NAMES[game]}-v0",
        num_envs=GAMES,
        vectorization_mode="vector_entry_point",
        opponents=opponents,
        players=2,
    )
    policy = Policy(environments.single_observation_space.high, int(environments.single_action_space.n)).to(device)
    optimizer = torch.optim.Adam(policy.parameters(), lr=RATE)
    player, progress = Player(environments, seed, device), Curve(curve)
    for done in range(GAMES * STEPS, max(steps, GAMES * STEPS) + 1, GAMES * STEPS):
        learn(policy, optimizer, *player.rollout(policy))
        progress.add(done, wins_in_last_100_games=float(np.mean(player.wins[-100:])) if player.wins else float("nan"))


if __name__ == "__main__":
    typer.run(main)
