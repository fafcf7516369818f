"""Chapter O: the solo puzzles, their solver and their generator."""
