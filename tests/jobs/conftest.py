"""A small lake, written row by row without Spark: what a reader finds after some snapshots."""

import textwrap
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from deltalake import write_deltalake

from jobs.errors import SettingsError
from jobs.lake.arrow import arrow_schema
from jobs.lake.ddl import table_properties
from jobs.lake.layout import table_path
from jobs.lake.snapshot_id import logical_time
from jobs.settings import Settings, load_settings
from jobs.storage import Location, open_storage
from schemas.registry import tables
from schemas.snapshots import FEW_GAPS
from schemas.table import Table
from tests.jobs.varve_yaml import Complaint, Load


class WrittenLake:
    """Appends rows to the Delta tables of one cluster; snapshots are captured five seconds after their id."""

    def __init__(self, root: Location, cluster: str = "orders") -> None:
        self.root = root
        self.storage = open_storage(root)
        self.cluster = cluster

    def append(self, to: str | Table, rows: Sequence[Mapping[str, Any]]) -> None:
        """Append rows; columns that are not given are null."""
        table = tables()[to] if isinstance(to, str) else to
        schema = arrow_schema(table.stored_columns)
        data = pa.Table.from_pylist(
            [{"cluster": self.cluster, "generation": 0, **row} for row in rows], schema
        )
        path = table_path(self.cluster, table.name)
        is_there = any(True for _ in self.storage.list(path))
        write_deltalake(
            self.storage.location(path),
            data,
            mode="append",
            partition_by=list(table.partition_columns),
            configuration=None if is_there else table_properties(table),
            storage_options=self.storage.options,
        )

    def change(self, table: str, snapshot_id: str, op: str, era: str, **columns: Any) -> None:
        """Append one change of a state table, captured by that snapshot."""
        stamp = {"changed_at": captured(snapshot_id), "snapshot_id": snapshot_id, "written_by": snapshot_id}
        self.append(table, [{"op": op, "era": era, **stamp, **columns}])

    def happened(
        self,
        event: str,
        subject: str,
        since: str,
        snapshot_id: str,
        from_value: str | None = None,
        to_value: str | None = None,
        partitions_touched: int = 0,
        reason: str | None = None,
    ) -> None:
        """Append an event that one snapshot saw and the one `since` did not."""
        values = {"from_value": from_value, "to_value": to_value, "reason": reason}
        stamp = {
            "since_snapshot_id": since,
            "since_at": captured(since),
            "captured_at": captured(snapshot_id),
            "partitions_touched": partitions_touched,
        }
        self.append(
            "events",
            [{"event": event, "subject": subject, "snapshot_id": snapshot_id, **stamp, **values}],
        )

    def commit(
        self,
        snapshot_id: str,
        *gaps: tuple[str, str, str, str],
        authority: str = "zookeeper",
        sources: tuple[str, ...] = ("zookeeper", "kafka"),
        at: datetime | None = None,
        committed_at: datetime | None = None,
        written_by: str | None = None,
        varve_version: str = "0.1.0",
    ) -> None:
        """Append the gaps (source, scope, reason, message) and the row that makes the snapshot visible, with few gaps."""
        names = ("source", "scope", "reason", "message")
        unseen = [dict(zip(names, gap, strict=True)) for gap in gaps]
        if gaps:
            self.append("coverage_gaps", [{"snapshot_id": snapshot_id, **gap} for gap in unseen])
        at = at or captured(snapshot_id)
        source = {"status": "partial" if gaps else "complete", "started_at": at}
        source |= {"captured_at": at, "rows": 7, "zxid": 99, "unsettled": 0, "gaps": len(gaps)}
        row = {
            "committed_at": committed_at or at,
            "logical_at": logical_time(snapshot_id),
            "captured_at": at,
            "status": "partial" if gaps else "complete",
            "authority": authority,
            "sources": [{**source, "source": name} for name in sources],
            "varve_version": varve_version,
            "gaps": unseen if len(unseen) <= FEW_GAPS else None,
            "snapshot_id": snapshot_id,
            "written_by": written_by,
        }
        self.append("snapshots", [row])


def captured(snapshot_id: str) -> datetime:
    """When the snapshots of these lakes are captured: five seconds after their logical time."""
    at = logical_time(snapshot_id)
    return datetime(at.year, at.month, at.day, at.hour, at.minute, 5, tzinfo=UTC)


@pytest.fixture
def lake(tmp_path: Path) -> WrittenLake:
    return WrittenLake(tmp_path / "lake")


@pytest.fixture
def load(tmp_path: Path) -> Load:
    def write_and_load(text: str) -> Settings:
        path = tmp_path / "varve.yaml"
        path.write_text(textwrap.dedent(text))
        return load_settings(path)

    return write_and_load


@pytest.fixture
def complaint(load: Load, tmp_path: Path) -> Complaint:
    """What loading a text complains of, without the folder of the file."""

    def complain(text: str) -> str:
        with pytest.raises(SettingsError) as caught:
            load(text)
        assert caught.value.exit_code == 2
        return str(caught.value).replace(f"{tmp_path}/", "")

    return complain
