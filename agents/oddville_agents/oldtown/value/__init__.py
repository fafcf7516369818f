"""How likely a seat is to win, by what it sees: a network that learned from its own games."""
