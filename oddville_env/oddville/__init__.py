"""The first game of the house: OddVille, RULES.md's rules in compiled code and for people."""
