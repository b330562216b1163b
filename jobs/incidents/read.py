"""The incidents of the clusters that a reader was opened for."""

from dataclasses import replace

from jobs.incidents.finding import read_findings
from jobs.incidents.happened import around
from jobs.incidents.incident import Incident, incidents
from jobs.lake.read import LakeReader


def read_incidents(reader: LakeReader) -> list[Incident]:
    """What is wrong, the worst first and of those the newest, each with what happened around its first sight."""
    told = incidents(read_findings(reader))
    happened = around(reader, ((each.cluster, each.since) for each in told))
    return [replace(each, before=happened.get((each.cluster, each.since), ())) for each in told]
