"""What the pictures of all games share: a pen, the colours that belong to no game, and the page."""
