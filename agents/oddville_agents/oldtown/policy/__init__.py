"""The policy network of Old Town: it learns by torch and plays by numpy."""
