"""Atomic writes: no half files, and what is there keeps its kind, owner and permissions."""

import errno
import os
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest

from oddville_env.core.disk import files
from oddville_env.core.disk.files import atomic_write, check_writable, remove_unfinished, unfinished_name
from oddville_env.core.errors import GameError


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(path: Path, streams: bool = False) -> None:
    check_writable(path, streams)
    with atomic_write(path, streams=streams) as file:
        file.write("new")


def read_of(path: Path, work: Callable[[], None]) -> str:
    """What a reader at the other end of a pipe gets while something is done."""
    got: list[str] = []
    reader = threading.Thread(target=lambda: got.append(path.read_text()), daemon=True)
    reader.start()
    work()
    reader.join(10)
    return got[0]


@pytest.mark.parametrize("name", ["pipe", "link"])
def test_a_pipe_is_written_to_where_streams_are_allowed(name: str) -> None:
    os.mkfifo("pipe")
    Path("link").symlink_to("pipe")
    assert read_of(Path("pipe"), lambda: write(Path(name), streams=True)) == "new"
    assert stat.S_ISFIFO(Path("pipe").stat().st_mode)
    assert sorted(os.listdir()) == ["link", "pipe"]


def test_a_device_stays_a_device() -> None:
    device = Path("null")
    try:
        os.mknod(device, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
        device.write_text("is it one that may be opened?")
    except PermissionError:
        pytest.skip("only root makes devices, and only where the system lets them be opened")
    write(device, streams=True)
    assert stat.S_ISCHR(device.stat().st_mode)
    assert os.listdir() == ["null"]


@pytest.mark.parametrize("name", ["pipe", "link"])
def test_a_pipe_is_refused_where_a_file_is_expected(name: str) -> None:
    os.mkfifo("pipe")
    Path("link").symlink_to("pipe")
    for work in (check_writable, write):
        with pytest.raises(OSError, match="it is no regular file"):
            work(Path(name))


def test_a_link_is_followed_and_stays_a_link() -> None:
    Path("deep").mkdir()
    Path("deep", "file").write_text("old")
    Path("link").symlink_to("deep/file")
    Path("far").symlink_to("link")
    write(Path("far"))
    assert Path("far").is_symlink()
    assert Path("link").is_symlink()
    assert Path("deep", "file").read_text() == "new"
    assert os.listdir("deep") == ["file"]


def test_a_failed_write_behind_a_link_changes_nothing() -> None:
    Path("file").write_text("old")
    Path("link").symlink_to("file")
    with suppress(RuntimeError), atomic_write(Path("link")) as file:
        file.write("half")
        file.flush()
        assert Path("file").read_text() == "old"
        raise RuntimeError
    assert Path("file").read_text() == "old"
    assert sorted(os.listdir()) == ["file", "link"]


def test_the_missing_target_of_a_link_is_made() -> None:
    Path("link").symlink_to("not/there/yet")
    write(Path("link"))
    assert Path("link").is_symlink()
    assert Path("not/there/yet").read_text() == "new"


def test_circular_links_are_refused() -> None:
    Path("one").symlink_to("two")
    Path("two").symlink_to("one")
    for path in (Path("one"), Path("one", "file")):
        for work in (check_writable, write):
            with pytest.raises(OSError, match="one") as refused:
                work(path)
            assert refused.value.errno == errno.ELOOP
    assert sorted(os.listdir()) == ["one", "two"]


@pytest.mark.parametrize("mode", [0o600, 0o640, 0o666, 0o755])
def test_a_file_keeps_its_permissions(mode: int) -> None:
    Path("file").write_text("old")
    Path("file").chmod(mode)
    write(Path("file"))
    assert Path("file").read_text() == "new"
    assert stat.S_IMODE(Path("file").stat().st_mode) == mode


def test_a_file_keeps_its_owner() -> None:
    Path("file").write_text("old")
    try:
        os.chown("file", 12345, 12345)
    except PermissionError:
        pytest.skip("only root gives files away")
    write(Path("file"))
    assert Path("file").stat()[stat.ST_UID : stat.ST_GID + 1] == (12345, 12345)


def test_the_temporary_file_of_a_private_file_is_private() -> None:
    Path("file").write_text("old")
    Path("file").chmod(0o600)
    with atomic_write(Path("file")):
        assert {stat.S_IMODE(path.stat().st_mode) for path in Path().iterdir()} == {0o600}


def test_a_read_only_file_is_not_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("file").write_text("old")
    monkeypatch.setattr(os, "access", lambda path, how: False)  # root may do anything
    for work in (check_writable, write):
        with pytest.raises(PermissionError):
            work(Path("file"))
    assert Path("file").read_text() == "old"


def test_other_hard_links_keep_the_old_content() -> None:
    Path("file").write_text("old")
    os.link("file", "other")
    write(Path("file"))
    assert Path("other").read_text() == "old"


def test_a_dash_is_refused_as_the_name_of_a_file() -> None:
    for work in (check_writable, write):
        with pytest.raises(OSError, match="not written to standard output"):
            work(Path("-"))
    assert os.listdir() == []


# Temporary files

GONE = 2**22 + 1  # no process has such a number


def test_only_temporary_files_of_ended_processes_of_this_host_are_removed() -> None:
    ended = [unfinished_name(Path("a.txt"), GONE), unfinished_name(Path("b.txt"), GONE)]
    other_host = ended[0].name.replace(f"@{files.HOST}", "@elsewhere")
    alive = unfinished_name(Path("a.txt"), os.getppid())
    others = [".env.2024", f".a.txt.{GONE}", ".a.txt.unfinished", other_host, alive]
    below = unfinished_name(Path("sub/a.txt"), GONE)
    below.parent.mkdir()
    for path in (*ended, *others, below):
        Path(path).write_text("half")
    write(Path("a.txt"))
    assert not ended[0].exists()
    assert ended[1].exists()
    remove_unfinished(Path())
    assert {each.name for each in Path().iterdir()} == {"a.txt", "sub", *map(str, others)}
    assert below.exists()


def test_a_file_is_on_the_disk_before_it_takes_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []
    sync, rename = os.fsync, os.replace
    monkeypatch.setattr(os, "fsync", lambda number: (done.append(os.readlink(f"/proc/self/fd/{number}")), sync(number)))
    monkeypatch.setattr(os, "replace", lambda old, new: (done.append("renamed"), rename(old, new)))
    with atomic_write(Path("a.json.gz")) as file:
        file.write("whole")
    here = Path.cwd().resolve()
    assert done == [str(unfinished_name(here / "a.json.gz")), "renamed", str(here)]


def test_bytes_are_not_compressed_in_a_file_called_gz() -> None:
    with atomic_write(Path("a.gz"), "wb") as file:
        file.write(b"packed already")
    assert Path("a.gz").read_bytes() == b"packed already"


# Locks

AT_WORK = """
import sys
from pathlib import Path
from oddville_env.core.errors import GameError
from oddville_env.core.disk.locks import alone_in

with alone_in(Path("run"), GameError):
    Path("run", "kept").touch()
    print("works", flush=True)
    sys.stdin.readline()
"""


class BusyError(GameError):
    """The error of some kind of runs."""


@pytest.fixture
def alone_in() -> Any:
    return pytest.importorskip("oddville_env.core.disk.locks", exc_type=ImportError).alone_in


def another_process() -> "subprocess.Popen[str]":
    other = subprocess.Popen([sys.executable, "-c", AT_WORK], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert other.stdout is not None
    assert other.stdout.readline() == "works\n"
    return other


def test_folder_is_locked_against_other_processes(alone_in: Any) -> None:
    other = another_process()
    with (
        pytest.raises(BusyError, match=r"^another process is at work in run: wait for it, or end it$"),
        alone_in(Path("run"), BusyError),
    ):
        raise AssertionError
    other.communicate("\n", timeout=60)
    assert other.returncode == 0
    assert [path.name for path in Path("run").iterdir()] == ["kept"]


def test_lock_is_released_when_its_process_is_killed(alone_in: Any) -> None:
    other = another_process()
    other.kill()
    other.wait()
    with alone_in(Path("run"), BusyError):
        pass
    assert [path.name for path in Path("run").iterdir()] == ["kept"]


def test_empty_folder_is_removed_after_an_error(alone_in: Any) -> None:
    with pytest.raises(KeyboardInterrupt), alone_in(Path("runs/new"), BusyError):
        raise KeyboardInterrupt
    assert not Path("runs").exists()
