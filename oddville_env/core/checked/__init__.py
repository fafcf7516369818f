"""Checks of values that come from outside."""
