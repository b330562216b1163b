"""What happened between the snapshot before and this one."""

import pyarrow as pa

from jobs.events.parts.event import event_modules
from jobs.lake.arrow import in_columns
from jobs.lake.write import DeltaTables
from jobs.process.frames import Frames, frames_read_by
from jobs.process.snapshot_input import SnapshotInput
from schemas.judgement import EVENTS


def write_events(delta: DeltaTables, snapshot: SnapshotInput, frames: Frames, changed: set[str]) -> None:
    """Append the events of every table that changed; the first snapshot of a cluster has none."""
    changes = {f"{name}_changes" for name in changed}
    concerned = [module.EVENTS for module in event_modules() if changes & frames_read_by(module.EVENTS)]
    if not concerned or not delta.last:
        return
    found = in_columns([frames.answer(select) for select in concerned], EVENTS.columns)
    if found.num_rows:
        captured_at = pa.repeat(pa.scalar(snapshot.captured_at, pa.timestamp("us", tz="UTC")), found.num_rows)
        place = found.column_names.index("captured_at")
        delta.append_log(EVENTS, delta.local(found.set_column(place, "captured_at", captured_at)))
