"""The groups that a program's help shows its commands in."""

PANELS = {
    "Play": ("play", "watch", "solve", "puzzles"),
    "Learn": ("train", "imitate", "evaluate", "dataset", "export"),
    "Compete": ("agents", "simulate", "tournament", "ladder", "benchmark", "report"),
    "Records": ("view", "verify", "replay", "draw", "film", "analyse"),
    "Tools": ("doctor", "warm", "cards", "tables", "perft", "bench"),
}
"""By their titles, in the order of the help: the names of commands and of groups of them."""


def panel_of(name: str) -> str:
    """The title of the group that a command stands in; what no group names is a tool."""
    return next((title for title, names in PANELS.items() if name in names), "Tools")


def place_of(name: str) -> int:
    """Where a command stands in the help, from 0; those that no group names come last."""
    names = [each for group in PANELS.values() for each in group]
    return names.index(name) if name in names else len(names)
