"""`varve process`: what landed becomes tables, events, findings; the commit makes it visible."""

import logging

from pyspark.sql import SparkSession

from jobs.lake.write import ClusterLake
from jobs.landing.seal import check_is_newest, seal, unfinished
from jobs.machine.session import spark_session
from jobs.process.commit import commit, write_gaps
from jobs.process.events import write_events
from jobs.process.expect import catch_up, mark_due, overdue, write_expectation_results
from jobs.process.judge import write_findings
from jobs.process.lock import only_writer
from jobs.process.raw import write_raw_tables
from jobs.process.run import SnapshotRun
from jobs.process.typed import write_typed_tables
from jobs.settings import Settings

log = logging.getLogger(__name__)


def process(
    settings: Settings,
    cluster: str,
    snapshot_id: str,
    spark: SparkSession | None = None,
    *,
    expect: bool = True,
) -> None:
    """Process what landed under `snapshot_id`, after any older snapshot that was begun and not finished.

    A committed snapshot is left as it is, except for expectations that it was stopped before. Raises
    SnapshotRefusedError for one that is older than the newest commit, was given up, is of another cluster, or for which
    nothing landed.
    """
    spark = spark or spark_session(f"process {cluster}")
    sources = list(settings.cluster(cluster).sources)
    with only_writer(settings.lake, cluster):
        lake = ClusterLake(spark, settings.lake, cluster, snapshot_id)
        committed = {commit.snapshot_id for commit in lake.commits}
        if expect:
            for late in overdue(settings.lake, cluster, committed):
                catch_up(ClusterLake(spark, settings.lake, cluster, late), settings.lake)
        if snapshot_id in committed:
            log.info("snapshot %s of %s is committed already", snapshot_id, cluster)
            return
        check_is_newest(cluster, snapshot_id, committed)
        seal(settings.lake, cluster, snapshot_id, sources)
        dues = unfinished(settings.lake, cluster, committed)
        # What was read above still holds while nothing more was committed.
        lakes = (
            [lake]
            if dues == [snapshot_id]
            else [ClusterLake(spark, settings.lake, cluster, due) for due in dues]
        )
        for due_lake in lakes:
            _process_one(settings, due_lake, expect=expect)


def _process_one(settings: Settings, lake: ClusterLake, *, expect: bool) -> None:
    sources = list(settings.cluster(lake.cluster).sources)
    sealed = seal(settings.lake, lake.cluster, lake.snapshot_id, sources)
    for source in sealed.late:
        log.warning("%s landed after snapshot %s was sealed and is ignored", source, lake.snapshot_id)
    run = SnapshotRun(lake, sealed)
    write_raw_tables(run, settings.lake)
    write_typed_tables(run)
    write_events(run)
    write_findings(run)
    write_gaps(run)
    if expect:
        mark_due(settings.lake, lake.cluster, lake.snapshot_id)
    commit(run)
    if expect:
        write_expectation_results(run, settings.lake)
