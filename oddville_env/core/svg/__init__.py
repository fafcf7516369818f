"""The pictures of all games: a pen, the colours that belong to no game, and the page."""
