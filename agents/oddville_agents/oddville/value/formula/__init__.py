"""The formula of greedy: the value of every seat in points, and how likely each seat is to win."""
