"""Where files are written: what is there already stays what it is."""

import errno
import os
import stat
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest

from oddville_env.core.disk.files import check_writable, written_whole


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def write(path: Path, text: str = "new") -> None:
    check_writable(path)
    with written_whole(path) as file:
        file.write(text)


def read_of(path: Path, work: Callable[[], None]) -> str:
    """What a reader at the other end of a pipe gets while something is done."""
    got: list[str] = []
    reader = threading.Thread(target=lambda: got.append(path.read_text()), daemon=True)
    reader.start()
    work()
    reader.join(10)
    return got[0]


def test_a_pipe_is_written_to_and_stays_a_pipe() -> None:
    pipe = Path("pipe")
    os.mkfifo(pipe)
    assert read_of(pipe, lambda: write(pipe)) == "new"
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert os.listdir() == ["pipe"]


def test_what_leads_to_a_pipe_is_written_to() -> None:
    os.mkfifo("pipe")
    Path("link").symlink_to("pipe")
    assert read_of(Path("pipe"), lambda: write(Path("link"))) == "new"
    assert Path("link").is_symlink()


def test_a_device_stays_a_device() -> None:
    device = Path("null")
    try:
        os.mknod(device, 0o666 | stat.S_IFCHR, os.makedev(1, 3))
        device.write_text("is it one that may be opened?")
    except PermissionError:
        pytest.skip("only root makes devices, and only where the system lets them be opened")
    write(device)
    assert stat.S_ISCHR(device.stat().st_mode)
    assert os.listdir() == ["null"]


def test_a_link_keeps_leading_to_its_target_which_is_what_is_written() -> None:
    Path("deep").mkdir()
    Path("deep", "file").write_text("old")
    Path("link").symlink_to("deep/file")
    Path("far").symlink_to("link")
    write(Path("far"))
    assert Path("far").is_symlink()
    assert Path("link").is_symlink()
    assert Path("deep", "file").read_text() == "new"
    assert os.listdir("deep") == ["file"]


def test_nobody_meets_half_a_file_behind_a_link() -> None:
    Path("file").write_text("old")
    Path("link").symlink_to("file")
    with suppress(RuntimeError), written_whole(Path("link")) as file:
        file.write("half")
        file.flush()
        assert Path("file").read_text() == "old"
        raise RuntimeError
    assert Path("file").read_text() == "old"
    assert sorted(os.listdir()) == ["file", "link"]


def test_a_link_that_leads_nowhere_makes_its_target() -> None:
    Path("link").symlink_to("not/there/yet")
    write(Path("link"))
    assert Path("link").is_symlink()
    assert Path("not/there/yet").read_text() == "new"


def test_links_that_lead_in_a_circle_are_refused() -> None:
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


def test_a_private_file_is_private_while_it_is_written() -> None:
    Path("file").write_text("old")
    Path("file").chmod(0o600)
    with written_whole(Path("file")):
        assert {stat.S_IMODE(path.stat().st_mode) for path in Path().iterdir()} == {0o600}


def test_a_file_that_may_not_be_written_is_not_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    Path("file").write_text("old")
    monkeypatch.setattr(os, "access", lambda path, how: False)  # root may do anything
    for work in (check_writable, write):
        with pytest.raises(PermissionError):
            work(Path("file"))
    assert Path("file").read_text() == "old"


def test_a_name_beside_a_hard_link_keeps_what_was_there() -> None:
    Path("file").write_text("old")
    os.link("file", "other")
    write(Path("file"))
    assert Path("other").read_text() == "old"


def test_no_file_is_called_as_standard_output_is() -> None:
    for work in (check_writable, write):
        with pytest.raises(OSError, match="not written to standard output"):
            work(Path("-"))
    assert os.listdir() == []
