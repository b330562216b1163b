"""What got worse: findings that count now, and that nobody was told of before, or only as milder ones."""

from datetime import datetime

from jobs.incidents.finding import RANK, Finding, Key, read_findings
from jobs.lake.duckdb_sql import instant_of, text
from jobs.lake.read import LakeReader, open_reader
from jobs.storage import Storage


def worse_since(storage: Storage, reader: LakeReader, since: datetime | str) -> set[Key]:
    """The keys of the findings that count and did not then, or were milder: new, worse, back again, no more ignored.

    Of an instant what counts is what the lake held at that instant, not what had been captured by then: a snapshot that
    was committed late is not missed. What was open and is unknown now is neither.
    """
    ranks = {each.key: RANK[each.severity] for each in _findings_at(storage, reader, since) if each.counts}
    return {
        each.key
        for each in read_findings(reader)
        if each.counts and RANK[each.severity] > ranks.get(each.key, -1)
    }


def _findings_at(storage: Storage, reader: LakeReader, since: datetime | str) -> list[Finding]:
    """The findings of each cluster as they were; none of a cluster without a snapshot by then."""
    by_then = (
        f"committed_at <= {instant_of(since, 'cluster')}"
        if isinstance(since, datetime)
        else f"snapshot_id <= {text(since)}"
    )
    newest = reader.query(
        f"SELECT cluster, max(snapshot_id) FROM snapshots WHERE {by_then} GROUP BY cluster"
    ).rows
    return [each for cluster, at in newest for each in read_findings(open_reader(storage, [cluster], at))]
