"""The demo's acts on real ZooKeeper and Kafka, asked of the lake it leaves, by `varve sql`."""

import json
import re
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from jobs.demo.acts import KRAFT_ACTS, ZOOKEEPER_ACTS
from jobs.incidents import words
from jobs.incidents.incident import Incident
from jobs.incidents.read import read_incidents
from jobs.lake.read import open_reader
from jobs.storage import open_storage
from schemas.judgement import Severity

VARVE = str(Path(sys.executable).with_name("varve"))
HEALTHY, KILLED, RETURNED, OLD_TOOL, CONTROLLER_MOVED = range(5)
QUORUM, OBSERVER_DIES, PROMOTED = range(3)

Ask = Callable[[str], list[dict[str, Any]]]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder that a demo left, and what it said."""
    directory = tmp_path_factory.mktemp("demo") / "varve-demo"
    told = subprocess.run(
        [VARVE, "demo", "--dir", str(directory)], capture_output=True, text=True, timeout=900, check=False
    )
    assert told.returncode == 0, told.stdout + told.stderr
    assert "Traceback" not in told.stdout + told.stderr
    return directory, told.stdout


@pytest.fixture(scope="module")
def demo(played: tuple[Path, str]) -> Path:
    return played[0]


@pytest.fixture(scope="module")
def acts(played: tuple[Path, str]) -> dict[str, str]:
    """What the demo said of each act, in one line, by its title; of a title that both clusters have, that of the second."""
    parts = re.split(
        rf"^({'|'.join(act.title for act in [*ZOOKEEPER_ACTS, *KRAFT_ACTS])})\. ", played[1], flags=re.M
    )
    return {title: " ".join(text.split()) for title, text in zip(parts[1::2], parts[2::2], strict=True)}


@pytest.fixture(scope="module")
def ask(demo: Path, sql: Callable[[Path, str], list[dict[str, Any]]]) -> Ask:
    return partial(sql, demo)


@pytest.fixture(scope="module")
def events(ask: Ask) -> Callable[[str, int], set[tuple[str, str]]]:
    """The events of the n-th snapshot of a cluster."""

    def of(cluster: str, act: int) -> set[tuple[str, str]]:
        newest = (
            f"(SELECT snapshot_id FROM snapshots WHERE cluster = '{cluster}' ORDER BY 1 LIMIT 1 OFFSET {act})"
        )
        found = ask(
            f"SELECT event, subject FROM events WHERE cluster = '{cluster}' AND snapshot_id = {newest}"
        )
        return {(row["event"], row["subject"]) for row in found}

    return of


@pytest.fixture(scope="module")
def findings(ask: Ask) -> Callable[[str, int], set[tuple[str, str]]]:
    """The findings that were open after the n-th snapshot of a cluster, above `info` or of that severity."""

    def of(cluster: str, act: int, severity: str = "critical', 'warning") -> set[tuple[str, str]]:
        then = (
            f"(SELECT captured_at FROM snapshots WHERE cluster = '{cluster}' ORDER BY 1 LIMIT 1 OFFSET {act})"
        )
        found = ask(
            f"SELECT check_id, subject FROM findings_history WHERE cluster = '{cluster}' AND status = 'open' "
            f"AND severity IN ('{severity}') AND valid_from <= {then} AND (valid_to IS NULL OR valid_to > {then})"
        )
        return {(row["check_id"], row["subject"]) for row in found}

    return of


@pytest.fixture(scope="module")
def incidents(demo: Path, ask: Ask) -> Callable[[str, int], list[Incident]]:
    """The incidents above info after the n-th snapshot of a cluster."""

    def of(cluster: str, act: int) -> list[Incident]:
        ids = ask(f"SELECT snapshot_id FROM snapshots WHERE cluster = '{cluster}' ORDER BY 1")
        reader = open_reader(open_storage(demo / "lake"), [cluster], ids[act]["snapshot_id"])
        return [each for each in read_incidents(reader) if each.severity is not Severity.INFO]

    return of


def test_the_healthy_clusters_have_no_findings_and_no_events(events: Any, findings: Any) -> None:
    assert findings("zookeeper-mode", HEALTHY) == set()
    assert events("zookeeper-mode", HEALTHY) == set()
    assert findings("kraft-mode", QUORUM) == set()
    assert ("quorum-health", "quorum") in findings("kraft-mode", QUORUM, "info"), "it has one voter"
    assert events("kraft-mode", QUORUM) == set()


def test_a_killed_broker_leaves_and_takes_a_partition_with_one_replica_offline(
    events: Any, findings: Any
) -> None:
    happened = events("zookeeper-mode", KILLED)
    assert happened >= {
        ("broker-left", "broker 2"),
        ("isr-shrank", "orders-0"),
        ("leader-moved", "orders-1"),
        ("leader-moved", "payments-1"),
        ("partition-offline", "audit-1"),
    }
    found = findings("zookeeper-mode", KILLED)
    assert ("offline-partition", "audit-1") in found
    assert {check_id for check_id, _ in found} == {
        "broker-down",
        "offline-partition",
        "under-replicated-partition",
    }


def test_a_killed_broker_is_one_incident_with_everything_that_it_took_away(incidents: Any) -> None:
    (down,) = incidents("zookeeper-mode", KILLED)
    assert (down.check_id, [each.subject for each in down.findings]) == ("broker-down", ["broker 2"])
    assert down.severity is Severity.CRITICAL
    explained = {(each.check_id, each.subject) for each in down.explained}
    assert explained >= {("offline-partition", "audit-1"), ("under-replicated-partition", "orders-0")}
    assert "broker-left" in {each.event for each in down.before}


def test_a_topic_id_mismatch_is_one_incident_with_the_replicas_that_stay_out(incidents: Any) -> None:
    mismatch, *others = incidents("zookeeper-mode", CONTROLLER_MOVED)
    assert "checkpoint-mismatch" not in {each.check_id for each in others}
    assert (mismatch.check_id, mismatch.findings[0].subject) == ("topic-id-mismatch", "orders")
    assert ("under-replicated-partition", "orders-0") in {
        (each.check_id, each.subject) for each in mismatch.explained
    }
    assert words.was(mismatch).startswith("topic-id-latent since ")
    assert words.writer(mismatch).startswith("the znode was written as Kafka 2.4 to 2.7 write it")
    assert {each.event for each in mismatch.before} >= {"topic-id-lost", "topic-id-replaced"}


def test_the_offline_partition_is_in_the_history_as_kafka_wrote_it(ask: Ask) -> None:
    history = ask(
        "SELECT leader, isr FROM partitions_history WHERE cluster = 'zookeeper-mode' AND topic = 'audit' "
        "AND partition = 1 ORDER BY valid_from"
    )
    assert history == [{"leader": 2, "isr": [2]}, {"leader": -1, "isr": [2]}, {"leader": 2, "isr": [2]}]


def test_it_returns_another_bounces_and_leaders_stay_where_they_went(events: Any, findings: Any) -> None:
    happened = events("zookeeper-mode", RETURNED)
    assert happened >= {
        ("broker-joined", "broker 2"),
        ("broker-bounced", "broker 3"),
        ("isr-grew", "orders-0"),
        ("partition-online", "audit-1"),
    }
    assert findings("zookeeper-mode", RETURNED) >= {("leader-imbalance", "broker 2")}
    assert {check_id for check_id, _ in findings("zookeeper-mode", RETURNED)} == {"leader-imbalance"}


def test_the_old_tool_makes_the_topic_id_latent_while_everything_works(events: Any, findings: Any) -> None:
    assert events("zookeeper-mode", OLD_TOOL) >= {("topic-id-lost", "orders"), ("partitions-added", "orders")}
    found = findings("zookeeper-mode", OLD_TOOL)
    assert ("topic-id-latent", "orders") in found
    assert {check_id for check_id, _ in found} == {"topic-id-latent", "leader-imbalance"}


def test_the_next_controller_makes_it_a_mismatch_and_the_restarted_broker_stays_out(
    ask: Ask, events: Any, findings: Any
) -> None:
    happened = events("zookeeper-mode", CONTROLLER_MOVED)
    assert happened >= {
        ("topic-id-replaced", "orders"),
        ("broker-bounced", "broker 1"),
        ("isr-shrank", "orders-0"),
    }
    assert {event for event, subject in happened if subject == "controller"} & {
        "controller-moved",
        "controller-reelected",
    }
    found = findings("zookeeper-mode", CONTROLLER_MOVED)
    assert ("topic-id-mismatch", "orders") in found
    assert ("topic-id-latent", "orders") not in found
    assert ("under-replicated-partition", "orders-0") in found
    (mismatch,) = ask("SELECT evidence FROM findings WHERE check_id = 'topic-id-mismatch'")
    evidence = json.loads(mismatch["evidence"])
    (lost,) = ask("SELECT from_value, to_value FROM events WHERE event = 'topic-id-replaced'")
    assert evidence["disk_topic_ids"] == [lost["from_value"]]
    assert evidence["cluster_topic_id"] == lost["to_value"]
    assert "partition 0 on broker 1" in evidence["replicas"]


def test_a_dead_kraft_broker_is_a_ghost_observer(events: Any, findings: Any) -> None:
    assert events("kraft-mode", OBSERVER_DIES) >= {("broker-fenced", "broker 2"), ("isr-shrank", "clicks-0")}
    quiet = findings("kraft-mode", OBSERVER_DIES, "info")
    assert ("ghost-observer", "node 2") in quiet
    assert ("ghost-observer", "node 102") not in quiet


def test_an_added_controller_is_promoted_from_observer_to_voter(ask: Ask, events: Any) -> None:
    assert ("voter-promoted", "node 102") in events("kraft-mode", PROMOTED)
    members = ask(
        "SELECT node_id, role FROM quorum_members WHERE cluster = 'kraft-mode' AND node_id > 100 ORDER BY 1"
    )
    assert members == [{"node_id": 101, "role": "voter"}, {"node_id": 102, "role": "voter"}]


def test_every_expectation_of_both_clusters_ran_and_held(ask: Ask) -> None:
    results = ask(
        "SELECT cluster, count(*) AS ran FROM expectation_results GROUP BY cluster ORDER BY cluster"
    )
    assert [row["cluster"] for row in results] == ["kraft-mode", "zookeeper-mode"]
    assert all(row["ran"] > 50 for row in results)
    assert ask("SELECT suite, expectation, observed FROM expectation_results WHERE NOT success") == []


def test_each_act_reads_as_one_incident(acts: dict[str, str]) -> None:
    """Above `info`, besides the imbalance that stays to the end in ZooKeeper mode, and the quorum of one or two under KRaft."""
    assert _incidents(acts["Healthy"]) == []
    assert _incidents(acts["It returns"]) == ["leader-imbalance: broker 2"]
    assert _incidents(acts["An old tool adds partitions"]) == [
        "topic-id-latent: orders",
        "leader-imbalance: broker 2",
    ]
    assert _incidents(acts["The controller moves"])[0] == "topic-id-mismatch: orders"
    assert _incidents(acts["A broker is killed"]) == ["broker-down: broker 2"]
    assert "ghost-observer (node 2)" in acts["A broker is killed"].partition("explains")[2]
    assert _incidents(acts["The observer is promoted"]) == ["broker-down: broker 2", "quorum-health: quorum"]


def _incidents(told: str) -> list[str]:
    return re.findall(r"(?:critical|warning) +([a-z-]+: \w+(?: \d+)?)", told)


def test_each_cluster_has_a_report(demo: Path) -> None:
    for cluster in ("zookeeper-mode", "kraft-mode"):
        assert "<!doctype html>" in (demo / "report" / f"{cluster}.html").read_text(encoding="utf-8").lower()
