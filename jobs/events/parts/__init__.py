"""What events are made of."""
