"""Training of agents."""

GAMES = ("oddville",)
"""The names of the games that there are networks for."""
