"""Learning Old Town: self-play, the heuristic's weights and neurons, and the policy for puzzles."""
