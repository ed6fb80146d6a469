"""What models that run inside this process share: their weights, their tokens, their thread."""
