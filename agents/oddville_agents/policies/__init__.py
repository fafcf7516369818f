"""Trained policies as agents: their files, the networks that they are of, and how they play."""
