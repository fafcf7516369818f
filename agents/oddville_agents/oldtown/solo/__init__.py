"""Agents that solve Old Town's puzzles for one."""
