"""Files of compiled kernels: damaged, unwritable and untrusted ones, and the folders that hold them."""

import errno
import os
import warnings
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from numba import config

from oddville_env.core.compiled import cache
from support.sample_kernels import PACKAGES, SHIFT, anew, called_in_three_ways, counting, files, is_tried, shifted

pytestmark = pytest.mark.skipif(not is_tried(), reason="with this numba kernels are not kept")


def compiled_now() -> int:
    """The number of kernels that a new process would compile for one call."""
    with counting() as counter:
        assert anew(shifted)(1) == 1 + SHIFT
    return counter.compiled


@pytest.mark.parametrize("damage", [lambda held: held[:99], lambda held: b"", lambda held: bytes(len(held))])
def test_damaged_file_is_replaced(places: list[Path], damage: Callable[[bytes], bytes]) -> None:
    assert compiled_now() == 1
    (file,) = places[0].iterdir()
    file.write_bytes(damage(file.read_bytes()))
    assert [compiled_now(), compiled_now()] == [1, 0]


def test_file_under_the_name_of_another_one_is_replaced(places: list[Path]) -> None:
    anew(shifted)(1)
    anew(shifted)(1.5)
    one, other = places[0].iterdir()
    held = one.read_bytes(), other.read_bytes()
    one.write_bytes(held[1])
    other.write_bytes(held[0])
    for compiled in (2, 0):
        with counting() as counter:
            assert (anew(shifted)(1), anew(shifted)(1.5)) == (1 + SHIFT, 1.5 + SHIFT)
        assert counter.compiled == compiled


@pytest.mark.skipif(not hasattr(os, "getuid") or os.getuid() != 0, reason="only root gives files away")
def test_files_and_folders_of_another_user_are_not_used(places: list[Path]) -> None:
    assert compiled_now() == 1
    for path in (*places[0].iterdir(), places[0]):
        os.chown(path, 12345, 12345)
        assert compiled_now() == 1
    assert len(files(places[1])) == 1


@pytest.mark.skipif(os.name == "nt", reason="permissions are others there")
@pytest.mark.parametrize("others", [0o020, 0o002])
def test_files_and_folders_that_others_may_write_are_not_used(places: list[Path], others: int) -> None:
    assert compiled_now() == 1
    (file,) = places[0].iterdir()
    file.chmod(0o644 | others)
    assert [compiled_now(), compiled_now()] == [1, 0]
    places[0].chmod(0o755 | others)
    assert ([compiled_now(), compiled_now()], len(files(places[1]))) == ([1, 0], 1)


@pytest.mark.skipif(os.name == "nt", reason="permissions are others there")
def test_files_are_loaded_again_whatever_the_umask(places: list[Path]) -> None:
    before = os.umask(0)
    try:
        assert [compiled_now(), compiled_now()] == [1, 0]
    finally:
        os.umask(before)


def test_unwritable_folders_cause_one_warning(places: list[Path]) -> None:
    places[0].write_text("a file")
    places[1] = places[0] / "below"
    with pytest.warns(UserWarning, match="compiled code cannot be cached, so every start compiles again"):
        assert anew(shifted)(1) == 1 + SHIFT
    with warnings.catch_warnings(action="error"):
        assert anew(called_in_three_ways)(np.array([5], np.int8)) == 13 + 3 * SHIFT


def test_full_disk_causes_a_warning_and_leaves_no_file(places: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    def full(path: Path, target: Path) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(path))

    monkeypatch.setattr(Path, "replace", full)
    with pytest.warns(UserWarning, match="No space left on device"):
        assert anew(shifted)(1) == 1 + SHIFT
    assert [list(place.iterdir()) for place in places] == [[], []]


def test_kernels_are_read_from_a_read_only_folder(places: list[Path], monkeypatch: pytest.MonkeyPatch) -> None:
    anew(shifted)(1)
    kept = files(places[0])
    monkeypatch.setattr(cache, "_failed", {places[0]})
    assert compiled_now() == 0
    assert not places[1].exists()
    assert (anew(shifted)(1.5), files(places[0]), len(files(places[1]))) == (1.5 + SHIFT, kept, 1)


@pytest.mark.parametrize("name", ["{tmp}/kept", "kept"], ids=["absolute", "relative"])
def test_numba_cache_dir_is_the_only_folder(workdir: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.setattr(config, "CACHE_DIR", name.format(tmp=workdir))
    cache.folders.cache_clear()
    try:
        (folder,) = cache.folders()
        assert folder.parent == workdir / "kept" / "oddville_env"
    finally:
        cache.folders.cache_clear()


def test_sources_with_intrinsics_decide_the_name_of_the_folder() -> None:
    """The hash of a kernel does not cover the code of its intrinsics."""
    sources = [source for package in PACKAGES for source in package.rglob("*.py")]
    found = {source for source in sources if "@intrinsic" in source.read_text(encoding="utf-8")}
    assert found
    assert found <= {Path(cache.__file__).with_name(name) for name in cache.COMPILING}
