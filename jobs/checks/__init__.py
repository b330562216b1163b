"""What is wrong: one module per check, its runbook as a Markdown page beside it. Modules are discovered."""
