"""Copies of arrays and bits of masks, in compiled code and outside."""

from typing import Any

import numpy as np
from llvmlite import ir
from numba import config, types
from numba.core import cgutils
from numba.extending import intrinsic

from oddville_env.core.compiled.jit import kernel
from oddville_env.core.errors import SettingError

BITS = 64  # of a mask that are read at once

if config.DISABLE_JIT:

    def _copy(array: Any, numbers: Any) -> None:
        assert (array.dtype, array.shape) == (numbers.dtype, numbers.shape)
        array[...] = numbers

    def _bits(mask: Any, start: int) -> Any:
        return np.packbits(mask[start : start + BITS] != 0, bitorder="little").view(np.uint64)[0]

    def count_bits(bits: Any) -> int:
        """How many bits of a uint64 are set."""
        return int(bits).bit_count()

else:

    @intrinsic  # type: ignore[untyped-decorator]
    def _copy(typing: Any, array: Any, numbers: Any) -> Any:
        """Copy as many bytes as the array has."""
        assert (array.dtype, array.ndim) == (numbers.dtype, numbers.ndim)
        assert array.mutable
        assert all(each.is_c_contig for each in (array, numbers))

        def write(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            pairs = zip(signature.args, values, strict=True)
            to, source = (context.make_array(kind)(context, builder, each) for kind, each in pairs)
            cgutils.raw_memcpy(builder, to.data, source.data, to.nitems, to.itemsize)
            return context.get_dummy_value()

        return types.void(array, numbers), write

    @intrinsic  # type: ignore[untyped-decorator]
    def _bits(typing: Any, mask: Any, start: Any) -> Any:
        """Load BITS bytes, and compare them with 0 by a few vector instructions."""
        if not mask.is_c_contig or mask.dtype not in (types.boolean, types.int8):
            raise SettingError(f"a mask must be a contiguous array of bool or int8, not {mask}")

        def write(context: Any, builder: Any, signature: Any, values: Any) -> Any:
            data = builder.gep(context.make_array(mask)(context, builder, values[0]).data, [values[1]])
            numbers = ir.VectorType(ir.IntType(8), BITS)
            loaded = builder.load(builder.bitcast(data, numbers.as_pointer()), align=1)
            marks = builder.icmp_unsigned("!=", loaded, ir.Constant(numbers, None))
            return builder.bitcast(marks, ir.IntType(BITS))

        return types.uint64(mask, types.intp), write

    @intrinsic  # type: ignore[untyped-decorator]
    def count_bits(typing: Any, bits: Any) -> Any:
        """How many bits of a uint64 are set."""
        return types.int64(types.uint64), lambda context, builder, signature, values: builder.ctpop(values[0])


@kernel
def bits_from(mask: Any, start: Any) -> Any:
    """The next BITS marks of a mask [A], A >= BITS, as the bits of a uint64, the lowest first; 0 behind the end."""
    first = min(start, mask.size - BITS)
    return _bits(mask, first) >> np.uint64(start - first)


@kernel
def overwrite(array: Any, numbers: Any) -> None:
    """Copy numbers over those of an array of the same shape and dtype; both are contiguous.

    numba's own `array[:] = numbers` compiles the formatting of its error message too, which takes two seconds.
    """
    assert array.size == numbers.size
    _copy(array, numbers)


def copied(games: np.ndarray) -> np.ndarray:
    """Return a copy of states [B], all bytes at once: numpy's copy, field by field, takes six times as long."""
    return games.view(np.uint8).copy().view(games.dtype)
