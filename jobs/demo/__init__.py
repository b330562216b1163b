"""`varve demo`: real Kafka lives through the incidents Varve exists for, and Varve tells what it saw."""

from jobs.demo.demo import run

__all__ = ["run"]
