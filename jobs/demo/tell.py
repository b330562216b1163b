"""What Varve saw in a snapshot, in plain words, read from the lake with the reader that everybody uses."""

from collections.abc import Iterator

from rich.console import Console
from rich.text import Text

from jobs.incidents import words
from jobs.incidents.read import read_incidents
from jobs.lake.read import LakeReader, open_reader
from jobs.storage import Location, open_storage
from jobs.wording import SEVERITY_COLOURS, in_words, printable

_NAMED_SUBJECTS = 4


def tell(console: Console, lake: Location, cluster: str) -> None:
    """Print what happened since the snapshot before, and what is wrong now."""
    reader = open_reader(open_storage(lake), [cluster])
    for line in [*_events(reader), *_incidents(reader)]:
        console.print(line, soft_wrap=True)
    console.print()


def _events(reader: LakeReader) -> Iterator[Text]:
    newest = "(SELECT max(snapshot_id) FROM snapshots)"
    found = reader.query(
        "SELECT event, count(*), string_agg(subject, '|' ORDER BY subject), any_value(from_value), any_value(to_value) "
        f"FROM events WHERE snapshot_id = {newest} GROUP BY event ORDER BY event"
    )
    for event, count, subjects, before, after in found.rows:
        yield Text(
            f"    {event.replace('-', ' ')}: {_few(subjects.split('|'))}{_change(count, before, after)}"
        )
    if not found.rows:
        yield Text("    nothing happened since the snapshot before", style="dim")


def _incidents(reader: LakeReader) -> Iterator[Text]:
    told = read_incidents(reader)
    for incident in told:
        named = words.subjects(incident.findings, _NAMED_SUBJECTS)
        line = Text(f"    {incident.severity:<9}", style=SEVERITY_COLOURS[incident.severity])
        line.append(f"{incident.check_id}: {printable(named)}")
        if len(incident.findings) == 1:
            line.append(f"  {in_words(incident.findings[0].evidence)}", style="dim")
        yield line
        if explains := words.explains(incident):
            yield Text(f"             explains {printable(explains)}")
    if not told:
        yield Text("    nothing is wrong", style="green")


def _few(subjects: list[str]) -> str:
    named = ", ".join(subjects[:_NAMED_SUBJECTS])
    others = len(subjects) - _NAMED_SUBJECTS
    return f"{named} and {others} more" if others > 0 else named


def _change(count: int, before: str | None, after: str | None) -> str:
    if count > 1 or (before is None and after is None):
        return ""
    return f"  ({before or 'none'} → {after or 'none'})"
