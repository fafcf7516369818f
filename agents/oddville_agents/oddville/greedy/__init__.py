"""`greedy`: one move ahead, by a value function."""
