"""Puzzles and what follows from their clues: solutions, and proofs in sentences."""
