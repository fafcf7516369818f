"""`champion`: one move ahead, judged by a network that learned from its own games."""
