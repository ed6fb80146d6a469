"""What we know about written text, whatever it is used for."""
