"""Compiled kernels: named by what their code is made of, and compiled once."""

import shutil
import sys
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from numba.core.runtime import _nrt_python, rtsys

from oddville_env.core.compiled import cache, dispatcher
from oddville_env.core.compiled.arrays import overwrite
from oddville_env.core.compiled.jit import kernel
from support import sample_kernels
from support.sample_kernels import SHIFT, anew, called_in_three_ways, files, process, reads_a_list, shifted

pytestmark = pytest.mark.skipif(not sample_kernels.is_tried(), reason="with this numba kernels are not kept")

RECORDS = """
import sys
import numpy as np
from oddville_env.core.compiled.jit import kernel

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


def test_code_of_two_processes_is_not_mixed_up_in_a_third_one(tmp_path: Path) -> None:
    module = tmp_path / "records.py"
    module.write_text(RECORDS)

    def run(*sizes: str) -> str:
        return process(f"import sys, runpy; sys.argv[1:] = {sizes}; sys.path.insert(0, '..'); import records", cache)

    cache = tmp_path / "cache"
    cache.mkdir()
    assert (run("3"), run("5")) == ("[[3, 4]]", "[[5, 6]]")
    kept = files(cache)
    assert (run("3", "5"), files(cache)) == ("[[3, 4], [5, 6]]", kept)


ADDED = """
import sys
import numpy as np
from oddville_env.core.compiled.jit import kernel

@kernel
def add(numbers):
    return numbers[0] + numbers[1]

print(add(np.array([2, 3])), "numba.np.arraymath" in sys.modules)
"""


def test_machine_code_is_loaded_without_the_compiler(tmp_path: Path) -> None:
    assert (process(ADDED, tmp_path), process(ADDED, tmp_path)) == ("5 True", "5 False")


RANKS_AND_PLACES = """
import numpy as np
from oddville_env.oddville.rules import batch
from oddville_env.oddville.settings import make_box
from oddville_env.oddville.svg import draw
from oddville_training.tournament.seated_batch import count

box, ranks = make_box(), np.zeros(2, np.int64)
batch.ranks(0, -1, np.array([3, 5]), ranks)
decisions, think, slowest = np.zeros((3, 1, 2), np.int64)
count(np.arange(1), np.zeros(1, np.int8), np.zeros((1, 2), np.int64), np.ones(2), decisions, think, slowest)
print(ranks.tolist(), decisions.tolist())
"""


def test_edit_recompiles_only_the_kernels_that_depend_on_it(tmp_path: Path) -> None:
    packages, cache = tmp_path / "packages", tmp_path / "cache"
    cache.mkdir()
    for package in sample_kernels.PACKAGES:
        shutil.copytree(package, packages / package.name, ignore=shutil.ignore_patterns("__pycache__"))

    def compiled_after(*edits: tuple[str, str, str]) -> set[str]:
        """The kernels that are compiled after these edits: a file, what stands there, and what takes its place."""
        for path, old, new in edits:
            source = packages / path
            text = source.read_text()
            assert old in text, path
            source.write_text(text.replace(old, new))
        before = files(cache)
        process(RANKS_AND_PLACES, cache, packages)
        return {Path(name).name.split("-")[0] for name in files(cache) - before}

    assert {"ranks", "count"} <= compiled_after()
    batch, scoring = "oddville_training/tournament/seated_batch.py", "oddville_env/oddville/rules/scoring.py"
    reach_none = [
        ("oddville_env/oddville/svg/symbols.py", "#", "#0"),
        ("oddville_training/report/pictures.py", '"""', '"""A caption. '),
        (scoring, '"""[E3]', '"""[E3] In other words:'),
        ("oddville_env/oddville/rules/coins.py", "- 1", "- 2"),
    ]
    assert compiled_after(*reach_none) == set()
    moves = (batch, "decisions[table, seat] += 1", "decisions[table, seat] -= -1")
    points = (scoring, "points > its_points", "points >= its_points")
    assert compiled_after(moves, points) == {"count", "beats", "ranks"}


DEFAULTS = """
from oddville_env.core.compiled.jit import kernel

@kernel
def grown(number, by=1):
    return number + by

@kernel
def caller(number):
    return grown(number)

print(caller(0), grown(0))
"""


def test_changed_default_argument_recompiles_the_kernel_and_its_callers(tmp_path: Path) -> None:
    module, cache = tmp_path / "defaults.py", tmp_path / "cache"
    cache.mkdir()

    def run(default: int) -> str:
        module.write_text(DEFAULTS.replace("by=1", f"by={default}"))
        return process("import sys; sys.dont_write_bytecode = True; sys.path.insert(0, '..'); import defaults", cache)

    assert (run(1), run(6)) == ("1 1", "6 6")


def test_tables_of_similar_size_share_compiled_code() -> None:
    """numba never frees machine code, so code for each size of tables would fill the memory."""
    from oddville_env.oddville.settings import make_box

    tables = [(columns, lines) for columns in range(1, 100, 24) for lines in range(1, 100, 24)]
    kinds = {(box.games, box.record.dtype) for box in (make_box(table=table) for table in tables)}
    assert len(kinds) <= 5


def test_kernel_is_compiled_once_for_all_integer_widths(places: list[Path]) -> None:
    called = anew(shifted)

    @kernel
    def calls_in_three_ways(numbers):
        return called(numbers[0]) + called(sample_kernels.Colour.RED) + called(1)

    with sample_kernels.counting() as counter:
        assert calls_in_three_ways(np.array([5], np.int8)) == (5 + 7 + 1) + 3 * SHIFT
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
def test_inner_kernels_have_no_machine_code_of_their_own_and_their_errors_reach_python() -> None:
    assert hands_on(np.array([1])) == 1 + SHIFT
    with pytest.raises(ValueError, match="too much"):
        hands_on(np.array([SHIFT + 1]))
    inner = next(iter(refuses.inner.overloads.values()))
    assert inner.library.get_pointer_to_function(inner.fndesc.llvm_func_name) == 0
    outer = next(iter(hands_on.overloads.values()))
    assert outer.library.get_pointer_to_function(outer.fndesc.llvm_func_name) != 0


class Scratch(NamedTuple):
    """Arrays that are passed on together."""

    numbers: np.ndarray
    sums: np.ndarray


@kernel
def adds_up(scratch, at):
    for number in scratch.numbers[at:]:
        scratch.sums[at] += number
    return scratch.sums[at]


@kernel
def borrows(scratch):
    total = 0.0
    for at in range(scratch.sums.size):
        total += adds_up(scratch, at)
    return total


@kernel
def counted(scratch):
    return scratch.numbers[scratch.sums > 0]


@kernel
def owns(scratch):
    doubled, chosen = 2 * scratch.numbers, counted(scratch)
    return scratch.sums[1:], doubled[np.array([0, 1])].sum() + chosen.size + np.zeros(3).size


@kernel
def copies(scratch, text):
    scratch.numbers[1:] = scratch.numbers[:-1]
    return len(text) + scratch.numbers[2]


@kernel
def refuses_by_number(numbers):
    raise ValueError(numbers[0])


@kernel
def remembers(numbers):
    for at in range(numbers.size):
        yield numbers[at]


@pytest.mark.usefixtures("places")
def test_references_are_counted_where_the_code_of_numba_needs_them() -> None:
    scratch, text = Scratch(np.arange(4.0), np.zeros(4)), "".join(["a", "text"])
    assert copies(scratch, text) == 5 + 1
    held = sys.getrefcount(text), sys.getrefcount(scratch.numbers)
    assert copies(scratch, text) == 5 + 0
    assert (sys.getrefcount(text), sys.getrefcount(scratch.numbers)) == held
    with pytest.raises(ValueError, match="0"):
        refuses_by_number(scratch.numbers)
    before, left = sys.getrefcount(scratch.sums), remembers(scratch.sums)
    assert sys.getrefcount(scratch.sums) > before
    assert list(left) == [0, 0, 0, 0]


@pytest.mark.usefixtures("places")
def test_references_are_counted_only_in_kernels_that_make_arrays() -> None:
    scratch = Scratch(np.arange(4.0), np.zeros(4))
    assert borrows(scratch) == 6 + 6 + 5 + 3
    assert "NRT_incref(" not in next(iter(borrows.inspect_llvm().values()))
    _nrt_python.memsys_enable_stats()
    before = rtsys.get_allocation_stats()
    held = [sys.getrefcount(each) for each in scratch]
    for _ in range(5):
        assert [list(owns(scratch)[0]), owns(scratch)[1]] == [[6, 5, 3], 2.0 + 4 + 3]
    after = rtsys.get_allocation_stats()
    assert after.alloc - before.alloc == after.free - before.free > 0
    assert [sys.getrefcount(each) for each in scratch] == held


def test_name_of_a_file_depends_on_what_its_kernel_reads(monkeypatch: pytest.MonkeyPatch) -> None:
    before = cache.fingerprint(anew(called_in_three_ways))
    assert cache.fingerprint(anew(called_in_three_ways)) == before
    monkeypatch.setattr("support.sample_kernels.SHIFT", 4)
    cache._made_of.cache_clear()
    assert cache.fingerprint(anew(called_in_three_ways)) != before
    # a file names the class by its module, and cannot be loaded if the class has moved
    from numba import typeof

    one, other, moved = (NamedTuple("Pair", [(name, int) for name in names]) for names in ("ab", "ba", "ab"))
    moved.__module__ = "elsewhere"
    kinds = [typeof(each(1, 2)) for each in (one, other, moved)]
    assert (len(set(map(str, kinds))), len({str(dispatcher._described(kind)) for kind in kinds})) == (1, 3)


def test_kernel_that_reads_a_list_is_refused(places: list[Path]) -> None:
    with pytest.raises(TypeError, match="kernel reads_a_list reads UNREADABLE, a list, which is not a constant"):
        reads_a_list(1)


def test_overwrite_copies_between_arrays_of_one_shape_and_dtype() -> None:
    numbers, array = np.arange(12, dtype=np.float32).reshape(3, 4), np.zeros((3, 4), np.float32)
    overwrite(array[1], numbers[2])
    assert array.tolist() == [[0] * 4, [8, 9, 10, 11], [0] * 4]
    fixed = np.zeros(4, np.float32)
    fixed.flags.writeable = False
    wrong = [(np.zeros(4), numbers[0]), (array[:, 0], numbers[0, :3]), (np.zeros(9, np.float32), numbers[0])]
    for there, here in [*wrong, (array, numbers.reshape(-1)), (fixed, numbers[0])]:
        with pytest.raises(AssertionError):
            overwrite(there, here)


UNTRIED = """
import sys
import numba
numba.__version__ = "0.99.0"
import warnings
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    from oddville_env.core.compiled import jit
assert [str(each.message) for each in caught if "not tried" in str(each.message)] == [jit.UNTRIED]
assert not hasattr(jit, "Kernel")
"""
SAME_GAMES = """
from oddville_agents import make_agent
from oddville_agents.play import play
from oddville_env.core.game.game_type import game_type
from oddville_env.envs.game_batch import GameBatch, Sampler
from oddville_env.envs.live_game import LiveGame

for name in ("oddville", "oldtown"):
    game = game_type(name)
    box = game.box(game.settings(players=2))
    live = LiveGame(game, box)
    played = play(live, [make_agent(spec, name) for spec in ("greedy", "random")], 1)
    batch, sampler = GameBatch(game, box, game.make_encoder(box, "summary"), 4, 2), Sampler(4, 1)
    batch.deal(1)
    for _ in range(300):
        batch.step(sampler.sample(batch))
    shown = (batch.games, batch.observe(), batch.masks)
    print(name, played.scores, *(array.tobytes().hex() for array in shown))
"""


@pytest.mark.slow
def test_plain_njit_plays_the_same_games_with_an_untried_numba(tmp_path: Path) -> None:
    plain, kept = tmp_path / "plain", tmp_path / "kept"
    plain.mkdir()
    kept.mkdir()
    assert (process(UNTRIED + SAME_GAMES, plain), files(plain)) == (process(SAME_GAMES, kept), set())
    assert files(kept)
