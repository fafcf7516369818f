"""The programs: one for each game. Little is imported before Ctrl-C is listened for."""

import sys

INTERRUPTED = 130  # the exit code after Ctrl-C


def main() -> None:
    """The program `oddville`."""
    run("oddville")


def oldtown() -> None:
    """The program `oldtown`."""
    run("oldtown")


def run(name: str) -> None:
    """The program of a game, by its name; Ctrl-C while it is loaded ends it quietly, as it does later."""
    try:
        from oddville_env.cli.app import run as run_app
        from oddville_env.core.game.game_type import game_type

        run_app(game_type(name))
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        sys.exit(INTERRUPTED)
