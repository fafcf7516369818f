"""`search`: a race between moves in games whose hidden cards are dealt anew."""
