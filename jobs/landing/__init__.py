"""What sources brought: landed, sealed, and of the right cluster."""
