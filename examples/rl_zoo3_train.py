"""RL Baselines3 Zoo: its training program with MaskablePPO and this project's environments.

    python examples/rl_zoo3_train.py --algo ppo_mask --env OddVille-v0 --conf-file examples/rl_zoo3.yml

`--help` lists the options of the Zoo (`--seed`, `--device`, `-f` for logs); `examples/rl_zoo3.yml` holds the settings
of both games.
"""

import rl_zoo3
import rl_zoo3.train
from sb3_contrib import MaskablePPO

import oddville_env  # noqa: F401  (registers OddVille-v0 and OldTown-v0)

rl_zoo3.ALGOS["ppo_mask"] = MaskablePPO  # the Zoo does not list it

if __name__ == "__main__":
    rl_zoo3.train.train()
