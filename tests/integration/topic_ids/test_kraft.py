"""On KRaft Kafka sets replicas of an earlier topic aside by itself: nobody is told to leave the broker down."""

from typing import Any

from jobs.lab.jvm import wait_until
from jobs.lab.topics import create_topic


def test_a_topic_that_was_made_anew_while_a_broker_was_down_is_cured_by_its_start(kraft_lab: Any) -> None:
    cluster = kraft_lab.cluster
    (log_dir,) = [path for path in cluster.log_dirs(2) if (path / "orders-0").exists()]
    cluster.stop_broker(2)
    delete = f"kafka-topics.sh --bootstrap-server {cluster.brokers[1].address} --delete --topic orders"
    kraft_lab.run(delete)
    create_topic(cluster.brokers[1].address, "orders", [[1, 2]])
    kraft_lab.snapshot()
    assert kraft_lab.findings() == {("topic-id-mismatch", "orders", "info")}
    (step,) = kraft_lab.plan()
    assert (step["run"], "never delete partition.metadata" in step["not_now"][0]) == ("", True)
    cluster.start_broker(2)
    cluster.wait_until_in_sync()
    assert any(path.name.endswith("-stray") for path in log_dir.iterdir())
    wait_until(
        "the new replica's partition.metadata",
        lambda: any((path / "orders-0" / "partition.metadata").exists() for path in cluster.log_dirs(2)),
        [cluster.brokers[2].jvm],
        60,
    )
    kraft_lab.snapshot()
    assert (kraft_lab.findings(), kraft_lab.plan()) == (set(), [])
