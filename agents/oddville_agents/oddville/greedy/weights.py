"""The names of the weights in version 0.1.0: `value/formula/weights.py` has them."""

from oddville_agents.oddville.value.formula.weights import weight_set

__all__ = ["weight_set"]
