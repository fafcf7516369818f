"""Kuhn poker (Kuhn 1950) as a game in a package of its own: environments, agents, commands, all from one `GameType`.

Two seats pay a chip and get one of three cards. In turn they pass or bet a chip more. Who passes on a bet gives the
chips away; when both have passed, or both have bet, the higher card takes them.

`rules` is what may be done, `entries` the same for Python, `observation` what a seat sees, `game` the game for people,
and `game_type` puts them together.
"""

from oddville_env.cli.main import run


def main() -> None:
    """The program `kuhn`."""
    run("kuhn")
