"""Since when something is so: one view over the lake's history per module, named as the module. Modules are discovered."""
