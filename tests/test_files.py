"""Atomic writes: no half files, and what is there keeps its kind, owner and permissions."""

import errno
import os
import shutil
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from oddville_env.core.disk import files
from oddville_env.core.disk.files import atomic_write, check_writable, remove_unfinished, unfinished_name
from oddville_env.core.errors import RecordError

pytestmark = pytest.mark.usefixtures("workdir")


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


def test_a_link_is_followed_and_stays_a_link() -> None:
    Path("deep").mkdir()
    Path("deep", "file").write_text("old")
    Path("link").symlink_to("deep/file")
    Path("far").symlink_to("link")
    write(Path("far"))
    assert Path("far").is_symlink()
    assert Path("link").is_symlink()
    assert (Path("deep", "file").read_text(), os.listdir("deep")) == ("new", ["file"])
    with suppress(RuntimeError), atomic_write(Path("far")) as file:
        file.write("half")
        file.flush()
        assert Path("deep", "file").read_text() == "new"
        raise RuntimeError
    assert Path("deep", "file").read_text() == "new"
    shutil.rmtree("deep")
    write(Path("far"))  # makes the missing target, and its folder
    assert (Path("deep", "file").read_text(), sorted(os.listdir())) == ("new", ["deep", "far", "link"])


def test_what_cannot_be_written_is_refused_and_left_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    os.mkfifo("pipe")
    for name, target in (("link", "pipe"), ("one", "two"), ("two", "one")):
        Path(name).symlink_to(target)
    Path("file").write_text("old")
    monkeypatch.setattr(os, "access", lambda path, how: Path(path).name != "file")  # root may do anything
    for name, sentence in (
        ("pipe", "it is not a regular file"),
        ("link", "it is not a regular file"),
        ("one", os.strerror(errno.ELOOP)),
        ("one/file", os.strerror(errno.ELOOP)),
        ("file", os.strerror(errno.EACCES)),
        ("-", "not written to standard output"),
    ):
        for work in (check_writable, write):
            with pytest.raises(OSError, match=sentence):
                work(Path(name))
    assert (Path("file").read_text(), sorted(os.listdir())) == ("old", ["file", "link", "one", "pipe", "two"])


@pytest.mark.parametrize("mode", [0o600, 0o666, 0o755])
def test_a_file_and_its_temporary_file_keep_its_permissions(mode: int) -> None:
    Path("file").write_text("old")
    Path("file").chmod(mode)
    os.link("file", "other")
    with atomic_write(Path("file"), "wb") as file:
        file.write(b"new")
        assert {stat.S_IMODE(path.stat().st_mode) for path in Path().iterdir()} == {mode}
    assert (Path("file").read_text(), Path("other").read_text()) == ("new", "old")
    assert stat.S_IMODE(Path("file").stat().st_mode) == mode


def test_a_file_keeps_its_owner() -> None:
    Path("file").write_text("old")
    try:
        os.chown("file", 12345, 12345)
    except PermissionError:
        pytest.skip("only root gives files away")
    write(Path("file"))
    assert Path("file").stat()[stat.ST_UID : stat.ST_GID + 1] == (12345, 12345)


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


def test_folder_is_locked_against_other_processes_until_they_end() -> None:
    alone_in = pytest.importorskip("oddville_env.core.disk.locks", exc_type=ImportError).alone_in
    for ends in ("by itself", "killed"):
        other = subprocess.Popen(
            [sys.executable, "-c", AT_WORK], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert other.stdout.readline() == "works\n"
        sentence = r"^another process is at work in run: wait for it, or end it$"
        with pytest.raises(RecordError, match=sentence), alone_in(Path("run"), RecordError):
            raise AssertionError
        if ends == "killed":
            other.kill()
        other.communicate("\n", timeout=60)
        with alone_in(Path("run"), RecordError):
            pass
        assert os.listdir("run") == ["kept"]
    with pytest.raises(KeyboardInterrupt), alone_in(Path("runs/new"), RecordError):
        raise KeyboardInterrupt
    assert not Path("runs").exists()  # an empty folder is removed
