"""From landing to a committed snapshot, in one Spark application.

The steps in order: `raw`, `typed`, `events`, `judge`, `commit`, `expect`; `pipeline` calls them.
"""

from jobs.process.pipeline import process

__all__ = ["process"]
