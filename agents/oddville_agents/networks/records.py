"""Records for compiled code."""

from typing import Any

import numpy as np


def aligned_record(*fields: tuple[Any, ...]) -> np.dtype:
    """The dtype of a record with these fields, (name, dtype) or (name, dtype, shape), aligned as C aligns them."""
    return np.dtype((np.record, np.dtype(list(fields), align=True)))
