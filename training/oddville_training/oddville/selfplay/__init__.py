"""Self-play: a network learns from games that it plays itself how likely a seat is to win; see `stages.py`."""
