"""How Old Town is learned: self-play, the heuristic's weights and neurons, and the policy for puzzles."""
