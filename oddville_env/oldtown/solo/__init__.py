"""Chapter O: the solo puzzles, their generator, and the game that solves one."""
