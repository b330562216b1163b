"""What checks are made of."""
