"""Untrusted arrays: files of games and of decisions are checked before compiled code or torch reads them."""

import io
import re
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

pytest.importorskip("torch", reason="training needs the extra train")

from oddville_env.oddville.rules.state import fields
from oddville_env.oddville.settings import make_box
from oddville_training.learning.imitation import fit
from oddville_training.learning.imitation.data_set import DataSetError, DataSetSpec, files_of, make, save
from oddville_training.oddville.selfplay.positions import load
from oddville_training.oddville.selfplay.positions import save as save_positions
from oddville_training.selfplay.plan import PlanError
from oddville_training.work.pools import here
from support.training.small_selfplay import noted

BOX = make_box(2)
Arrays = dict[str, np.ndarray]
Damage = Callable[[Arrays], None]


@pytest.fixture(scope="module")
def stored(tmp_path_factory: pytest.TempPathFactory) -> Arrays:
    """The arrays of a file of games with what a search said of them."""
    path = tmp_path_factory.mktemp("games") / "games.npz"
    save_positions(path, noted(BOX, 4, sims=4))
    assert len(load(path, BOX).states) > 20
    with np.load(path) as plain:
        return dict(plain)


def refused(path: Path, arrays: Arrays) -> str:
    """What is said of a file with these arrays."""
    np.savez(path, **arrays)
    with pytest.raises(PlanError) as told:
        load(path, BOX)
    assert str(path) in str(told.value)
    assert "\n" not in str(told.value)
    return str(told.value)


def changed(name: str, value: Any, at: Any = 0) -> Damage:
    def damage(arrays: Arrays) -> None:
        arrays[name] = arrays[name].copy()
        arrays[name][at] = value

    return damage


def of_dtype(name: str, dtype: Any) -> Damage:
    return lambda arrays: arrays.update({name: arrays[name].astype(dtype)})


@pytest.mark.parametrize(("damage", "sentence"), [
    (lambda arrays: arrays.pop("moves"), "'moves' is missing"),
    (lambda arrays: arrays.update(more=np.zeros(2)), "'more' is not known"),
    (of_dtype("moves", np.int64), r"'moves' should be int16 \[\d+\], not int64"),
    (lambda arrays: arrays.update(states=arrays["states"][:, :-1]), "'states' should be uint8"),
    (changed("moves", -1), "a number of 'moves' is not within 0 to"),
    (changed("winners", 2), "a number of 'winners' is not within 0 to 1"),
    (changed("values", np.nan), "a number of 'values' is not within"),
    (changed("edges", 2**31 - 1, -1), "its edges do not lie one behind the other"),
    (changed("used", 0), "its arrays are of different lengths"),
    (changed("moves", 0, slice(None)), r"a move from position \d+ is not legal"),
])  # fmt: skip
def test_games_of_impossible_arrays_are_refused(stored: Arrays, tmp_path: Path, damage: Damage, sentence: str) -> None:
    arrays = dict(stored)
    damage(arrays)
    told = refused(tmp_path / "games.npz", arrays)
    assert re.search(sentence, told), told


@pytest.mark.parametrize("field", fields(BOX.games["ground"].shape[0], BOX.layout.slots), ids=lambda field: field.name)
def test_a_state_with_a_field_out_of_its_range_is_refused(stored: Arrays, tmp_path: Path, field: Any) -> None:
    place = BOX.games.fields[field.name][1]
    least, most = (0, 255) if field.dtype == "?" else (np.iinfo(field.dtype).min, np.iinfo(field.dtype).max)
    for value in {least, most} - set(range(field.low, field.high + 1)) if field.name != "seed" else ():
        states, size = stored["states"].copy(), np.dtype(field.dtype).itemsize
        states[1, place : place + size] = np.frombuffer(int(value).to_bytes(size, "little", signed=value < 0), np.uint8)
        told = refused(tmp_path / "games.npz", stored | {"states": states})
        assert f"position 1 can be in no game ({field.name} is not within" in told


def test_a_state_that_contradicts_itself_is_refused(stored: Arrays, tmp_path: Path) -> None:
    for name, value in (("frontier_size", 40), ("city_size", 23), ("coins", 5), ("holding", 3)):
        states = stored["states"].copy()
        states.reshape(-1).view(BOX.games)[name][0] = value
        assert "position 0 can be in no game" in refused(tmp_path / "games.npz", stored | {"states": states})


def test_arrays_that_are_packed_or_lie_about_their_size_are_refused(stored: Arrays, tmp_path: Path) -> None:
    path = tmp_path / "games.npz"
    np.savez_compressed(path, **stored)
    with pytest.raises(PlanError, match="is packed"):
        load(path, BOX)
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "|u1", "fortran_order": False, "shape": (10**12,)})
    with zipfile.ZipFile(path, "w") as file:
        file.writestr("states.npy", header.getvalue())
    with pytest.raises(PlanError, match="damaged or no npz file"):
        load(path, BOX)
    for name, content in (("a.txt", b"hello"), ("a.npy", b"hello"), ("a.npy", b"")):
        with zipfile.ZipFile(path, "w") as file:
            file.writestr(name, content)
        with pytest.raises(PlanError, match="damaged or no npz file"):
            load(path, BOX)


def test_reading_games_runs_no_code(stored: Arrays, tmp_path: Path) -> None:
    class Evil:
        def __reduce__(self) -> tuple[Any, tuple[Path]]:
            return Path.touch, (tmp_path / "ran",)

    told = refused(tmp_path / "games.npz", stored | {"games": np.array([Evil()])})
    assert "damaged or no npz file" in told
    assert not (tmp_path / "ran").exists()


@pytest.fixture(scope="module")
def decisions(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Arrays]:
    """A data set, and the tensors of its file."""
    from safetensors.numpy import load_file

    folder = tmp_path_factory.mktemp("set")
    make(folder, DataSetSpec("greedy", games=2), here, progress=False)
    return folder, load_file(files_of(folder)[0])


@pytest.mark.parametrize(("damage", "sentence"), [
    (lambda tensors: tensors.pop("masks"), "'masks' is missing"),
    (changed("moves", 30_000), "a number of 'moves' is not within 0 to"),
    (changed("masks", False, slice(None)), "a move is not legal"),
    (changed("observations", 255, slice(None)), "a number of 'observations' is not within"),
    (of_dtype("masks", np.uint8), "'masks' should be bool"),
    (lambda tensors: tensors.update(ranks=tensors["ranks"][:, :1].copy()), "'ranks' should be int16"),
    (lambda tensors: tensors.update(shares=np.full(tensors["masks"].shape, np.nan, np.float16)), "'shares' is not"),
])  # fmt: skip
def test_data_set_of_impossible_tensors_is_told(decisions: tuple[Path, Arrays], damage: Damage, sentence: str) -> None:
    folder, tensors = decisions[0], dict(decisions[1])
    damage(tensors)
    save(files_of(folder)[0], tensors)
    with pytest.raises(DataSetError, match=sentence) as told:
        list(fit.fit_steps(folder, fit.Imitate(epochs=1)))
    assert "\n" not in str(told.value)


def test_a_data_set_whose_file_or_description_is_damaged_is_refused(decisions: tuple[Path, Arrays]) -> None:
    folder, about = decisions[0], decisions[0] / "about.json"
    plain = about.read_text()
    for was, now in (('"players": 2', '"players": null'), ('"game": "oddville"', '"game": []'), ("features", "x")):
        about.write_text(plain.replace(was, now))
        with pytest.raises(DataSetError, match=str(about)):
            list(fit.fit_steps(folder, fit.Imitate(epochs=1)))
    about.write_text(plain)
    files_of(folder)[0].write_bytes(b"no tensors")
    with pytest.raises(DataSetError, match="damaged or no safetensors file"):
        list(fit.fit_steps(folder, fit.Imitate(epochs=1)))
