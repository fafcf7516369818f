"""Kuhn poker (Kuhn 1950) as a game in a package of its own: environments, agents and commands from one `GameType`.

Two seats pay a chip and get one of three cards. In turn they pass or bet one more chip. A pass after a bet gives the
chips away. After two passes or two bets the higher card takes them.

`rules` holds the compiled rules, `entries` their entry points for Python, `observation` the encoding, `game` the class
`Kuhn`, `game_type` puts them together, and `environments` are PettingZoo's and Gymnasium's.
"""

import gymnasium

gymnasium.register("Kuhn-v0", entry_point="kuhn_poker.environments:KuhnEnv")


def main() -> None:
    """Run the program `kuhn`."""
    from oddville_env.cli.main import run

    run("kuhn")
