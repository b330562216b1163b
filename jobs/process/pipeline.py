"""`varve process`: what landed becomes tables, events, findings; the commit makes it visible."""

import logging
from collections.abc import Sequence

from pyspark.sql import SparkSession

from jobs.lake.write import ClusterLake
from jobs.landing.order import check_is_newest, check_is_not_given_up, only_writer, unfinished
from jobs.landing.same_cluster import AnotherClusterError, check_same_cluster
from jobs.landing.seal import discard_landed, is_sealed, landed_manifests, read_seal, seal
from jobs.machine.session import spark_session
from jobs.process.commit import commit, write_gaps
from jobs.process.events import write_events
from jobs.process.expect import catch_up, mark_due, overdue, write_expectation_results
from jobs.process.judge import write_findings
from jobs.process.raw import write_raw_tables
from jobs.process.run import SnapshotRun
from jobs.process.typed import write_typed_tables
from jobs.settings import Settings
from jobs.storage import Storage, open_storage

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
    storage = open_storage(settings.lake)
    with only_writer(storage, cluster):
        lake = ClusterLake(spark, storage, cluster, snapshot_id)
        committed = {commit.snapshot_id for commit in lake.commits}
        if expect:
            for late in overdue(storage, cluster, committed):
                catch_up(ClusterLake(spark, storage, cluster, late), storage)
        if snapshot_id in committed:
            log.info("snapshot %s of %s is committed already", snapshot_id, cluster)
            return
        check_is_newest(cluster, snapshot_id, committed)
        check_is_not_given_up(storage, cluster, snapshot_id)
        if not is_sealed(storage, cluster, snapshot_id):
            _seal(storage, cluster, snapshot_id, sources)
        dues = unfinished(storage, cluster, committed)
        # What was read above still holds while nothing more was committed.
        lakes = (
            [lake] if dues == [snapshot_id] else [ClusterLake(spark, storage, cluster, due) for due in dues]
        )
        for due_lake in lakes:
            _process_one(storage, due_lake, sources, expect=expect)


def _seal(storage: Storage, cluster: str, snapshot_id: str, sources: Sequence[str]) -> None:
    landed = landed_manifests(storage, cluster, snapshot_id, sources)
    try:
        check_same_cluster(storage, cluster, landed)
    except AnotherClusterError:
        discard_landed(storage, landed)
        raise
    seal(storage, cluster, snapshot_id, landed, sources)


def _process_one(storage: Storage, lake: ClusterLake, sources: Sequence[str], *, expect: bool) -> None:
    sealed = read_seal(storage, lake.cluster, lake.snapshot_id, sources)
    for source in sealed.late:
        log.warning("%s landed after snapshot %s was sealed and is ignored", source, lake.snapshot_id)
    run = SnapshotRun(lake, sealed)
    write_raw_tables(run, storage)
    write_typed_tables(run)
    write_events(run)
    write_findings(run)
    write_gaps(run)
    if expect:
        mark_due(storage, lake.cluster, lake.snapshot_id)
    commit(run)
    if expect:
        write_expectation_results(run, storage)
