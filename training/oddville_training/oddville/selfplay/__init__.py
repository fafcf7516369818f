"""Self-play: a network learns how likely each seat is to win, from games that it plays itself; `stages.py` tells how."""
