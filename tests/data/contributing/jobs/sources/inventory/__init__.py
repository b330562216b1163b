"""Source: an inventory of machines."""
