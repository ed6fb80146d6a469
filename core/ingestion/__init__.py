"""How books come in: found, read, placed and cut into chunks."""
