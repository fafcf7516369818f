"""`champion`: one look at every legal move with a learned network, and the move that it likes best."""
