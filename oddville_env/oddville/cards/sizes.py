"""The sizes that RULES.md names, which cards, rules and pictures share. Prices and points stand in the tables."""

PLAYERS = range(2, 5)  # S
SEATS = PLAYERS[-1]
WORKER_CARDS = 4  # S1
WORKERS = 9  # S1
MOST_SLOTS = 4  # S3: what a resource's record has room for, the upper slot included
IN_GUILD = 3  # S4
BUILDINGS = 64  # S5
ROW = 6  # S5
MOST_COINS = 5  # L1
MOST_HELD = 2  # L2
