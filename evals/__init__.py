"""Measurements, not tests: how well the product finds, answers and refuses, and how its confidence was fitted."""
