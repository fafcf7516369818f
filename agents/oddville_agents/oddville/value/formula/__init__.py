"""The formula of `greedy`: every seat's value in points and its chance to win."""
