"""The compiled game: one file per chapter of RULES.md, over one numpy record per game."""
