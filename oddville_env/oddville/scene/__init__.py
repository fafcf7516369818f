"""OddVille as a page shows it: the table, its drawings, moves and events, by spots."""

from oddville_env.oddville.scene.binding import scene

__all__ = ["scene"]
