"""Agents of any game: random moves, `casual`, and trained policies with their files and architectures."""
