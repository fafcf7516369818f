"""Self-play: the parts of a run that both games share."""
