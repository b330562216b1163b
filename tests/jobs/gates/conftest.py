"""A healthy cluster to ask gates about, of which a test changes what it is about."""

from datetime import timedelta
from typing import Any

import pytest

from jobs.gates.parts.gate import all_gates, reasons_against
from jobs.lake.snapshot_id import logical_time

SNAPSHOT = "20261121T000000Z"
NOW = logical_time(SNAPSHOT) + timedelta(minutes=5)
ID = "9PAWjS9XQPa_kQJZ5iTE4w"


class Cluster:
    """Rows by table, as a snapshot wrote them; every row can be changed before a gate is asked."""

    def __init__(self, lake: Any, authority: str, tables: dict[str, list[dict[str, Any]]]) -> None:
        self._lake, self._authority, self.tables = lake, authority, tables
        self._is_written = False
        self.gaps: list[tuple[str, str, str, str]] = []
        self.sources = ["zookeeper", "kafka", "log_dirs"] if authority == "zookeeper" else ["kafka"]

    def reasons(
        self, gate: str, broker: int | None = None, later: timedelta = timedelta(), max_age_m: int = 30
    ) -> list[str]:
        """What a gate says against it, five minutes after the snapshot or so much later."""
        if not self._is_written:
            self._write_all()
        age = timedelta(minutes=max_age_m)
        return reasons_against(
            all_gates()[gate], self._lake.storage, self._lake.cluster, broker, age, NOW + later
        )

    def follow(self, authority: str) -> None:
        """The typed tables follow that source."""
        self._authority = authority

    def _write_all(self) -> None:
        self._is_written = True
        for table, rows in self.tables.items():
            for row in rows:
                self._write(table, row)
        self._lake.commit(SNAPSHOT, *self.gaps, authority=self._authority, sources=tuple(self.sources))

    def _write(self, table: str, row: dict[str, Any]) -> None:
        if table != "quorum_progress":
            self._lake.change(table, SNAPSHOT, "keyframe", SNAPSHOT, **row)
            return
        stamp = {"snapshot_id": SNAPSHOT, "written_by": SNAPSHOT, "captured_at": NOW, "day": NOW.date()}
        self._lake.append(table, [{**stamp, **row}])


def _common() -> dict[str, list[dict[str, Any]]]:
    partition = {"topic": "orders", "replicas": [1, 2, 3], "isr": [1, 2, 3], "adding": [], "removing": []}
    settings = [{"broker_id": each, "name": "min.insync.replicas", "value": "2"} for each in (1, 2, 3)]
    return {
        "topics": [{"topic": "orders", "topic_id": ID, "partitions": 2, "deletion_pending": False}],
        "partitions": [{**partition, "partition": each, "leader": each + 1} for each in (0, 1)],
        "brokers": [{"broker_id": each, "rack": f"rack-{each}"} for each in (1, 2, 3)],
        "broker_settings": settings,
    }


@pytest.fixture
def zookeeper_mode(lake: Any) -> Cluster:
    """Three brokers, of which 3 is the controller, and their disks."""
    replica = {"topic": "orders", "kind": "current", "topic_id": ID, "metadata_version": 0, "path": "/d0"}
    disks = [
        {**replica, "broker_id": broker, "partition": each, "dir_name": f"orders-{each}"}
        for broker in (1, 2, 3)
        for each in (0, 1)
    ]
    controller = {"controller_id": 3, "epoch": 7, "kraft_epoch": -1}
    return Cluster(lake, "zookeeper", {**_common(), "controllers": [controller], "disk_replicas": disks})


@pytest.fixture
def kraft_mode(lake: Any) -> Cluster:
    """Three brokers and three voters, of which 101 leads."""
    voters = [{"node_id": each, "directory_id": f"dir-{each}", "role": "voter"} for each in (101, 102, 103)]
    progress = {"high_watermark": 9, "log_end_offset": 9, "lag": 0, "last_fetch_at": NOW}
    return Cluster(
        lake,
        "kafka",
        {
            **_common(),
            "controllers": [{"controller_id": 101, "epoch": 7}],
            "quorum": [{"leader_id": 101, "leader_epoch": 7}],
            "quorum_members": voters,
            "quorum_progress": [
                {"node_id": each["node_id"], "directory_id": each["directory_id"], **progress}
                for each in voters
            ],
        },
    )


@pytest.fixture(params=["zookeeper_mode", "kraft_mode"])
def either(request: pytest.FixtureRequest) -> Cluster:
    """The one, then the other."""
    cluster: Cluster = request.getfixturevalue(request.param)
    return cluster
