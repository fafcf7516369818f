"""Tournaments: who plays whom, where it is played, what is written down."""
