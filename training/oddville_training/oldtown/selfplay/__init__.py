"""Self-play: a network learns how likely a seat is to win, from games that it plays itself; `stages.py` tells how."""
