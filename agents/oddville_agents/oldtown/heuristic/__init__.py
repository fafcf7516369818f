"""`heuristic`: looks one move ahead and judges what it sees by tuned weights."""
