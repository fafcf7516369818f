"""Games on the server: who sits where, who sees what, agents in the background, files on the disk."""
