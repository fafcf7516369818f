"""`champion`: a learned network looks at every legal move, and behind the best ones at the rest of the turn."""
