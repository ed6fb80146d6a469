"""Attacks on the model, and what of them reaches a channel."""
