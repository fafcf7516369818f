"""`heuristic`: one-ply search by a value function with fitted weights."""
