"""The forms of the HTTP API: what it takes and what it gives."""
