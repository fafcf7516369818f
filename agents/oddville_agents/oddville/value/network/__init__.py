"""The network that corrects the formula: its inputs, its passes, its files."""
