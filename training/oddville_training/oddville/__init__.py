"""Learning OddVille: self-play, and the weights of its formula."""
