"""What a game is to everything above it."""
