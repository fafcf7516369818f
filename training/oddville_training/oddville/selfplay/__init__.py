"""Self-play: a network learns how likely each seat is to win, from games that it plays itself; `learn.py` tells how."""
