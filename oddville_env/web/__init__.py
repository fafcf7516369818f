"""The page to play, watch and analyse games: its server, for any `GameType`. PROTOCOL.md describes its messages."""
