"""`search`: Monte Carlo tree search."""
