"""Agents for OddVille."""
