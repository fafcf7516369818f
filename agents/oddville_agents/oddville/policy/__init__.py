"""The networks of trained policies, which read the whole table: how they learn by torch, play, and leave as graphs."""
