"""Where the formula was up to version 0.1.0: `value/formula/prospects.py` has it."""

from oddville_agents.oddville.value.formula.prospects import prospects, values, worth_of_move

__all__ = ["prospects", "values", "worth_of_move"]
