"""The programs `oddville` and `oldtown`. Imports are late, so that Ctrl-C during loading ends quietly."""

import sys

INTERRUPTED = 130  # the exit code after Ctrl-C


def main() -> None:
    """The program `oddville`."""
    run("oddville")


def oldtown() -> None:
    """The program `oldtown`."""
    run("oldtown")


def run(name: str) -> None:
    """Run the program of a game; Ctrl-C ends it quietly."""
    try:
        from oddville_env.cli.app import run as run_app
        from oddville_env.core.game.game_type import game_type

        run_app(game_type(name))
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        sys.exit(INTERRUPTED)
