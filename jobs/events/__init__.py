"""What happened: one module per table whose changes make events. Modules are discovered."""
