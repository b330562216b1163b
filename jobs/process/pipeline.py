"""`varve process`: what landed becomes tables, events, findings; the commit makes it visible."""

import logging
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from importlib import import_module
from threading import Thread

from pyspark.sql import SparkSession

from jobs.errors import SnapshotRefusedError
from jobs.lake.eras import EraLimits
from jobs.lake.layout import tables_folder
from jobs.lake.sight import Sight
from jobs.lake.write import DeltaTables
from jobs.landing.clear import clear_landed
from jobs.landing.dismissed import dismissed, forget
from jobs.landing.order import (
    begin_again,
    check_is_later,
    check_is_newest,
    missed,
    newest_begun,
    newest_capture,
    only_writer,
)
from jobs.landing.rebuilds import give_up_rebuilds
from jobs.landing.same_cluster import check_same_cluster
from jobs.landing.seal import Seal, discard_landed, is_sealed, landed_manifests, read_seal, seal
from jobs.landing.seals import list_seals
from jobs.machine.s3a import explained_by_s3a
from jobs.machine.session import spark_session
from jobs.process.commit import commit, write_gaps
from jobs.process.events import write_events
from jobs.process.expect import Suites, catch_up, mark_due, write_expectation_results
from jobs.process.frames import Frames
from jobs.process.judge import write_findings
from jobs.process.not_configured import not_configured
from jobs.process.raw import write_raw_tables
from jobs.process.snapshot_input import SnapshotInput
from jobs.process.state import States
from jobs.process.typed import followed_source, followed_tables, write_typed_tables
from jobs.process.whatif import write_whatif
from jobs.rules import Rules
from jobs.settings import History, Settings
from jobs.storage import Storage, open_storage
from jobs.upkeep.turns import tidy_some
from schemas.judgement import FINDINGS

log = logging.getLogger(__name__)


def process(
    settings: Settings,
    cluster: str,
    snapshot_id: str,
    spark: SparkSession | None = None,
    *,
    expect: bool = True,
) -> None:
    """Process what landed under `snapshot_id`, after any older snapshot that was begun or landed whole.

    A committed snapshot is left as it is, except for expectations that it was stopped before. Raises
    SnapshotRefusedError for one that is older than the newest that was begun, was captured before it, was given up, is of
    another cluster, or for which nothing landed; StoreError when the store of the lake does not answer.
    """
    if expect:
        # Importing Great Expectations takes seconds, which pass while the session starts and the tables are made.
        Thread(target=import_module, args=("expectations.expectation",), daemon=True).start()
    spark = spark or spark_session(f"process {cluster}", settings.lake, settings.spark)
    sources = list(settings.cluster(cluster).sources)
    opened = open_storage(settings.lake)
    with explained_by_s3a(settings.lake), only_writer(opened, cluster):
        storage = opened.settled(tables_folder(cluster))
        sight = Sight(storage, cluster)
        seals = list_seals(storage, cluster)
        give_up_rebuilds(storage, cluster, seals)
        if expect:
            for late in seals.overdue(sight):
                _catch_up(spark, storage, sight, late)
        if snapshot_id in sight:
            log.info("snapshot %s of %s is committed already", snapshot_id, cluster)
            return
        begun = seals.unfinished(sight)
        check_is_newest(cluster, snapshot_id, newest_begun(sight, begun))
        seals.check_is_not_given_up(snapshot_id)
        ours = {} if snapshot_id in begun else _seal_due(storage, sight, begun, snapshot_id, sources)
        for due in list_seals(storage, cluster).unfinished(sight):
            attempt = due if due in ours else begin_again(storage, cluster, due)
            delta = DeltaTables(spark, storage, cluster, due, attempt, era_limits(settings.history))
            sealed = ours.get(due) or read_seal(storage, cluster, due, sources)
            _process_one(delta, sealed, settings.cluster(cluster).rules, expect=expect)


def era_limits(history: History) -> EraLimits:
    """When a state table opens a new era, as varve.yaml says."""
    return EraLimits(days=history.era_days, rows=history.era_rows, files=history.era_files)


def _catch_up(spark: SparkSession, storage: Storage, sight: Sight, snapshot_id: str) -> None:
    if commit := sight.commit(snapshot_id):
        catch_up(DeltaTables(spark, storage, sight.cluster, snapshot_id, commit.written_by), commit)


def _seal_due(
    storage: Storage, sight: Sight, begun: Sequence[str], snapshot_id: str, sources: Sequence[str]
) -> dict[str, Seal]:
    """Seal a snapshot, and before it what landed whole and was never begun; what is refused of that holds nobody up.

    Gives the seals that this process made, by their ids: whoever had the lock before may have done it meanwhile.
    """
    ours: dict[str, Seal | None] = {}
    for each in missed(storage, sight.cluster, sources, newest_begun(sight, begun), snapshot_id):
        try:
            ours[each] = _seal(storage, sight, [*begun, *ours], each, sources)
        except SnapshotRefusedError as error:
            log.warning("%s", error)
    ours[snapshot_id] = _seal(storage, sight, [*begun, *ours], snapshot_id, sources)
    return {each: made for each, made in ours.items() if made}


def _seal(
    storage: Storage, sight: Sight, begun: Sequence[str], snapshot_id: str, sources: Sequence[str]
) -> Seal | None:
    landed = landed_manifests(storage, sight.cluster, snapshot_id, sources)
    newest = newest_capture(storage, sight, begun)
    try:
        check_same_cluster(storage, sight.cluster, landed)
        check_is_later(landed, newest)
    except SnapshotRefusedError:
        if is_sealed(storage, sight.cluster, snapshot_id):
            return None
        storage.check_locks()
        discard_landed(storage, landed)
        raise
    return seal(storage, sight.cluster, snapshot_id, landed, sources)


def _process_one(delta: DeltaTables, sealed: Seal, rules: Rules, *, expect: bool) -> None:
    for source in sealed.late:
        log.warning("%s landed after snapshot %s was sealed and is ignored", source, delta.snapshot_id)
    gone = {each.source: dismissed(delta.storage, delta.cluster, each.source) for each in sealed.manifests}
    snapshot = SnapshotInput(sealed, gone)
    delta.suit(snapshot.row_count)
    raw = write_raw_tables(delta, snapshot)
    snapshot = replace(snapshot, not_configured=not_configured(delta, snapshot, raw))
    authority = followed_source(snapshot, States(delta, raw))
    followed = followed_tables(snapshot, authority)
    typed = write_typed_tables(delta, snapshot, States(delta, raw), authority, followed)
    states = States(delta, raw | typed)
    changed = states.changed
    frames, suites = Frames(delta, snapshot, authority, states), Suites(delta)
    looked_at = raw.keys() | {table.name for table in followed}
    with ThreadPoolExecutor() as meanwhile:
        events = meanwhile.submit(write_events, delta, snapshot, frames, changed)
        results = meanwhile.submit(suites.results, states, looked_at, changed) if expect else None
        found = write_findings(delta, snapshot, frames, rules)
        write_whatif(delta, snapshot, frames)
        write_gaps(delta, snapshot)
        events.result()
        if expect:
            mark_due(delta)
        commit(delta, snapshot, authority)
    for source, scopes in gone.items():
        for scope in scopes:
            forget(delta.storage, delta.cluster, source, scope)
    if results:
        judged = States(delta, {FINDINGS.name: found})
        of_findings = suites.results(judged, {FINDINGS.name}, judged.changed)
        write_expectation_results(delta, results.result() + of_findings)
    delta.clear_work()
    clear_landed(delta.storage, delta.cluster, delta.snapshot_id)
    tidy_some(delta.storage, delta.sight)
