"""The study-group channel in a terminal: threads, replies, search, sources, history."""
