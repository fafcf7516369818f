"""`champion`: a short race between its moves in dealt games, judged by a network that learned from its own games."""
