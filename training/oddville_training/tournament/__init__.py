"""Tournaments: schedules, executors, and the files of a run."""
