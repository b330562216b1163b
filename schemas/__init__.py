"""What is in the lake: one module per family of tables."""
