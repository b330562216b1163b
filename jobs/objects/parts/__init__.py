"""What kinds of objects are made of."""
