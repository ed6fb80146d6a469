"""What people would use instead, on the same questions."""
