"""Compiled kernels: kept by what they are made of, never mixed, and never in the way."""

import errno
import os
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import IntEnum
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numba import config
from numba.core import event

from oddville_env.core import fingerprint, kernel_cache
from oddville_env.core.jit import kernel

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = (ROOT / "oddville_env", ROOT / "agents" / "oddville_agents", ROOT / "training" / "oddville_training")


class Colour(IntEnum):
    RED = 7


SHIFT = 3
UNREADABLE: list[int] = []


@kernel
def shifted(number):
    return number + SHIFT


@kernel
def called_in_three_ways(numbers):
    return shifted(numbers[0]) + shifted(Colour.RED) + shifted(1)


@kernel
def reads_a_list(number):
    return number + len(UNREADABLE)


class Counter(event.Listener):
    """Counts kernels that are compiled."""

    compiled = 0

    def on_start(self, event: Any) -> None:
        self.compiled += 1

    def on_end(self, event: Any) -> None:
        pass


@contextmanager
def counting() -> Iterator[Counter]:
    counter = Counter()
    with event.install_listener("numba:compile", counter):
        yield counter


def anew(compiled: Any) -> Any:
    """The kernel as a new process has it: nothing of it is loaded."""
    return kernel(compiled.py_func)


@pytest.fixture
def places(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[Path]:
    """Two empty places for kernels, the first to be tried first."""
    found = [tmp_path / "first", tmp_path / "second"]
    monkeypatch.setattr(kernel_cache, "folders", lambda: found)
    monkeypatch.setattr(kernel_cache, "_failed", set())
    return found


def process(code: str, cache: Path, packages: Path | None = None) -> str:
    """What some code prints in a process of its own, with the kernels in a folder and the packages' sources in one."""
    path = os.pathsep.join([str(packages)] if packages else [str(package.parent) for package in PACKAGES])
    environment = {**os.environ, "NUMBA_CACHE_DIR": str(cache), "PYTHONPATH": path}
    done = subprocess.run([sys.executable, "-c", code], env=environment, capture_output=True, text=True, cwd=cache)
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout.strip()


def files(folder: Path) -> set[str]:
    return {path.relative_to(folder).as_posix() for path in folder.rglob("*") if path.is_file()}


RECORDS = """
import sys
import numpy as np
from oddville_env.core.jit import kernel

@kernel
def write(games, index):
    games[index].last = 1 + fill(games[index], 0, games[index].first.size)

@kernel
def fill(game, low, high):
    # Never inlined, as it calls itself twice.
    if high - low == 1:
        game.first[low] = 1
        return 1
    middle = (low + high) // 2
    return fill(game, low, middle) + fill(game, middle, high)

def played(size):
    plain = np.dtype([("ahead", "i2", (size,)), ("first", "i2", (size,)), ("last", "i2")], align=True)
    games = np.zeros(1, np.dtype((np.record, plain)))
    write(games, 0)
    return [int(games[0].first.sum()), int(games[0].last)]

print([played(int(size)) for size in sys.argv[1:]])
"""


def test_code_of_two_processes_for_two_record_types_is_not_mixed_in_a_third_one(tmp_path: Path) -> None:
    module = tmp_path / "records.py"
    module.write_text(RECORDS)

    def run(*sizes: str) -> str:
        return process(f"import sys, runpy; sys.argv[1:] = {sizes}; sys.path.insert(0, '..'); import records", cache)

    cache = tmp_path / "cache"
    cache.mkdir()
    assert run("3") == "[[3, 4]]"
    assert run("5") == "[[5, 6]]"
    kept = files(cache)
    assert run("3", "5") == "[[3, 4], [5, 6]]"
    assert files(cache) == kept


GAMES = """
import sys
from oddville_agents import make_agent
from oddville_agents.play import play
from oddville_env.envs.live_game import LiveGame
from oddville_env.oddville.game_type import ODDVILLE
from oddville_env.oddville.settings import make_box

for table in sys.argv[1:]:
    box = make_box(3, (21, 13) if table == "large" else (17, 9))
    live = LiveGame(ODDVILLE, box)
    played = play(live, [make_agent(spec) for spec in ("greedy", "search:sims=20", "random")], 1)
    print(table, played.scores, live.game.problems())
"""


@pytest.mark.slow
def test_games_at_two_tables_are_the_same_in_every_process(tmp_path: Path) -> None:
    def run(*tables: str) -> list[str]:
        return process(f"import sys; sys.argv[1:] = {tables}\n{GAMES}", tmp_path).splitlines()

    small, large = run("small"), run("large")
    kept = files(tmp_path)
    assert run("small", "large") == [*small, *large]
    assert run("large", "small") == [*large, *small]
    assert all(line.endswith("[]") for line in (*small, *large))
    assert files(tmp_path) == kept


RANKS_AND_PLACES = """
import numpy as np
from oddville_env.oddville.rules import batch
from oddville_env.oddville.settings import make_box
from oddville_env.oddville.svg import draw
from oddville_training.tournament.seated_batch import keep_moves

box, ranks = make_box(), np.zeros(2, np.int64)
batch.ranks(0, -1, np.array([3, 5]), ranks)
lengths = np.zeros(1, np.int64)
keep_moves(np.arange(1), np.array([7]), np.zeros((1, 3), np.int16), lengths)
print(ranks.tolist(), lengths.tolist())
"""


def test_an_edit_costs_the_kernels_that_it_reaches_and_no_others(tmp_path: Path) -> None:
    packages, cache = tmp_path / "packages", tmp_path / "cache"
    cache.mkdir()
    for package in PACKAGES:
        shutil.copytree(package, packages / package.name, ignore=shutil.ignore_patterns("__pycache__"))

    def edit(path: str, old: str, new: str) -> set[str]:
        """The kernels that are compiled after an edit."""
        source = packages / path
        text = source.read_text()
        assert old in text, path
        source.write_text(text.replace(old, new))
        before = files(cache)
        process(RANKS_AND_PLACES, cache, packages)
        return {Path(name).name.split("-")[0] for name in files(cache) - before}

    first = edit("oddville_env/__init__.py", '"""', '"""')
    assert {"ranks", "keep_moves"} <= first
    assert edit("oddville_env/oddville/svg/palette.py", "#", "#0") == set()
    assert edit("oddville_training/report/pictures.py", '"""', '"""A caption. ') == set()
    assert edit("oddville_env/oddville/rules/scoring.py", '"""[E3]', '"""[E3] In other words:') == set()
    assert edit("oddville_env/oddville/rules/coins.py", "- 1", "- 2") == set()
    assert edit("oddville_training/tournament/seated_batch.py", "lengths[table] += 1", "lengths[table] -= -1") == {
        "keep_moves"
    }
    assert edit("oddville_env/oddville/rules/scoring.py", "points > its_points", "points >= its_points") == {
        "beats",
        "ranks",
    }


DEFAULTS = """
from oddville_env.core.jit import kernel

@kernel
def grown(number, by=1):
    return number + by

@kernel
def caller(number):
    return grown(number)

print(caller(0), grown(0))
"""


def test_a_default_argument_is_part_of_what_a_kernel_is_made_of(tmp_path: Path) -> None:
    module, cache = tmp_path / "defaults.py", tmp_path / "cache"
    cache.mkdir()

    def run(default: int) -> str:
        module.write_text(DEFAULTS.replace("by=1", f"by={default}"))
        return process("import sys; sys.dont_write_bytecode = True; sys.path.insert(0, '..'); import defaults", cache)

    assert run(1) == "1 1"
    assert run(6) == "6 6"


def test_tables_of_about_one_size_share_compiled_code() -> None:
    """Numba never frees machine code, so that each size of tables would take its memory for ever."""
    from oddville_env.oddville.settings import make_box

    tables = [(columns, lines) for columns in range(1, 100, 14) for lines in range(1, 100, 7)]
    kinds = {(box.games, box.record.dtype) for box in (make_box(table=table) for table in tables)}
    assert len(kinds) <= 8


def test_a_kernel_is_compiled_once_for_whatever_integers_kernels_call_it_with(places: list[Path]) -> None:
    with counting() as counter:
        assert called_in_three_ways(np.array([5], np.int8)) == (5 + 7 + 1) + 3 * SHIFT
    assert counter.compiled == 2  # the caller, and what it calls


@kernel
def refuses(number):
    if number > SHIFT:
        raise ValueError("too much")
    return shifted(number)


@kernel
def hands_on(numbers):
    return refuses(numbers[0])


@pytest.mark.usefixtures("places")
def test_what_only_kernels_call_is_not_made_into_machine_code() -> None:
    assert hands_on(np.array([1])) == 1 + SHIFT
    inner = next(iter(refuses.inner.overloads.values()))
    assert inner.library.get_pointer_to_function(inner.fndesc.llvm_func_name) == 0
    outer = next(iter(hands_on.overloads.values()))
    assert outer.library.get_pointer_to_function(outer.fndesc.llvm_func_name) != 0


@pytest.mark.usefixtures("places")
def test_what_a_called_kernel_raises_reaches_python() -> None:
    with pytest.raises(ValueError, match="too much"):
        hands_on(np.array([SHIFT + 1]))


def test_what_a_kernel_reads_is_part_of_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    before = fingerprint.fingerprint(anew(called_in_three_ways))
    assert fingerprint.fingerprint(anew(called_in_three_ways)) == before
    monkeypatch.setattr(sys.modules[__name__], "SHIFT", 4)
    fingerprint._made_of.cache_clear()
    assert fingerprint.fingerprint(anew(called_in_three_ways)) != before


def test_a_kernel_that_reads_what_is_no_constant_is_refused(places: list[Path]) -> None:
    with pytest.raises(TypeError, match="kernel reads_a_list reads UNREADABLE, a list, which is no constant"):
        reads_a_list(1)


def test_the_order_of_a_named_tuples_fields_is_part_of_a_kernels_name() -> None:
    from numba import typeof

    one, other = (NamedTuple("Pair", [(name, int) for name in names]) for names in ("ab", "ba"))
    first, second = typeof(one(1, 2)), typeof(other(1, 2))  # type: ignore[call-arg]
    assert str(first) == str(second)
    assert kernel_cache._spelled(first) != kernel_cache._spelled(second)


def test_where_a_named_tuple_stands_is_part_of_a_kernels_name() -> None:
    """What is kept names the class by its module: where that is another one now, it could not be loaded."""
    from numba import typeof

    one, other = (NamedTuple("Pair", [("a", int)]) for _ in range(2))
    other.__module__ = "elsewhere"
    first, second = typeof(one(1)), typeof(other(1))  # type: ignore[call-arg]
    assert str(first) == str(second)
    assert kernel_cache._spelled(first) != kernel_cache._spelled(second)


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


def test_importing_the_package_compiles_nothing_and_is_quick(tmp_path: Path) -> None:
    code = "import sys, oddville_env; print('numba' in sys.modules)"
    assert process(code, tmp_path) == "False"
