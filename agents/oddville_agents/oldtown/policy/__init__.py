"""The network of trained policies: what it reads, how it learns by torch, and how it plays by numpy alone."""
