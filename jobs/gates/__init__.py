"""Whether it is safe to act now: one gate per module, named as the module with dashes. Modules are discovered."""
