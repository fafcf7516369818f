"""The forms of a game's parts: each game has its own words, fields, moves and loops."""
