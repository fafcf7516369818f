"""What games are made of: each game has its own words, fields, moves and loops, in these forms."""
