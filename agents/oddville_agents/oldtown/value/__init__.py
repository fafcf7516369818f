"""The learned value: a seat's chance to win from its own view."""
