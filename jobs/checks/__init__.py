"""What is wrong: one module per check, its runbook beside it, discovered."""
