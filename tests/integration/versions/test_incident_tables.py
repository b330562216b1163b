"""The incident of this folder's conftest, asked of the lake: every kind of cluster answers alike.

Where one cannot, `version` says so and why.
"""

from typing import Any

import pytest

from schemas.registry import tables
from schemas.table import Kind

pytestmark = pytest.mark.versions

STATES = [table for table in tables().values() if table.kind is Kind.STATE]
NEWEST = "(SELECT max(snapshot_id) FROM snapshots)"


@pytest.fixture(scope="module")
def tells_fenced(version: Any, ask: Any) -> bool:
    """Whether a dead broker is still told of: by Kafka 4.0 and newer, or by a checkpoint that was written in time."""
    newest = "SELECT broker_id, path FROM metadata_checkpoints ORDER BY end_offset DESC LIMIT 1"
    registered = f"SELECT count(*) FROM checkpoint_brokers SEMI JOIN ({newest}) USING (broker_id, path)"
    return bool(version.tells_fenced or ask("broken", f"{registered} WHERE registered_id = 3") == [(1,)])


def test_the_dead_broker_is_gone_and_comes_back(tells_fenced: bool, ask: Any) -> None:
    alive = "SELECT broker_id FROM brokers WHERE NOT coalesce(fenced, false) ORDER BY 1"
    assert ask("healthy", alive) == ask("returned", alive) == [(1,), (2,), (3,)]
    assert ask("broken", alive) == [(1,), (2,)]
    fenced = ask("broken", "SELECT broker_id FROM brokers WHERE fenced")
    assert fenced == ([(3,)] if tells_fenced else [])


def test_one_election_is_one_epoch(version: Any, ask: Any) -> None:
    ((first,),) = ask("healthy", "SELECT epoch FROM controllers")
    ((controller_id, epoch),) = ask("broken", "SELECT controller_id, epoch FROM controllers")
    assert epoch == first + 1
    assert controller_id in ((101,) if version.quorum else (1, 2))
    assert ask("broken", "SELECT event FROM events WHERE subject = 'controller'") in (
        [("controller-moved",)],
        [("controller-reelected",)],
    )


def test_the_single_replica_is_offline_and_the_others_are_led_by_who_is_left(version: Any, ask: Any) -> None:
    partitions = "SELECT topic, partition, replicas, leader, list_sort(isr) FROM partitions ORDER BY ALL"
    healthy = [
        ("alone", 0, [3], 3, [3]),
        ("orders", 0, [1, 2, 3], 1, [1, 2, 3]),
        ("orders", 1, [2, 3, 1], 2, [1, 2, 3]),
        ("orders", 2, [3, 1, 2], 3, [1, 2, 3]),
    ]
    assert ask("healthy", partitions) == healthy
    assert ask("broken", partitions) == [
        ("alone", 0, [3], -1, list(version.isr_when_offline)),
        ("orders", 0, [1, 2, 3], 1, [1, 2]),
        ("orders", 1, [2, 3, 1], 2, [1, 2]),
        ("orders", 2, [3, 1, 2], 1, [1, 2]),
    ]
    holders = (
        "SELECT coalesce(nullif(isr, []), eligible_leader_replicas) FROM partitions WHERE topic = 'alone'"
    )
    assert ask("broken", holders) == [([3],)]
    assert ask("returned", partitions) == [*healthy[:3], ("orders", 2, [3, 1, 2], 1, [1, 2, 3])]


def test_a_topic_has_one_id_in_the_cluster_and_on_every_disk(version: Any, ask: Any) -> None:
    in_cluster = "SELECT topic, topic_id FROM topics WHERE length(topic_id) = 22 ORDER BY 1"
    on_disks = (
        "SELECT DISTINCT topic, topic_id FROM disk_replicas WHERE topic IN ('alone', 'orders') ORDER BY 1"
    )
    ids = ask("healthy", in_cluster)
    assert [topic for topic, _ in ids] == ["alone", "orders"]
    if version.ids_on_new_disks:
        assert ask("healthy", on_disks) == ids
    told = [row for row in ask("returned", on_disks) if row[1] or version.ids_on_new_disks]
    assert ask("returned", in_cluster) == told == ids


def test_leader_epochs_on_disk_end_in_the_leaders_own(ask: Any) -> None:
    of_orders_2 = (
        "SELECT broker_id, [e.epoch FOR e IN leader_epochs], [e.start_offset FOR e IN leader_epochs] "
        "FROM disk_replicas WHERE dir_name = 'orders-2' ORDER BY 1"
    )
    epoch = "SELECT leader_epoch FROM partitions WHERE topic = 'orders' AND partition = 2"
    ((new,),) = ask("broken", epoch)
    assert new > 0
    assert ask("healthy", of_orders_2) == [(broker, [0], [0]) for broker in (1, 2, 3)]
    assert ask("broken", of_orders_2) == [(1, [0, new], [0, 7]), (2, [0, new], [0, 7]), (3, [0], [0])]
    assert ask("returned", of_orders_2) == [(broker, [0, new], [0, 7]) for broker in (1, 2, 3)]


def test_the_dead_brokers_high_watermarks_stand_still(ask: Any) -> None:
    offsets = (
        "SELECT broker_id, high_watermark FROM disk_offsets WHERE dir_name = 'orders-2' "
        f"AND snapshot_id = {NEWEST} ORDER BY 1"
    )
    assert ask("broken", offsets) == [(1, 14), (2, 14), (3, 7)]
    assert ask("returned", offsets) == [(1, 14), (2, 14), (3, 14)]


def test_log_dirs_belong_to_their_nodes_and_to_one_cluster(version: Any, ask: Any) -> None:
    nodes = "SELECT DISTINCT broker_id, node_id FROM log_dirs ORDER BY 1"
    everybody = [(1, 1), (2, 2), (3, 3)] + [(101, 101)] * version.quorum
    assert ask("broken", nodes) == everybody
    assert ask("broken", "SELECT count(DISTINCT cluster_id) FROM log_dirs") == [(1,)]


def test_the_quorum_goes_on_listing_the_dead_broker(version: Any, ask: Any) -> None:
    members = (
        "SELECT m.node_id, m.role, CASE WHEN m.directory_id IS NULL THEN 'null' "
        "WHEN m.directory_id = d.directory_id THEN 'known' END "
        "FROM quorum_members m JOIN log_dirs d ON d.broker_id = m.node_id ORDER BY 1"
    )
    told = [(1, "observer"), (2, "observer"), (3, "observer"), (101, "voter")] if version.quorum else []
    assert ask("broken", members) == [(*member, version.directory_id) for member in told]
    assert ask("broken", "SELECT leader_id FROM quorum") == [(101,)] * version.quorum


def test_only_the_dead_broker_stopped_fetching(version: Any, ask: Any) -> None:
    silent = (
        f"SELECT node_id, lag > 0 FROM quorum_progress WHERE snapshot_id = {NEWEST} "
        "QUALIFY last_fetch_at < max(last_fetch_at) OVER () - INTERVAL 3 SECOND"
    )
    assert ask("healthy", silent) == []
    assert ask("broken", silent) == [(3, True)] * version.quorum


def test_what_happened_is_told_in_events(version: Any, ask: Any) -> None:
    def events(moment: str) -> set[tuple[str, str]]:
        told = "SELECT event, subject FROM events WHERE subject <> 'controller' AND snapshot_id = "
        return set(ask(moment, told + NEWEST))

    offline = set() if version.isr_when_offline else {"alone-0"}
    isr = {"orders-0", "orders-1", "orders-2"} | offline
    assert events("healthy") == set()
    assert events("broken") == {
        ("broker-fenced" if version.quorum else "broker-left", "broker 3"),
        ("leader-moved", "orders-2"),
        ("partition-offline", "alone-0"),
        *(("isr-shrank", subject) for subject in isr),
    }
    assert events("returned") == {
        ("broker-unfenced" if version.quorum else "broker-joined", "broker 3"),
        ("partition-online", "alone-0"),
        *(("isr-grew", subject) for subject in isr),
    }


def test_what_is_wrong_is_found_and_what_is_right_again_is_resolved(version: Any, ask: Any) -> None:
    found = "SELECT check_id, subject FROM findings WHERE status = 'open' AND check_id <> 'standing-risk' ORDER BY ALL"
    ghost = [("ghost-observer", "node 3")] * version.quorum
    one_voter = [("quorum-health", "quorum")] * version.quorum
    assert ask("healthy", found) == one_voter
    assert ask("broken", found) == [
        ("broker-down", "broker 3"),
        *ghost,
        ("leader-imbalance", "broker 3"),
        ("offline-partition", "alone-0"),
        *one_voter,
        ("under-replicated-partition", "orders-0"),
        ("under-replicated-partition", "orders-1"),
        ("under-replicated-partition", "orders-2"),
    ]
    why = "SELECT evidence->'replicas_without_broker' FROM findings WHERE check_id = 'offline-partition'"
    assert ask("broken", why) == [("[3]",)]
    assert ask("returned", found) == [("leader-imbalance", "broker 3"), *one_voter]


def test_nothing_has_a_problem_and_only_what_the_dead_broker_alone_knows_is_not_seen(
    version: Any, ask: Any
) -> None:
    malformed = [table.name for table in STATES if "problem" in table.column_names]
    problems = " UNION ALL ".join(
        f"SELECT problem FROM {name} WHERE problem IS NOT NULL" for name in malformed
    )
    gaps = "SELECT source, scope, reason FROM coverage_gaps"
    assert ask("broken", problems) == []
    assert sorted(ask("quiet", gaps)) == [
        ("kafka", "/configs/broker/3", "unreachable"),
        ("kafka", "/log_dirs/3", "unreachable"),
        # A broker that is listed as fenced may be up: it is asked too.
        *[("kafka", "/views/3", "unreachable")] * version.tells_fenced,
    ]


def test_nothing_changes_in_a_cluster_where_nothing_happens(ask: Any) -> None:
    before = "(SELECT captured_at FROM snapshots ORDER BY snapshot_id DESC LIMIT 1 OFFSET 1)"
    changes = " UNION ALL ".join(
        f"SELECT '{table.name}', to_json(x) FROM {table.name}_history x "
        f"WHERE valid_from > {before} OR valid_to > {before}"
        for table in STATES
    )
    assert ask("quiet", changes) == []
