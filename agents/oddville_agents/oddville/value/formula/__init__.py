"""The formula of greedy: what a seat may hope for, and how likely each seat is to win."""
