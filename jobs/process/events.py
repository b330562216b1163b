"""What happened between the snapshot before and this one."""

from functools import reduce

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jobs.events.parts.event import event_modules
from jobs.process.frames import call, frames_read_by
from jobs.process.run import SnapshotRun
from schemas.judgement import EVENTS


def write_events(run: SnapshotRun) -> None:
    """Append the events of every table that changed; the first snapshot of a lake has none."""
    functions = [module.events for module in event_modules()]
    changed = [
        function
        for function in functions
        if any(
            name.removesuffix("_changes") in run.changed
            for name in frames_read_by(function)
            if "_changes" in name
        )
    ]
    if not changed or not run.lake.commits:
        return
    found = reduce(DataFrame.unionByName, [call(run, function) for function in changed])
    happened = found.withColumn("captured_at", F.lit(run.captured_at).cast("timestamp")).select(
        *EVENTS.column_names
    )
    run.lake.append_log(EVENTS, happened)
