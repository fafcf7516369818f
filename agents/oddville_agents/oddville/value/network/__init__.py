"""The network that corrects the formula: what it sees, its passes, its files."""
