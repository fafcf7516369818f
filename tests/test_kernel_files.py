"""Files of compiled kernels: torn ones, folders that cannot be written, several processes, old ones."""

import errno
import os
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numba import config

from oddville_env.core.compiled import cache as kernel_cache
from support.sample_kernels import PACKAGES, SHIFT, anew, called_in_three_ways, counting, files, shifted


@pytest.mark.parametrize(
    "damage", [lambda told: told[: len(told) // 2], lambda told: b"", lambda told: bytes(len(told))]
)
def test_a_torn_file_is_compiled_anew_and_whole_afterwards(
    places: list[Path], damage: Callable[[bytes], bytes]
) -> None:
    assert anew(shifted)(1) == 1 + SHIFT
    (kept,) = places[0].iterdir()
    whole = kept.read_bytes()
    kept.write_bytes(damage(whole))
    with counting() as counter:
        assert anew(shifted)(1) == 1 + SHIFT
    assert counter.compiled == 1
    with counting() as counter:
        assert anew(shifted)(1) == 1 + SHIFT
    assert counter.compiled == 0


def test_where_nothing_can_be_written_there_is_one_warning_and_the_game_goes_on(places: list[Path]) -> None:
    places[0].write_text("a file")
    places[1] = places[0] / "below"
    with pytest.warns(UserWarning, match="compiled code cannot be kept, every start compiles anew"):
        assert anew(shifted)(1) == 1 + SHIFT
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert anew(called_in_three_ways)(np.array([5], np.int8)) == 13 + 3 * SHIFT


def test_a_full_disk_is_a_warning_and_leaves_nothing_behind(
    places: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(path: Path, told: bytes) -> int:
        with path.open("wb") as file:
            file.write(told[:10])
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    monkeypatch.setattr(Path, "write_bytes", full)
    with pytest.warns(UserWarning, match="No space left on device"):
        assert anew(shifted)(1) == 1 + SHIFT
    assert [list(place.iterdir()) for place in places] == [[], []]


def test_kernels_of_another_user_are_read_where_nothing_can_be_written(
    places: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    anew(shifted)(1)
    kept = files(places[0])
    monkeypatch.setattr(kernel_cache, "_failed", {places[0]})
    with counting() as counter:
        assert anew(shifted)(1) == 1 + SHIFT
    assert counter.compiled == 0
    assert not places[1].exists()
    assert anew(shifted)(1.5) == 1.5 + SHIFT
    assert files(places[0]) == kept
    assert len(files(places[1])) == 1


def test_the_users_own_folder_is_used_and_no_other(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config, "CACHE_DIR", str(tmp_path))
    kernel_cache.folders.cache_clear()
    try:
        (place,) = kernel_cache.folders()
        assert place.parent == tmp_path / "oddville_env"
    finally:
        kernel_cache.folders.cache_clear()


def test_a_folder_of_the_user_may_be_named_from_where_one_is(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(config, "CACHE_DIR", "kept/kernels")
    kernel_cache.folders.cache_clear()
    try:
        (place,) = kernel_cache.folders()
        assert place.parent == tmp_path / "kept" / "kernels" / "oddville_env"
    finally:
        kernel_cache.folders.cache_clear()


def test_processes_that_make_the_folder_together_all_keep_their_kernels(
    places: list[Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    there, mkdir = Path.exists, Path.mkdir

    def made_by_another(path: Path, *_: object, **options: Any) -> None:
        mkdir(path, parents=True, exist_ok=True)
        mkdir(path, **options)

    with monkeypatch.context() as patch:
        patch.setattr(Path, "exists", lambda path: path != places[0] and there(path))
        patch.setattr(Path, "mkdir", made_by_another)
        assert anew(shifted)(1) == 1 + SHIFT
    assert len(files(places[0])) == 1
    assert not places[1].exists()


def test_old_kernels_that_another_process_forgets_at_the_same_time_are_no_error(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    old, new = tmp_path / "kernels-old", tmp_path / "kernels-new"
    old.mkdir()

    def gone(path: Path) -> Iterator[Path]:
        if path == old:
            old.rmdir()
            yield old / "shifted"

    monkeypatch.setattr(Path, "iterdir", gone)
    kernel_cache._write_whole(new / "shifted", b"")
    assert (new / "shifted").exists()


def test_old_kernels_are_forgotten_when_new_ones_come(tmp_path: Path) -> None:
    old, new = tmp_path / "kernels-old", tmp_path / "kernels-new"
    for folder in (old, tmp_path / "kernels-read"):
        folder.mkdir()
        (folder / "shifted").write_bytes(b"")
    os.utime(old / "shifted", (0, 0))
    kernel_cache._write_whole(new / "shifted", b"")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kernels-new", "kernels-read"]


def test_code_that_writes_machine_code_itself_decides_where_kernels_are_kept() -> None:
    """A kernel's name tells what the kernel is made of, but not what its intrinsics are made of."""
    home = Path(kernel_cache.__file__).parent
    sources = [source for package in PACKAGES for source in package.rglob("*.py")]
    found = {source for source in sources if "@intrinsic" in source.read_text(encoding="utf-8")}
    assert found
    assert found <= {home / name for name in kernel_cache.COMPILING}
