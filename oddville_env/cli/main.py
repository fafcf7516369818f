"""The programs: one for each game. Little is imported before Ctrl-C is listened for."""

import sys

INTERRUPTED = 130  # the exit code after Ctrl-C


def main() -> None:
    """The program `oddville`."""
    _run("oddville")


def oldtown() -> None:
    """The program `oldtown`."""
    _run("oldtown")


def _run(name: str) -> None:
    """The program of a game; Ctrl-C while it is loaded ends it quietly, as it does later."""
    try:
        from oddville_env.cli.app import run
        from oddville_env.core.game_type import game_type

        run(game_type(name))
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        sys.exit(INTERRUPTED)
