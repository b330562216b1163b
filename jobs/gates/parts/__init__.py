"""What gates are made of."""
