"""Playing: one game between agents, an agent asked about one position, and several that take turns."""
