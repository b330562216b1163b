"""Incidents: open findings with all that they explain, as one story each."""
