"""A killed command loses nothing: given again, it ends as if nothing had happened. One process works in a folder."""

from pathlib import Path

import pytest

from oddville_env.core.disk.locks import alone_in
from oddville_env.core.errors import GameError
from support import forked

pytest.importorskip("sb3_contrib", reason="training needs the extra train")
pytest.importorskip("polars", reason="tournaments need the extra tournament")

KILLS = Path(__file__).parents[1] / "support" / "training" / "kills.py"
LEAST = {"tournament": 25, "ppo": 20, "imitate": 20}  # operations on files


@pytest.mark.parametrize("command", ["tournament", pytest.param("ppo", marks=pytest.mark.slow), "imitate"])
@pytest.mark.parametrize("where", [(), pytest.param(("all",), marks=pytest.mark.slow)], ids=["some", "all"])
def test_kill_before_an_operation_on_files_loses_nothing(command: str, where: tuple[str, ...], tmp_path: Path) -> None:
    done = forked.run(KILLS, command, tmp_path, *where, folder=tmp_path)
    assert done.returncode == 0, done.stderr[-5000:]
    assert int(done.stdout.split()[-1]) >= LEAST[command]


def shared(command: str, folder: Path) -> None:
    """Begin a command in a folder, in this process."""
    from oddville_env.oddville.game_type import ODDVILLE
    from oddville_env.oldtown.game_type import OLDTOWN
    from oddville_training.learning.imitation import data_set
    from oddville_training.learning.train import train
    from oddville_training.oddville.selfplay.stages import run as selfplay
    from oddville_training.oldtown.selfplay.stages import run as oldtown
    from oddville_training.work.pools import here
    from support.training.small_runs import TINY

    {
        "ppo": lambda: train(TINY, folder, progress=False),
        "selfplay": lambda: selfplay(ODDVILLE, folder, {"workers": 1}, False, None),
        "oldtown": lambda: oldtown(OLDTOWN, folder, {"workers": 1}, False, None),
        "imitate": lambda: data_set.make(folder, data_set.DataSetSpec("random", games=2), here, progress=False),
    }[command]()


@pytest.mark.parametrize("command", ["ppo", "selfplay", "oldtown", "imitate"])
def test_two_runs_in_one_folder_do_not_mix(command: str, tmp_path: Path) -> None:
    with (
        alone_in(tmp_path / "run", GameError),
        pytest.raises(GameError, match=r"another process is at work in .*run: wait for it, or end it"),
    ):
        shared(command, tmp_path / "run")
    assert not (tmp_path / "run").exists()
