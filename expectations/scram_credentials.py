"""What RFC 7677 asks of every SCRAM credential, and Kafka's tools hold to (`ScramMechanism.minIterations`)."""

from expectations.rule import no_row_where
from schemas.judgement import Severity

RULES = (no_row_where("iterations < 4096", "iterations are 4096 at least", Severity.WARNING),)
