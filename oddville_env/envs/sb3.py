"""The vector environment as a Stable-Baselines3 VecEnv; needs the extra `train`."""

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np

from oddville_env.core.system.extras import how_to_install
from oddville_env.envs.seat_vector import SeatVectorEnv

try:
    from stable_baselines3.common.vec_env import VecEnv
    from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn
except ImportError as error:
    told = f"{__name__} needs the extra train: {how_to_install('train')} ({error})"
    raise ImportError(told, name=error.name) from None


class SeatVecEnv(VecEnv):
    """A `SeatVectorEnv` as a VecEnv: MaskablePPO finds the masks through `env_method("action_masks")`.

    With a potential every info holds running_scores int16 [P].

    At the end of a game its info holds terminal_observation, scores, ranks, seat and truncated. There is no
    TimeLimit.truncated: a truncated game is paid by its scores, so its value must not be bootstrapped.
    """

    def __init__(self, envs: SeatVectorEnv) -> None:
        self.envs = envs
        super().__init__(envs.num_envs, envs.single_observation_space, envs.single_action_space)
        self._actions = np.zeros(envs.num_envs, np.int64)
        self._seed: int | None = None

    def reset(self) -> np.ndarray:
        """Deal all games: observations [B, N]."""
        observations, _ = self.envs.reset(seed=self._seed)
        self._seed = None
        return observations

    def step_async(self, actions: np.ndarray) -> None:
        """Take the actions, int [B]."""
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Play them: observations [B, N], rewards float32 [B], dones bool [B], an info for each game."""
        observations, rewards, terminated, truncated, info = self.envs.step(self._actions)
        running = info.get("running_scores", ())
        infos: list[dict[str, Any]] = [{"running_scores": scores} for scores in running]
        infos, dones = infos or [{} for _ in range(self.num_envs)], terminated | truncated
        for table in np.flatnonzero(dones).tolist():
            final = info["final_info"]
            infos[table] |= {
                "terminal_observation": info["final_obs"][table],
                "truncated": bool(truncated[table]),
                "scores": final["scores"][table].tolist(),
                "ranks": final["ranks"][table].tolist(),
                "seat": int(final["seat"][table]),
            }
        return observations, rewards.astype(np.float32), dones, infos

    def states(self) -> np.ndarray:
        """The global states [B, M], as `SeatVectorEnv.states` has them: for centralised critics only."""
        return self.envs.states()

    def seed(self, seed: int | None = None) -> Sequence[int | None]:
        """The seed of the next reset."""
        self._seed = seed
        return [seed] * self.num_envs

    def close(self) -> None:
        """End the threads."""
        self.envs.close()

    def env_method(self, method_name: str, *args: Any, indices: VecEnvIndices = None, **kwargs: Any) -> list[Any]:
        """`action_masks` by game; another method of the vector environment, called once for each game."""
        if method_name == "action_masks":
            masks = self.envs.action_masks()
            return [masks[table] for table in self._get_indices(indices)]
        return [getattr(self.envs, method_name)(*args, **kwargs) for _ in self._get_indices(indices)]

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """The vector environment's attribute, once for each game."""
        return [getattr(self.envs, attr_name)] * len(list(self._get_indices(indices)))

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Set an attribute of the vector environment, for all games."""
        setattr(self.envs, attr_name, value)

    def env_is_wrapped(self, wrapper_class: type[gymnasium.Wrapper], indices: VecEnvIndices = None) -> list[bool]:
        """No game has a wrapper of its own."""
        return [False for _ in self._get_indices(indices)]
