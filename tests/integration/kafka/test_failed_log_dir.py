"""A disk of a real broker fails: what is found, and that what its runbook says brings everything back, or costs data."""

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path

import pytest
from kafka.admin import KafkaAdminClient
from pyspark.sql import SparkSession

from jobs.lab.cluster import KafkaCluster
from jobs.lab.jvm import wait_until
from jobs.lab.kraft_mode import KRaftCluster
from jobs.lab.topics import create_topic, produce
from jobs.lab.zookeeper_mode import ZooKeeperCluster
from tests.integration.kafka.watched import WatchedOverKafka

RECORDS = 40
ONLY_COPIES = (
    "SELECT topic, partition, isr FROM partitions WHERE leader = -1 AND (list_contains(isr, 2) OR "
    "list_contains(eligible_leader_replicas, 2) OR list_contains(last_known_elr, 2))"
)

WHY = "SELECT DISTINCT reason FROM events WHERE event IN ('isr-shrank', 'leader-moved', 'partition-offline')"


@pytest.fixture(scope="module", params=["zookeeper", "kraft"])
def watched(
    request: pytest.FixtureRequest, spark: SparkSession, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[WatchedOverKafka]:
    """Two brokers with two log dirs each: broker 2 holds replicas of topic kept, and topic alone has no other replicas."""
    home = tmp_path_factory.mktemp(request.param)
    kinds: dict[str, Callable[[], KafkaCluster]] = {
        "zookeeper": lambda: ZooKeeperCluster(home / "cluster", brokers=2),
        "kraft": lambda: KRaftCluster(home / "cluster", log_dirs=2),
    }
    with kinds[request.param]() as cluster:
        create_topic(cluster.bootstrap_servers, "kept", [[1, 2], [2, 1], [1, 2], [2, 1]])
        create_topic(cluster.bootstrap_servers, "alone", [[2], [2], [2], [2]])
        for topic in ("kept", "alone"):
            produce(cluster.bootstrap_servers, topic, RECORDS)
        yield WatchedOverKafka(cluster, home, spark)


def test_a_disk_that_comes_back_as_it_was_brings_everything_back(
    watched: WatchedOverKafka, tmp_path: Path
) -> None:
    cluster, failing = watched.cluster, watched.cluster.log_dirs(2)[1]
    watched.snapshot()
    assert watched.findings("failed-log-dir") == {}
    hit = {int(folder.name.rpartition("-")[2]) for folder in failing.glob("alone-*")}
    assert hit
    unmount(watched, failing, tmp_path / "disk")
    watched.snapshot()
    assert watched.findings("failed-log-dir") == {"broker 2": "critical"}
    assert watched.causes("offline-partition") == {f"alone-{number}": "broker 2" for number in hit}
    assert set(watched.causes("under-replicated-partition").values()) == {"broker 2"}
    assert watched.ask(WHY) == [("failed-log-dir",)]
    assert "Topic: alone" in watched.printed("failed-log-dir", "--at-min-isr")
    assert {partition for _, partition, _ in watched.ask(ONLY_COPIES)} == hit
    cluster.stop_broker(2)
    (tmp_path / "disk").rename(failing)
    assert (failing / "meta.properties").is_file()
    cluster.start_broker(2)
    is_mended(watched, failing)
    assert records(watched) == {"kept": RECORDS, "alone": RECORDS}


def test_an_empty_disk_is_filled_again_where_no_partition_has_all_its_data_there(
    watched: WatchedOverKafka, tmp_path: Path
) -> None:
    cluster, failing = watched.cluster, watched.cluster.log_dirs(2)[1]
    delete_topic(cluster, "alone")
    unmount(watched, failing, tmp_path / "disk")
    watched.snapshot()
    assert watched.findings("failed-log-dir") == {"broker 2": "warning"}
    assert watched.ask(ONLY_COPIES) == []
    cluster.stop_broker(2)
    give_an_empty_disk(watched, failing)
    cluster.start_broker(2)
    is_mended(watched, failing)
    assert records(watched) == {"kept": RECORDS}


def test_what_only_that_disk_had_is_gone_once_the_broker_has_an_empty_one(
    watched: WatchedOverKafka, tmp_path: Path
) -> None:
    """What the runbook warns of. In ZooKeeper mode Kafka even makes the directory that is missing, and leads with nothing;
    under KRaft it wants a formatted one, and leads nothing of what was on the other."""
    cluster, failing = watched.cluster, watched.cluster.log_dirs(2)[1]
    create_topic(cluster.bootstrap_servers, "lost", [[2], [2], [2], [2]])
    produce(cluster.bootstrap_servers, "lost", RECORDS)
    hit = {folder.name for folder in failing.glob("lost-*")}
    assert hit
    unmount(watched, failing, tmp_path / "disk")
    watched.snapshot()
    assert {f"{topic}-{partition}" for topic, partition, _ in watched.ask(ONLY_COPIES)} == hit
    cluster.stop_broker(2)
    if isinstance(cluster, KRaftCluster):
        refuses_to_start(cluster)
        give_an_empty_disk(watched, failing)
    cluster.start_broker(2)
    every = {f"lost-{number}" for number in range(4)}
    led = every - hit if isinstance(cluster, KRaftCluster) else every
    wait_until("the others to be led", lambda: led <= led_by_2(cluster), cluster.servers, 60)
    is_mended(watched, failing)
    assert led_by_2(cluster) & every == led
    assert set(watched.findings("offline-partition")) == every - led
    assert records(watched) == {"kept": RECORDS, "lost": RECORDS - 10 * len(hit)}


def unmount(watched: WatchedOverKafka, log_dir: Path, away: Path) -> None:
    """Its files stay open, but no new one can be made: Kafka's next checkpoint there fails."""
    log_dir.rename(away)
    wait_until(
        "the broker to notice",
        lambda: "KafkaStorageException" in described(watched),
        watched.cluster.servers,
        60,
    )
    hit = {path.name for path in away.glob("*-?")}
    wait_until(
        "the controller to notice", lambda: not led_by_2(watched.cluster) & hit, watched.cluster.servers, 60
    )


def give_an_empty_disk(watched: WatchedOverKafka, log_dir: Path) -> None:
    log_dir.mkdir(exist_ok=True)
    if isinstance(watched.cluster, KRaftCluster):
        own = {
            "CLUSTER_ID": watched.cluster.cluster_id,
            "server.properties": str(watched.cluster.brokers[2].files.properties),
        }
        watched.printed("failed-log-dir", "kafka-storage.sh format", own)


def refuses_to_start(cluster: KRaftCluster) -> None:
    jvm = cluster.brokers[2].jvm
    jvm.start()
    wait_until("the broker to give up", lambda: not jvm.running, [], 60)
    jvm.kill()
    assert "No `meta.properties` found" in jvm.log_tail()


def led_by_2(cluster: KafkaCluster) -> set[str]:
    with closing(KafkaAdminClient(bootstrap_servers=cluster.bootstrap_servers)) as admin:
        return {
            f"{topic['name']}-{partition['partition_index']}"
            for topic in admin.describe_topics()
            for partition in topic["partitions"]
            if partition["leader_id"] == 2
        }


def described(watched: WatchedOverKafka) -> str:
    return watched.printed("failed-log-dir", "kafka-log-dirs.sh", {"NODE": "2"})


def is_mended(watched: WatchedOverKafka, log_dir: Path) -> None:
    """As the runbook says how to see it resolved."""
    watched.cluster.wait_until_in_sync()
    assert str(log_dir) in described(watched)
    assert "KafkaStorageException" not in described(watched)
    assert watched.printed("failed-log-dir", "--under-replicated").strip() == ""
    watched.snapshot()
    assert watched.findings("failed-log-dir") == {}


def records(watched: WatchedOverKafka) -> dict[str, int]:
    """Of each topic, as its leaders tell."""
    by_topic = "SELECT topic, sum(high_watermark - log_start)::INT AS records FROM admin_offsets"
    newest = "WHERE snapshot_id = (SELECT max(snapshot_id) FROM snapshots) AND topic NOT LIKE '\\_\\_%' ESCAPE '\\'"
    return dict(watched.ask(f"{by_topic} {newest} GROUP BY topic"))


def delete_topic(cluster: KafkaCluster, topic: str) -> None:
    with closing(KafkaAdminClient(bootstrap_servers=cluster.bootstrap_servers)) as admin:
        admin.delete_topics([topic])
    log_dirs = [log_dir for broker_id in cluster.brokers for log_dir in cluster.log_dirs(broker_id)]
    wait_until(
        "the topic to be gone",
        lambda: not any(list(log_dir.glob(f"{topic}-?")) for log_dir in log_dirs),
        cluster.servers,
        60,
    )
