"""The past once more: what today's code makes of the raw state that the lake has kept.

`rebuild` goes through the commits from the oldest to the newest. `raw_past` gives the raw state that each of them left,
`committed_input` what it had seen, and the steps of `jobs.process` make tables, events and findings of that as they do
for a new snapshot. What they append stays in memory (`generation`) until every table is appended once.
"""

from jobs.rebuild.rebuild import rebuild

__all__ = ["rebuild"]
