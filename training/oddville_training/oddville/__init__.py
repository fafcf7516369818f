"""How OddVille is learned: self-play, and the weights of its formula."""
