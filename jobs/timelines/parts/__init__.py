"""What timelines are made of."""
