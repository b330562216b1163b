"""What happened between the snapshot before and this one."""

from functools import reduce

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from jobs.events.parts.event import event_modules
from jobs.lake.write import DeltaTables
from jobs.process.frames import Frames, frames_read_by
from jobs.process.snapshot_input import SnapshotInput
from schemas.judgement import EVENTS


def write_events(delta: DeltaTables, snapshot: SnapshotInput, frames: Frames, changed: set[str]) -> None:
    """Append the events of every table that changed; the first snapshot of a cluster has none."""
    changes = {f"{name}_changes" for name in changed}
    functions = [module.events for module in event_modules()]
    concerned = [function for function in functions if changes & set(frames_read_by(function))]
    if not concerned or not delta.last:
        return
    found = reduce(DataFrame.unionByName, [frames.call(function) for function in concerned])
    captured_at = F.lit(snapshot.captured_at).cast("timestamp")
    delta.append_log(EVENTS, found.withColumn("captured_at", captured_at).select(*EVENTS.column_names))
