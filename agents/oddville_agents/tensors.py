"""Arrays in files, safetensors and npz: read with numpy alone, and all that a file says is checked.

A safetensors file begins with the length of its header, eight bytes; the header is JSON, name -> dtype, shape and place
of a tensor, and `__metadata__`, words that say what the tensors are for. An npz file is a zip file of arrays as numpy
writes them. Reading either runs no code, and takes no more memory than a few times the file.
"""

import json
import struct
import zipfile
from collections.abc import Mapping, Sequence
from io import BytesIO
from math import inf, prod
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from oddville_env.core.disk.files import MEGABYTE, parse_json, read_whole, written_whole
from oddville_env.core.errors import GameError, shown

LARGEST = 1024 * MEGABYTE  # of a file of arrays
LONGEST = 1 << 16  # bytes of a header
MOST_AXES = 8
NPY = (1, 0)  # the version of the arrays in an npz file
NO_NPZ = (
    zipfile.BadZipFile, zipfile.LargeZipFile, struct.error, EOFError, OSError, ValueError, TypeError, SyntaxError,
    OverflowError, RuntimeError, MemoryError,
)  # fmt: skip
"""The exceptions of zipfile and numpy for bytes that are no npz file."""
LENGTH = struct.Struct("<Q")
DTYPES = {
    "F32": "<f4", "F64": "<f8", "F16": "<f2", "C64": "<c8", "BOOL": "?", "I8": "i1", "I16": "<i2", "I32": "<i4",
    "I64": "<i8", "U8": "u1", "U16": "<u2", "U32": "<u4", "U64": "<u8",
}  # fmt: skip
"""The format's name of a dtype -> numpy's."""


class NetworkError(GameError):
    """A file that holds no network for its purpose, or a damaged one."""


class ArrayKind(NamedTuple):
    """What an array must be. shape: a letter stands for a length that is the same wherever it stands."""

    dtype: Any
    shape: tuple[int | str, ...]
    low: float = -inf
    high: float | np.ndarray = inf
    """The largest value, or those of the last axis."""


def write_tensors(path: Path, tensors: Mapping[str, np.ndarray], metadata: Mapping[str, str]) -> None:
    """Write tensors as float32, whole or not at all, with words about them."""
    header: dict[str, Any] = {"__metadata__": dict(metadata)}
    end = 0
    for name, tensor in tensors.items():
        header[name] = {"dtype": "F32", "shape": list(tensor.shape), "data_offsets": [end, end + 4 * tensor.size]}
        end += 4 * tensor.size
    plain = json.dumps(header).encode()
    plain += b" " * (-len(plain) % 8)
    with written_whole(path, "wb") as file:
        file.write(LENGTH.pack(len(plain)) + plain)
        for tensor in tensors.values():
            file.write(np.ascontiguousarray(tensor, "<f4").tobytes())


def read_tensors(path: Path, error: type[GameError] = NetworkError) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """All tensors of a safetensors file, which must be float32 and finite, and its metadata. Raises the error."""
    tensors, metadata = read_arrays(path, error)
    check_finite(path, tensors, error)
    return tensors, metadata


def read_arrays(path: Path, error: type[GameError]) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """All tensors of a safetensors file, whatever their dtypes, and its metadata. Raises the error."""
    plain = _read(path, error, "safetensors")
    try:
        return _tensors(plain)
    except (ValueError, KeyError, TypeError, AttributeError, struct.error) as problem:
        raise error(f"{path} is damaged or no safetensors file ({problem})") from None


def read_npz(path: Path, error: type[GameError]) -> dict[str, np.ndarray]:
    """All arrays of an npz file that is not packed. Raises the error."""
    plain = _read(path, error, "npz")
    try:
        with zipfile.ZipFile(BytesIO(plain)) as stored:
            return {each.filename.removesuffix(".npy"): _npy(stored, each) for each in stored.infolist()}
    except NO_NPZ as problem:
        raise error(f"{path} is damaged or no npz file ({problem})") from None


def check_arrays(
    source: Path, arrays: Mapping[str, np.ndarray], kinds: Mapping[str, ArrayKind], error: type[GameError]
) -> dict[str, int]:
    """The lengths of the letters in shapes; raises the error for the first array that is not of its kind."""
    lengths: dict[str, int] = {}
    for name in sorted(kinds.keys() | arrays.keys()):
        if name not in arrays or name not in kinds:
            fault = "is missing" if name in kinds else "is not known"
            raise error(f"{source}: {shown(name)} {fault}, expected {', '.join(kinds)}")
        array, kind = arrays[name], kinds[name]
        if array.dtype != kind.dtype or not _fits(array.shape, kind.shape, lengths):
            wanted = f"{np.dtype(kind.dtype)} {[lengths.get(str(each), each) for each in kind.shape]}"
            raise error(f"{source}: {shown(name)} should be {wanted}, not {array.dtype} {list(array.shape)}")
        if not ((array >= kind.low) & (array <= kind.high)).all():  # NaN is neither
            highest = kind.high if isinstance(kind.high, int | float) else "what each of its numbers may be"
            raise error(f"{source}: a number of {shown(name)} is not within {kind.low} to {highest}")
    return lengths


def _fits(shape: Sequence[int], wanted: Sequence[int | str], lengths: dict[str, int]) -> bool:
    """A shape is the one that is wanted; letters get their lengths where they stand first."""
    if len(shape) != len(wanted):
        return False
    expected = [lengths.setdefault(each, size) if isinstance(each, str) else each
                for each, size in zip(wanted, shape, strict=True)]  # fmt: skip
    return list(shape) == expected


def check_finite(source: Path, tensors: Mapping[str, np.ndarray], error: type[GameError]) -> None:
    """Raises the error for the first tensor that is not of finite float32 numbers."""
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


def _tensors(plain: bytes) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    (length,) = LENGTH.unpack_from(plain)
    if not 0 < length <= min(LONGEST, len(plain) - LENGTH.size):
        raise ValueError(f"its header cannot be {length} bytes long")
    header = parse_json(plain[LENGTH.size : LENGTH.size + length])
    metadata = header.pop("__metadata__", {})
    if not all(isinstance(text, str) for text in metadata.values()):
        raise ValueError("its metadata are no texts")
    data, end = memoryview(plain)[LENGTH.size + length :], 0
    tensors = {}
    places = {name: _place(name, about) for name, about in header.items()}
    for name, (low, high, dtype, shape) in sorted(places.items(), key=lambda pair: pair[1][:2]):
        if low != end or high - low != dtype.itemsize * prod(shape) or high > len(data):
            raise ValueError(f"tensor {shown(name)} does not fit its place")
        tensors[name] = _array(data[low:high], dtype, shape)
        end = high
    if end != len(data):
        raise ValueError("bytes lie behind the last tensor")
    return tensors, dict(metadata)


def _place(name: str, about: Mapping[str, Any]) -> tuple[int, int, np.dtype, tuple[int, ...]]:
    """The first byte of a tensor and the one behind it, its dtype and its shape."""
    (low, high), shape = about["data_offsets"], about["shape"]
    if len(shape) > MOST_AXES or not all(type(each) is int and 0 <= each <= LARGEST for each in (low, high, *shape)):
        raise ValueError(f"tensor {shown(name)} has no place or shape of whole numbers")
    return low, high, np.dtype(DTYPES[about["dtype"]]), tuple(shape)


def _npy(stored: zipfile.ZipFile, about: zipfile.ZipInfo) -> np.ndarray:
    """An array of an npz file; one of Python's objects, which only running code would make, is refused."""
    if about.compress_type != zipfile.ZIP_STORED:
        raise ValueError(f"{shown(about.filename)} is packed")
    plain = stored.read(about)
    file = BytesIO(plain)
    if np.lib.format.read_magic(file) != NPY:
        raise ValueError(f"{shown(about.filename)} is no array of version 1.0")
    shape, fortran, dtype = np.lib.format.read_array_header_1_0(file)
    data = memoryview(plain)[file.tell() :]
    if fortran or dtype.hasobject or len(shape) > MOST_AXES or len(data) != dtype.itemsize * prod(shape):
        raise ValueError(f"{shown(about.filename)} does not hold what its header says")
    return _array(data, dtype, shape)


def _array(data: memoryview, dtype: np.dtype, shape: tuple[int, ...]) -> np.ndarray:
    """A copy of some bytes as an array, aligned as compiled code wants it."""
    if dtype == np.bool_ and np.frombuffer(data, np.uint8).max(initial=0) > 1:
        raise ValueError("a truth value is neither 0 nor 1")
    return np.frombuffer(data, dtype).reshape(shape).copy()
