"""The names of the formula in version 0.1.0: `value/formula/values.py` has it."""

from oddville_agents.oddville.value.formula.values import relative_value as prospects
from oddville_agents.oddville.value.formula.values import value_after_move as worth_of_move
from oddville_agents.oddville.value.formula.values import values

__all__ = ["prospects", "values", "worth_of_move"]
