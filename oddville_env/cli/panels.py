"""The commands that every game has, in the groups that the help of a program shows them in."""

PANELS = {
    "Play": ("play", "watch"),
    "Learn": ("train", "selfplay", "imitate", "evaluate", "dataset", "export"),
    "Compete": ("agents", "simulate", "tournament", "ladder", "benchmark", "report"),
    "Records": ("view", "verify", "replay", "draw", "film", "analyse"),
    "Tools": ("doctor", "warm", "cards", "tables", "perft", "bench"),
}
"""By the titles of the groups, in the order of the help: modules of `commands`, each of which holds the function of its
name, or adds a group of commands."""
OF_ONE_GAME = "Play"  # where commands stand that only one game has
COMMANDS = tuple(name for names in PANELS.values() for name in names)


def panel_of(name: str) -> str:
    """The title of the group that a command stands in."""
    return next((title for title, names in PANELS.items() if name in names), OF_ONE_GAME)
