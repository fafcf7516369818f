"""The command `imitate`: from options to a data set and a policy."""

from pathlib import Path

from oddville_env.core.checked.settings import whole_number
from oddville_env.core.disk.locks import alone_in
from oddville_env.core.errors import SettingError
from oddville_env.core.game.game_type import game_type
from oddville_training.learning.imitation import fit as fitting
from oddville_training.learning.imitation.data_set import MOST_GAMES, DataSetError, DataSetSpec, jobs
from oddville_training.program import meter
from oddville_training.work.jobs import Workers

MODEL = "model.safetensors"


def check_asked(asked: DataSetSpec) -> None:
    """Raises SettingError where a data set cannot be like this."""
    players = game_type(asked.game).players
    whole_number("players", asked.players, players[0], players[-1])
    whole_number("games", asked.games, 1, MOST_GAMES)
    if not 0 <= asked.stray <= 1:
        raise SettingError(f"stray must be a number from 0 to 1, not {asked.stray}")


def make(folder: Path, asked: DataSetSpec, workers: Workers, progress: bool = True) -> None:
    """Write the files that are not there; Ctrl-C keeps those that are."""
    check_asked(asked)
    with alone_in(folder, DataSetError), meter("files", progress) as shown:
        left = jobs(folder, asked)
        task = shown.add_task("playing", total=len(asked.shards()), completed=len(asked.shards()) - len(left))
        for _ in workers(left):
            shown.advance(task)


def fit(folder: Path, how: fitting.Imitate, progress: bool = True) -> Path:
    """Fit a policy to a data set and write it beside the games; its path."""
    with alone_in(folder, DataSetError), meter("files", progress) as shown:
        task = shown.add_task("fitting", total=None)
        for step in fitting.fit(folder, how):
            description = f"fitting, plays as the agent {step.agreement:.1%}"
            shown.update(task, description=description, total=1.0, completed=step.done)
        fitting.write(folder, step.network, folder / MODEL)
    return folder / MODEL
