"""`oddville dataset`: recorded games as data sets, read back by other libraries."""

import json
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from oddville_env import Game, RecordError, SettingError
from oddville_env.core.disk.files import unfinished_name
from oddville_env.core.game.game_type import GameType
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oldtown.game_type import OLDTOWN
from oddville_training import dataset
from oddville_training.dataset import Decisions, write
from support.games import every_type
from support.helpers import random_game


def records(game_type: GameType, players: int = 3, games: int = 3) -> list[str]:
    return [json.dumps(random_game(players, seed, make=game_type.game).record()) for seed in range(games)]


def made(out: Path, lines: list[str], game_type: GameType, **how: Any) -> Path:
    write(Path("games.jsonl"), enumerate(lines, 1), out, game_type, game_type.encodings[0], **how)
    return out


@every_type
def test_a_row_holds_what_the_seat_saw_did_and_won(game_type: GameType, tmp_path: Path) -> None:
    lines = records(game_type)
    rows = dict(np.load(made(tmp_path / "x.npz", lines, game_type)))  # else each look at one unpacks it again
    at = 0
    for number, line in enumerate(lines):
        whole, game = game_type.game.from_record(line), game_type.game(3, seed=number)
        left = {seat: sum(rows["seat"][rows["game"] == number] == seat) for seat in range(3)}
        for step, move in enumerate(whole.moves):
            seen = np.concatenate([piece.ravel() for piece in game.observe(game.to_move).values()])
            assert (rows["game"][at], rows["step"][at], rows["seat"][at]) == (number, step, game.to_move)
            assert (rows["observation"][at] == seen).all()
            assert (rows["action_mask"][at] == game.mask).all()
            assert rows["action"][at] == game.action(move)
            left[game.to_move] -= 1
            assert rows["last"][at] == (left[game.to_move] == 0)
            won = (whole.outcome.win_share(game.to_move) * 3 - 1) / 2 if rows["last"][at] else 0
            assert rows["reward"][at] == pytest.approx(won)
            game.push(move)
            at += 1
    assert at == len(rows["action"])


@every_type
@pytest.mark.parametrize("library", ["polars", "datasets"])
def test_parquet_is_read_as_the_rows_of_npz(
    library: str, game_type: GameType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    reader, lines = pytest.importorskip(library), records(game_type, games=2)
    monkeypatch.setattr(dataset, "ROWS", 100)
    out, other = (made(tmp_path / name, lines, game_type) for name in ("x.parquet", "x.npz"))
    arrays = np.load(other)
    if library == "polars":
        found = reader.read_parquet(out).to_dict(as_series=False)
    else:
        where = {"data_files": str(out), "cache_dir": str(tmp_path / "cache")}
        found = reader.load_dataset("parquet", split="train", **where).to_dict()
    assert list(found) == list(Decisions._fields)
    for name in Decisions._fields:
        assert (np.array(found[name]) == arrays[name]).all(), name


@every_type
@pytest.mark.parametrize("at_once", [1, 2, 100], ids="{} at once".format)
def test_minari_reads_an_episode_for_each_seat_of_a_game_and_recovers_the_environment(
    at_once: int, game_type: GameType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    minari = pytest.importorskip("minari")
    monkeypatch.setattr(dataset, "EPISODES", at_once)
    out = made(tmp_path / "x.minari", records(game_type, games=2), game_type, reward="margin")
    monkeypatch.setenv("MINARI_DATASETS_PATH", str(out))
    found = minari.load_dataset(f"{game_type.name}/x-v0")
    assert found.total_episodes == 2 * 3
    assert found.total_steps == sum(len(episode.actions) for episode in found)
    for episode in found:
        assert len(episode.observations) == len(episode.actions) + 1
        assert episode.terminations.tolist() == [False] * (len(episode.actions) - 1) + [True]
        assert episode.infos["action_mask"][np.arange(len(episode.actions)), episode.actions].all()
    env = found.recover_environment()
    first, _ = env.reset(seed=1)
    assert (first.shape, env.action_space.n) == (found[0].observations[0].shape, found.spec.action_space.n)
    assert (env.spec.kwargs["players"], env.spec.kwargs["reward"]) == (3, "margin")


every_format = pytest.mark.parametrize("name", ["x.npz", "x.parquet", "x.minari"])


@pytest.fixture
def small_disk(tmp_path: Path) -> Any:
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(disk)]
    if shutil.which("mount") is None or subprocess.run(mount, capture_output=True, check=False).returncode:
        pytest.skip("this user cannot mount a file system")
    yield disk
    subprocess.run(["umount", str(disk)], check=True)


FILLS = """
import sys
from pathlib import Path
from oddville_env.oddville.game_type import ODDVILLE
from oddville_training.dataset import write
lines = Path(sys.argv[2]).read_text().splitlines()
try:
    write(Path("games.jsonl"), enumerate(lines, 1), Path(sys.argv[1]), ODDVILLE, "features")
except OSError as error:
    print(error.strerror)
"""


@every_format
def test_full_disk_ends_in_an_os_error_and_leaves_nothing(name: str, small_disk: Path, tmp_path: Path) -> None:
    for needed in dataset.FORMATS[Path(name).suffix].needs:
        pytest.importorskip(needed)
    lines = tmp_path / "lines.jsonl"
    lines.write_text("\n".join(records(ODDVILLE, games=90)))
    done = subprocess.run([sys.executable, "-c", FILLS, small_disk / name, lines], capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (0, "No space left on device\n"), done.stderr[-2000:]
    assert not list(small_disk.iterdir())


def test_a_game_that_was_cut_short_has_no_last_decision(tmp_path: Path) -> None:
    game = Game(2, seed=1)
    for _ in range(9):
        game.push(int(np.flatnonzero(game.mask)[0]))
    rows = np.load(made(tmp_path / "x.npz", [json.dumps(game.record())], ODDVILLE))
    assert not rows["last"].any()
    assert not rows["reward"].any()


@pytest.mark.parametrize(("lines", "sentence"), [
    (lambda: ["{}"], "games.jsonl, line 1: field format"),
    (lambda: [], "games.jsonl: there is no record in it"),
    (lambda: [*records(ODDVILLE, games=1), json.dumps(Game(3, table=(9, 5)).record())], "line 2: the table's size"),
    (lambda: [*records(ODDVILLE, games=1), *records(OLDTOWN, games=1)], "line 2: field format"),
])  # fmt: skip
@every_format
def test_bad_records_leave_no_file(lines: Any, sentence: str, name: str, tmp_path: Path) -> None:
    with pytest.raises(RecordError, match=sentence):
        made(tmp_path / name, lines(), ODDVILLE)
    assert not list(tmp_path.iterdir())


@every_format
def test_what_a_killed_process_put_together_goes_with_the_next_try(name: str, tmp_path: Path) -> None:
    gone = 2**22 + 1  # no process has such a number
    left = unfinished_name(tmp_path / f"{name}.parts", gone)
    left.mkdir()
    (left / "observation").touch()
    (tmp_path / f".{name}.2024").mkdir()
    made(tmp_path / name, records(ODDVILLE, games=1), ODDVILLE)
    assert {path.name for path in tmp_path.iterdir()} == {name, f".{name}.2024"}


def test_names_that_no_new_data_set_can_have_are_refused_before_any_game_is_read(tmp_path: Path) -> None:
    pytest.importorskip("minari")
    (tmp_path / "there.minari").mkdir()
    for name, sentence in (
        ("my games.minari", "cannot name a Minari data set"),
        ("a.b.c.minari", "cannot name a Minari data set"),
        (".minari", "must end in"),
        ("x.csv", "must end in"),
        ("there.minari", "exists already"),
    ):
        with pytest.raises(SettingError, match=sentence):
            made(tmp_path / name, ["no record"], ODDVILLE)
    assert [path.name for path in tmp_path.iterdir()] == ["there.minari"]
