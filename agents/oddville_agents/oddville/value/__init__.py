"""A learned value: greedy's formula and a small network that corrects it, for every seat."""
