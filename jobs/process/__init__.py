"""From landing to a committed snapshot, in one Spark application.

`pipeline` calls the steps: `raw`, `typed`, then `events`, `judge` and `expect` side by side, then `commit`. The results
of `expect` are appended after the commit.
"""

from jobs.process.pipeline import process

__all__ = ["process"]
