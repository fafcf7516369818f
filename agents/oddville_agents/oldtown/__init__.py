"""Agents that know Old Town."""
