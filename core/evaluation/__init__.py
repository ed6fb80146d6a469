"""Measures answers against questions whose answers are known."""
