"""The learned value: a seat's chance to win by what it sees, a network fitted to own games."""
