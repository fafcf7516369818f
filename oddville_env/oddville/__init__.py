"""OddVille: the rules of RULES.md in compiled code, and the game for people."""
