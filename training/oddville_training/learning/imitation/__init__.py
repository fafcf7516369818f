"""Imitation: data sets of an agent's decisions, and a policy that is fitted to them."""
