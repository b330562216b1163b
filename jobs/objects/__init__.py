"""Whose life can be told and whose states can be compared: one module per kind of object. Modules are discovered."""
