"""The names that Gymnasium's and PettingZoo's `make` know the environments by."""

import gymnasium
import pettingzoo

GYMNASIUM_ID = "OddVille-v0"
PETTINGZOO_ID = "oddville_v0"


def register() -> None:
    """Register both, once; PettingZoo has a registry from 1.26 on."""
    if GYMNASIUM_ID not in gymnasium.registry:
        gymnasium.register(
            id=GYMNASIUM_ID,
            entry_point="oddville_env.envs.single:OddVilleEnv",
            vector_entry_point="oddville_env.envs.seat_vector:OddVilleSeatVectorEnv",
        )
    if hasattr(pettingzoo, "register") and PETTINGZOO_ID not in pettingzoo.aec_registry:
        pettingzoo.register("aec", PETTINGZOO_ID, entry_point="oddville_env.oddville_v0:env")
