"""`varve init`: finds out what it can about the Kafka clusters around this machine and writes a first `varve.yaml`."""

from jobs.init.surroundings import look_around
from jobs.init.varve_yaml import secrets, varve_yaml

__all__ = ["look_around", "secrets", "varve_yaml"]
