"""Expert iteration: search plays itself, a network learns what the games and the searches say, search uses it."""
