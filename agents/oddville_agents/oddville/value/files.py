"""Networks as files: safetensors, read with numpy alone, every number checked.

A file begins with the length of its header, eight bytes; the header is JSON, name -> dtype, shape and place of a
tensor, and `__metadata__`, words that say what the network is for. Reading one runs no code.
"""

import json
import struct
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from oddville_agents.oddville.value.layout import digest
from oddville_agents.oddville.value.network import TENSORS
from oddville_env.core.errors import OddVilleError
from oddville_env.core.files import written_whole

LEARNED = Path(__file__).resolve().parent / "learned.safetensors"
"""The network that comes with the package, for any number of players."""
FORMAT = "oddville-value"
LONGEST = 1 << 16  # bytes of a header
LENGTH = struct.Struct("<Q")


class NetworkError(OddVilleError):
    """A file that holds no network for this value, or a damaged one."""


def network_of(name: str) -> dict[str, np.ndarray] | None:
    """The tensors that `learned` or a file means; None for `formula`. Raises NetworkError."""
    if name == "formula":
        return None
    return read_network(LEARNED if name == "learned" else Path(name))


@cache
def read_network(path: Path) -> dict[str, np.ndarray]:
    """The tensors of a file. Raises NetworkError."""
    tensors, metadata = read_tensors(path)
    found = (metadata.get("format"), metadata.get("layout"))
    if found != (FORMAT, digest()):
        raise NetworkError(f"{path} holds no value network of this layout, expected {FORMAT} {digest()}")
    shapes = {name: tensor.shape for name, tensor in tensors.items()}
    if shapes != TENSORS:
        raise NetworkError(f"{path} holds other tensors than expected: {shapes}")
    return tensors


def write_network(path: Path, tensors: dict[str, np.ndarray], made: dict[str, Any]) -> None:
    """Write a network, whole or not at all, with how it was made."""
    metadata = {"format": FORMAT, "layout": digest(), "made": json.dumps(made)}
    header: dict[str, Any] = {"__metadata__": metadata}
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
