"""Agents for Old Town."""
