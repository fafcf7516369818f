"""Arrays in files, safetensors and npz, and value functions in files: networks, and weights as JSON.

Reading runs no code, and all that a file says is checked.
"""

import hashlib
import json
import struct
import zipfile
from collections.abc import Callable, Iterable, Mapping
from io import BytesIO
from math import inf
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import safetensors.numpy

from oddville_env.core.disk.files import atomic_write
from oddville_env.core.disk.reading import MEGABYTE, JsonFormat, kept_by_file, parse_json, read_whole
from oddville_env.core.errors import GameError, located, shown

LARGEST = 1024 * MEGABYTE  # of a file of arrays
LENGTH = struct.Struct("<Q")  # of a safetensors header, which lies behind it
NO_TENSORS = (safetensors.SafetensorError, AttributeError, KeyError, OverflowError, TypeError, ValueError)
NO_NPZ = (
    zipfile.BadZipFile, zipfile.LargeZipFile, struct.error, EOFError, OSError, ValueError, TypeError, SyntaxError,
    OverflowError, RuntimeError, MemoryError,
)  # fmt: skip
"""The exceptions of zipfile and numpy for bytes that are no npz file."""


class NetworkError(GameError):
    """A damaged file, or one without a network for its purpose."""


class ArrayKind(NamedTuple):
    """A kind of arrays. In the shape a letter stands for one length, the same in all arrays."""

    dtype: Any
    shape: tuple[int | str, ...]
    low: float = -inf
    high: float | np.ndarray = inf
    """The largest value, or the largest ones along the last axis."""


def write_tensors(path: Path, tensors: Mapping[str, np.ndarray], metadata: Mapping[str, str]) -> None:
    """Write tensors as float32, whole or not at all, with texts about them.

    The tensors stand in the given order: the library's own writer sorts them, and a network's bytes are its identity.
    """
    header: dict[str, Any] = {"__metadata__": dict(metadata)}
    end = 0
    for name, tensor in tensors.items():
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [end, end + 4 * tensor.size]}
        end += 4 * tensor.size
    plain = json.dumps(header).encode()
    plain += b" " * (-len(plain) % 8)
    with atomic_write(path, "wb") as file:
        file.write(LENGTH.pack(len(plain)) + plain)
        for tensor in tensors.values():
            file.write(np.ascontiguousarray(tensor, "<f4").tobytes())


def read_tensors(path: Path, error: type[GameError] = NetworkError) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """Return the tensors and the metadata of a safetensors file; raises `error`, also for other than finite float32."""
    tensors, metadata = read_arrays(path, error)
    check_finite(path, tensors, error)
    return tensors, metadata


def read_arrays(path: Path, error: type[GameError]) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """Return the tensors of any dtypes and the metadata of a safetensors file; raises `error`."""
    plain = _read(path, error, "safetensors")
    try:
        tensors = safetensors.numpy.load(plain)
        header = parse_json(plain[LENGTH.size : LENGTH.size + LENGTH.unpack_from(plain)[0]])
        return {name: _plain(tensor) for name, tensor in tensors.items()}, dict(header.get("__metadata__", {}))
    except NO_TENSORS as problem:
        raise error(f"{path} is damaged or not a safetensors file ({problem})") from None


def read_npz(path: Path, error: type[GameError]) -> dict[str, np.ndarray]:
    """Return the arrays of an uncompressed npz file; raises `error`."""
    plain = _read(path, error, "npz")
    try:
        with zipfile.ZipFile(BytesIO(plain)) as stored:
            if any(each.compress_type != zipfile.ZIP_STORED for each in stored.infolist()):
                raise ValueError("an array is packed")
        with np.load(BytesIO(plain), allow_pickle=False) as arrays:
            found = {name: arrays[name] for name in arrays.files}
        if not all(isinstance(each, np.ndarray) for each in found.values()):
            raise ValueError("a part is not an array")
        return {name: _plain(each) for name, each in found.items()}
    except NO_NPZ as problem:
        raise error(f"{path} is damaged or not an npz file ({problem})") from None


def check_arrays(
    source: Path, arrays: Mapping[str, np.ndarray], kinds: Mapping[str, ArrayKind], error: type[GameError]
) -> dict[str, int]:
    """Return the lengths of the letters in shapes; raises `error` for the first array that is not of its kind."""
    lengths: dict[str, int] = {}
    for name in sorted(kinds.keys() | arrays.keys()):
        if name not in arrays:
            raise error(f"{source}: {shown(name)} is missing")
        if name not in kinds:
            raise error(f"{source}: {shown(name)} is not known, expected {', '.join(sorted(kinds))}")
        array, kind = arrays[name], kinds[name]
        pairs = zip(kind.shape, array.shape, strict=False)
        expected = [lengths.setdefault(each, size) if isinstance(each, str) else each for each, size in pairs]
        if array.dtype != kind.dtype or array.ndim != len(kind.shape) or list(array.shape) != expected:
            wanted = f"{np.dtype(kind.dtype)} {[lengths.get(str(each), each) for each in kind.shape]}"
            raise error(f"{source}: {shown(name)} should be {wanted}, not {array.dtype} {list(array.shape)}")
        if not ((array >= kind.low) & (array <= kind.high)).all():  # NaN is neither
            highest = kind.high if isinstance(kind.high, int | float) else "what each of its numbers may be"
            raise error(f"{source}: a number of {shown(name)} is not within {kind.low} to {highest}")
    return lengths


def zeros(kinds: Mapping[str, ArrayKind], **lengths: int) -> dict[str, np.ndarray]:
    """Return an array of zeros of each kind; lengths: those of the letters in shapes."""
    sizes = {name: [lengths[n] if isinstance(n, str) else n for n in kind.shape] for name, kind in kinds.items()}
    return {name: np.zeros(sizes[name], kind.dtype) for name, kind in kinds.items()}


def check_finite(source: Path, tensors: Mapping[str, np.ndarray], error: type[GameError]) -> None:
    """Raise `error` for the first tensor that is not of finite float32 numbers."""
    for name, tensor in tensors.items():
        if tensor.dtype != np.float32:
            raise error(f"{source}: {shown(name)} must be of float32 numbers, not {tensor.dtype}")
        if not np.isfinite(tensor).all():
            raise error(f"{source}: {shown(name)} must be of finite numbers, not NaN or infinite ones")


def _read(path: Path, error: type[GameError], form: str) -> bytes:
    try:
        return read_whole(path, LARGEST)
    except OSError as problem:
        raise error(f"{path} cannot be read ({problem.strerror}), expected a {form} file") from None


def _plain(array: np.ndarray) -> np.ndarray:
    """An array as compiled code takes it: contiguous, writable, aligned, and with truth values that are 0 or 1."""
    if array.dtype == np.bool_ and array.view(np.uint8).max(initial=0) > 1:
        raise ValueError("a truth value is neither 0 nor 1")
    return np.require(array, requirements=["C", "A", "W"])


Shapes = Mapping[str, tuple[int, ...]]  # the shapes of a network's tensors by name
MOST = 1e6  # of any weight, so that no product overflows


class Group(NamedTuple):
    """A named group of a value network's inputs."""

    name: str
    size: int
    text: str


def size_of(groups: Iterable[Group]) -> int:
    """Return the number of inputs."""
    return sum(group.size for group in groups)


def names_of(groups: Iterable[Group]) -> str:
    """Return the groups' names and sizes, for the metadata of a file."""
    return " ".join(f"{group.name}:{group.size}" for group in groups)


def digest_of(groups: Iterable[Group]) -> str:
    """Return a hash of the groups' names and sizes. A network fits only the inputs that it was trained on."""
    plain = [(group.name, group.size) for group in groups]
    return hashlib.sha256(repr(plain).encode()).hexdigest()[:16]


def aligned_record(*fields: tuple[Any, ...]) -> np.dtype:
    """Return the dtype of a C-aligned record with fields (name, dtype) or (name, dtype, shape)."""
    return np.dtype((np.record, np.dtype(list(fields), align=True)))


LINE = 64  # bytes of memory that a processor loads at once, if they begin at a multiple


def record_of_lines(*fields: tuple[Any, ...]) -> np.dtype:
    """Return `aligned_record`, padded to whole LINEs."""
    padding = LINE - aligned_record(*fields).itemsize % LINE
    return aligned_record(*fields, ("padding", "u1", (padding,)))


def zeros_in_lines(number: int, dtype: np.dtype) -> np.ndarray:
    """Return so many zeros that begin with a LINE; matrices in them are multiplied faster than in numpy's own."""
    size = number * dtype.itemsize
    memory = np.zeros(size + LINE, np.uint8)
    start = -memory.ctypes.data % LINE
    return memory[start : start + size].view(dtype)


class ValueFiles:
    """The files of a game's value networks.

    Args:
        form: the name of their format.
        digest: of their inputs.
        architectures: names -> shapes of the tensors; the first one is the default of files that name none.
        networks: those of the package, known by the names of their files.
    """

    def __init__(self, form: str, digest: str, architectures: Mapping[str, Shapes], *networks: Path) -> None:
        self._about = {"format": form, "layout": digest}
        self._architectures = architectures
        self._networks = {path.stem: path for path in networks}
        self.read = kept_by_file(self._read)

    def named(self, name: str) -> dict[str, np.ndarray]:
        """Return the tensors of a network of the package or of a file. Raises NetworkError."""
        return self.read(self._networks.get(name, Path(name)))

    def _read(self, path: Path) -> dict[str, np.ndarray]:
        tensors, metadata = read_tensors(path)
        if {name: metadata.get(name) for name in self._about} != self._about:
            expected = " ".join(self._about.values())
            raise NetworkError(f"{path} holds no value network of this layout, expected {expected}")
        architecture = metadata.get("architecture", next(iter(self._architectures)))
        if architecture not in self._architectures:
            known = ", ".join(self._architectures)
            raise NetworkError(f"{path} holds a network of the architecture {shown(architecture)}, expected {known}")
        shapes = self._architectures[architecture]
        kinds = {name: ArrayKind(np.float32, shape, -MOST, MOST) for name, shape in shapes.items()}
        check_arrays(path, tensors, kinds, NetworkError)
        return tensors

    def write(self, path: Path, tensors: Mapping[str, np.ndarray], made: dict[str, Any]) -> None:
        """Write a network atomically, with how it was made."""
        shapes = {name: tensor.shape for name, tensor in tensors.items()}
        about = {**self._about, "made": json.dumps(made)}
        for name, known in self._architectures.items():
            if known == shapes:
                about["architecture"] = name
        write_tensors(path, tensors, about)


class WeightsError(GameError):
    """A set of weights that does not exist, or that does not name exactly the known weights."""


class WeightFiles:
    """The weight files of a game.

    Args:
        form: the name of their format.
        folder: of the package's sets.
        sets: set names -> file names, in which `{players}` stands for the number of players.
        parse: the contents of a file -> weights [1]; raises WeightsError.
    """

    def __init__(
        self, form: str, folder: Path, sets: Mapping[str, str], parse: Callable[[dict[str, Any]], np.ndarray]
    ) -> None:
        self._format = JsonFormat(form, 1, "weights of a value function", WeightsError)
        self._folder, self._sets, self._parse = folder, sets, parse
        self._read = kept_by_file(self._read_file)

    def weight_set(self, name: str, players: int) -> np.ndarray:
        """Return the weights [1] of a set for this number of players, or of a json file. Raises WeightsError."""
        return self._read(self._path(name, players))[0]

    def how_made(self, name: str, players: int) -> dict[str, Any]:
        """Return how a set was made and its results; empty for a hand-set one. Raises WeightsError."""
        return self._read(self._path(name, players))[1]

    def write(self, path: Path, plain: Mapping[str, Any]) -> None:
        """Write the contents of a file atomically."""
        self._format.write(path, plain)

    def _path(self, name: str, players: int) -> Path:
        if str(name).endswith(".json"):
            return Path(name)
        if name not in self._sets:
            raise WeightsError(f"there are no weights {shown(name)}: expected {', '.join(self._sets)} or a .json file")
        return self._folder / self._sets[name].format(players=max(players, 2))

    def _read_file(self, path: Path) -> tuple[np.ndarray, dict[str, Any]]:
        plain = self._format.read(path)
        with located(path, WeightsError):
            weights = self._parse(plain)
        return read_only(weights), plain.get("made", {})


def read_only(weights: np.ndarray) -> np.ndarray:
    """Return a read-only view. All callers use one, because numba compiles again for writable arrays."""
    view = weights.view()
    view.flags.writeable = False
    return view
