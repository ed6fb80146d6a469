"""The command line. What takes long to import is imported by the command that needs it: help must come at once."""
