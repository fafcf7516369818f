"""What several tests of training share: the smallest runs, and ways to change its files."""

import json
from dataclasses import replace
from pathlib import Path

from oddville_agents.oddville.policy import Sizes
from oddville_agents.oldtown.policy_model import Sizes as OldTownSizes
from oddville_env.oldtown.game_type import OLDTOWN
from oddville_training.learning.config import TrainConfig

TINY = TrainConfig(
    opponents=("random",), taught=0, envs=4, rollout=16, batch=32, epochs=1, steps=128, checkpoint=64,
    network=Sizes(4, 4, 8),
)  # fmt: skip
OLDTOWN_TINY = replace(TINY, game=OLDTOWN, settings=None, teacher=None, architecture=None, network=OldTownSizes(4, 8))
LAST = Path("checkpoints") / "0000000128"


def said(model: Path) -> dict[str, object]:
    """What stands in the JSON beside a model."""
    return json.loads(model.with_suffix(".json").read_text())


def rewrite(model: Path, **changes: object) -> None:
    """Change what the JSON beside a model says."""
    model.with_suffix(".json").write_text(json.dumps(said(model) | changes))


def rewrite_config(model: Path, **changes: object) -> None:
    """Change the settings that the JSON beside a model says."""
    rewrite(model, config={**said(model)["config"], **changes})
