"""One folder a platform: events in, replies out. Nothing here knows how an answer is made."""
