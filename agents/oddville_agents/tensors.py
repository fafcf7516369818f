"""Networks as files: safetensors, read with numpy alone, every number checked.

A file begins with the length of its header, eight bytes; the header is JSON, name -> dtype, shape and place of a
tensor, and `__metadata__`, words that say what the network is for. Reading one runs no code.
"""

import json
import struct
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from oddville_env.core.errors import OddVilleError
from oddville_env.core.files import written_whole

LONGEST = 1 << 16  # bytes of a header
LENGTH = struct.Struct("<Q")


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


def read_tensors(path: Path) -> tuple[dict[str, np.ndarray], dict[str, str]]:
    """All tensors of a safetensors file, which must be float32 and finite, and its metadata. Raises NetworkError."""
    try:
        plain = path.read_bytes()
    except OSError as error:
        raise NetworkError(f"{path} cannot be read ({error.strerror}), expected a network in safetensors") from None
    try:
        return _tensors(plain)
    except (ValueError, KeyError, TypeError, struct.error, RecursionError) as error:
        raise NetworkError(f"{path} is damaged or no safetensors file ({error})") from None


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
        shape = tuple(about["shape"])
        if about["dtype"] != "F32" or low != end or high - low != 4 * int(np.prod(shape)) or high > len(data):
            raise ValueError(f"tensor {name!r} does not fit its place")
        tensors[name] = np.frombuffer(data[low:high], "<f4").reshape(shape)
        if not np.isfinite(tensors[name]).all():
            raise ValueError(f"tensor {name!r} holds numbers that are not finite")
        end = high
    if end != len(data):
        raise ValueError("bytes lie behind the last tensor")
    return tensors, dict(metadata)
