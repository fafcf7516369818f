"""Agents for Old Town's puzzles."""
