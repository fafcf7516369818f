"""Tuning of the weights of built-in agents."""
