"""Old Town as a page shows it: the town, its drawings, moves and events, by spots."""

from oddville_env.oldtown.scene.binding import scene

__all__ = ["scene"]
