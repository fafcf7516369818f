"""`greedy`: the most points at once."""
