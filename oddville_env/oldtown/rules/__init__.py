"""The compiled game: one file per chapter of OLDTOWN.md, over one numpy record per game."""
