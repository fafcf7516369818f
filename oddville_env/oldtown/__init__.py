"""Old Town: the rules of OLDTOWN.md in compiled code, and the game for people."""
