"""Runbooks of a cluster: the pages of the checks, with its own addresses."""
