"""The normal distribution."""

Z = 1.959964  # two-sided 95 % of the normal distribution
