"""Games on the server: seats and access, agents in the background, files on disk."""
