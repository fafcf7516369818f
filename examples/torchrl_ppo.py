"""TorchRL: its Gymnasium wrapper, collector, advantage and PPO loss, with a masked policy for one learning seat.

    python examples/torchrl_ppo.py --frames 100000

TorchRL reads the action mask from the infos.
"""

import gymnasium
import torch
import typer
from common import Curve, CurveFile, Device, GameName, Opponents, Seed, Steps, seed_torch
from tensordict.nn import TensorDictModule
from torch import Tensor, nn
from torchrl.collectors import Collector
from torchrl.data import Binary
from torchrl.envs import GymWrapper, TransformedEnv
from torchrl.envs.gym_like import default_info_dict_reader
from torchrl.envs.transforms import DTypeCastTransform
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

WIDTH, RATE, EPOCHS, BATCH, FRAMES = 128, 3e-4, 4, 256, 1024  # frames: of a rollout
NAMES = {"oddville": "OddVille", "oldtown": "OldTown"}


def environment(game: str, opponents: str) -> TransformedEnv:
    """The single-seat environment: observations float32 [N], `action_mask` int8 [A]."""
    bare = GymWrapper(
        gymnasium.make(f"oddville_env:{NAMES[game]}-v0", opponents=opponents, players=2),
        categorical_action_encoding=True,
    )
    actions = bare.action_spec.space.n
    bare.set_info_dict_reader(default_info_dict_reader(["action_mask"], spec={"action_mask": Binary(actions)}))
    return TransformedEnv(bare, DTypeCastTransform(torch.uint8, torch.float32, in_keys=["observation"]))


class Masked(nn.Module):
    """A network's logits with the mask beside them, as TorchRL's distribution wants it: bool."""

    def __init__(self, network: nn.Module) -> None:
        super().__init__()
        self.network = network

    def forward(self, observation: Tensor, action_mask: Tensor) -> tuple[Tensor, Tensor]:
        """Observations [..., N] and masks [..., A] -> logits and masks, both [..., A]."""
        return self.network(observation), action_mask.bool()


def networks(played: TransformedEnv) -> tuple[ProbabilisticActor, ValueOperator]:
    """The policy and the critic."""
    numbers, actions = played.observation_spec["observation"].shape[-1], played.action_spec.space.n

    def network(out: int) -> nn.Sequential:
        return nn.Sequential(nn.Linear(numbers, WIDTH), nn.Tanh(), nn.Linear(WIDTH, out))

    actor = ProbabilisticActor(
        TensorDictModule(Masked(network(actions)), ["observation", "action_mask"], ["logits", "mask"]),
        in_keys=["logits", "mask"],
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    return actor, ValueOperator(network(1), in_keys=["observation"])


def main(
    game: GameName = "oddville",
    opponents: Opponents = "random",
    frames: Steps = 50 * FRAMES,
    seed: Seed = 0,
    device: Device = "cpu",
    curve: CurveFile = None,
) -> None:
    """Learn against an agent, and show the mean reward of the games that ended."""
    seed_torch(seed)
    played = environment(game, opponents)
    played.set_seed(seed)
    actor, critic = (network.to(device) for network in networks(played))
    advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
    loss = ClipPPOLoss(actor, critic, clip_epsilon=0.2, entropy_coeff=0.01)
    optimizer, progress, done = torch.optim.Adam(loss.parameters(), lr=RATE), Curve(curve), 0
    devices = {"policy_device": device, "storing_device": device}
    for rollout in Collector(played, actor, frames_per_batch=FRAMES, total_frames=frames, **devices):
        for _ in range(EPOCHS):
            advantage(rollout)
            for some in torch.randperm(len(rollout), device=device).split(BATCH):
                found = loss(rollout[some])
                optimizer.zero_grad()
                sum(found[name] for name in ("loss_objective", "loss_critic", "loss_entropy")).backward()
                nn.utils.clip_grad_norm_(loss.parameters(), 0.5)
                optimizer.step()
        done += len(rollout)
        over = rollout["next", "done"].squeeze(1)
        rewards = rollout["next", "reward"][over]
        progress.add(done, games=len(rewards), mean_reward=float(rewards.mean()))


if __name__ == "__main__":
    typer.run(main)
