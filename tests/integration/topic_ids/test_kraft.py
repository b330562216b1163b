"""On KRaft Kafka sets replicas of an earlier topic aside by itself: nobody is told to leave the broker down."""

from typing import Any

from jobs.lab.jvm import wait_until
from jobs.lab.topics import create_topic


def wait_for_metadata(cluster: Any, broker_id: int) -> None:
    """Kafka writes the file of an empty replica a little later."""
    files = [path / "orders-0" / "partition.metadata" for path in cluster.log_dirs(broker_id)]
    servers = [cluster.brokers[broker_id].jvm]
    wait_until("partition.metadata", lambda: any(file.exists() for file in files), servers, 60)


def test_a_topic_that_was_made_anew_while_a_broker_was_down_is_cured_by_its_start(kraft_lab: Any) -> None:
    cluster = kraft_lab.cluster
    (log_dir,) = cluster.log_dirs(2)
    wait_for_metadata(cluster, 2)
    cluster.stop_broker(2)
    address = cluster.brokers[1].address
    kraft_lab.run(f"kafka-topics.sh --bootstrap-server {address} --delete --topic orders")
    create_topic(address, "orders", [[1, 2]])
    wait_for_metadata(cluster, 1)
    kraft_lab.snapshot()
    assert kraft_lab.findings() == {("topic-id-mismatch", "orders", "info")}
    (step,) = kraft_lab.plan()
    assert (step["run"], "never delete partition.metadata" in step["not_now"][0]) == ("", True)
    cluster.start_broker(2)
    cluster.wait_until_in_sync()
    assert any(path.name.endswith("-stray") for path in log_dir.iterdir())
    wait_for_metadata(cluster, 2)
    kraft_lab.snapshot()
    assert (kraft_lab.findings(), kraft_lab.plan()) == (set(), [])
