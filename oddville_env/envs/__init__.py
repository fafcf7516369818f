"""Environments of RL libraries over a game."""
