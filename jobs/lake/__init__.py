"""The lake: one folder per cluster, one Delta table per folder in it."""
