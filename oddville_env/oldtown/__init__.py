"""The second game of the house: Old Town, OLDTOWN.md's rules in compiled code and for people."""
