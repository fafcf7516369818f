"""Networks as files: safetensors, read with numpy alone, every number checked.

A file begins with the length of its header, eight bytes; the header is JSON, name -> dtype, shape and place of a
tensor, and `__metadata__`, words that say what the network is for. Reading one runs no code.
"""

import errno
import json
import os
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from oddville_env.core.errors import OddVilleError, shown
from oddville_env.core.files import written_whole

LONGEST = 1 << 16  # bytes of a header
LENGTH = struct.Struct("<Q")
DTYPES = {
    "F32": "<f4", "F64": "<f8", "F16": "<f2", "C64": "<c8", "BOOL": "?", "I8": "i1", "I16": "<i2", "I32": "<i4",
    "I64": "<i8", "U8": "u1", "U16": "<u2", "U32": "<u4", "U64": "<u8",
}  # fmt: skip
"""What the format calls a dtype -> numpy's own."""


class NetworkError(OddVilleError):
    """A file that holds no network for its purpose, or a damaged one."""


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


def read_tensors(path: Path, error: type[OddVilleError] = NetworkError) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """All tensors of a safetensors file, which must be float32 and finite, and its metadata. Raises the error."""
    try:
        if not path.is_file():  # a pipe in a stranger's folder would be waited for
            raise FileNotFoundError(errno.ENOENT, os.strerror(errno.ENOENT))
        plain = path.read_bytes()
    except OSError as problem:
        raise error(f"{path} cannot be read ({problem.strerror}), expected a network in safetensors") from None
    try:
        tensors, metadata = _tensors(plain)
    except (ValueError, KeyError, TypeError, AttributeError, struct.error, RecursionError) as problem:
        raise error(f"{path} is damaged or no safetensors file ({problem})") from None
    check_finite(path, tensors, error)
    return tensors, metadata


def check_finite(source: Path, tensors: Mapping[str, np.ndarray], error: type[OddVilleError]) -> None:
    """Raises the error for the first tensor that is not of finite float32 numbers."""
    for name, tensor in tensors.items():
        if tensor.dtype != np.float32:
            raise error(f"{source}: {shown(name)} must be of float32 numbers, not {tensor.dtype}")
        if not np.isfinite(tensor).all():
            raise error(f"{source}: {shown(name)} must be of finite numbers, not NaN or infinite ones")


def _tensors(plain: bytes) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    (length,) = LENGTH.unpack_from(plain)
    if not 0 < length <= min(LONGEST, len(plain) - LENGTH.size):
        raise ValueError(f"its header cannot be {length} bytes long")
    header = json.loads(plain[LENGTH.size : LENGTH.size + length])
    metadata = header.pop("__metadata__", {})
    data, end = memoryview(plain)[LENGTH.size + length :], 0
    tensors = {}
    for name, about in sorted(header.items(), key=lambda pair: pair[1]["data_offsets"]):
        low, high = about["data_offsets"]
        shape, dtype = tuple(about["shape"]), np.dtype(DTYPES[about["dtype"]])
        if low != end or high - low != dtype.itemsize * int(np.prod(shape)) or high > len(data):
            raise ValueError(f"tensor {name!r} does not fit its place")
        tensors[name] = np.frombuffer(data[low:high], dtype).reshape(shape)
        end = high
    if end != len(data):
        raise ValueError("bytes lie behind the last tensor")
    return tensors, dict(metadata)
