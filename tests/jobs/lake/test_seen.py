"""What a row that was seen, or made by newer code, does to one that does not say where it stood."""

from collections.abc import Sequence
from typing import Any

import pyarrow as pa

from jobs.lake.arrow import arrow_schema
from jobs.lake.coverage import is_unseen
from jobs.lake.sandbox import open_sandbox
from jobs.lake.state import compare, corrected
from schemas.access import ACLS
from schemas.entities import BROKERS
from schemas.table import Table


def rows_of(table: Table, rows: Sequence[dict[str, Any]]) -> pa.Table:
    return pa.Table.from_pylist(list(rows), arrow_schema(table.columns))


def acl(topic: str, znode: str | None) -> dict[str, Any]:
    entry = {"resource_type": "Topic", "pattern_type": "literal", "principal": "User:alice", "host": "*"}
    return entry | {"operation": "Read", "permission": "Allow", "resource_name": topic, "znode": znode}


def test_an_acl_of_the_quorum_is_gone_or_what_the_tree_says_after_a_migration_was_rolled_back() -> None:
    before = rows_of(ACLS, [acl("kept", None), acl("undone", None)])  # over the Admin API there are no znodes
    seen = rows_of(ACLS, [acl("kept", "/kafka-acl/Topic/kept")])

    def changes(gap: str) -> list[tuple[str, str]]:
        hidden = is_unseen(ACLS, "zookeeper", {"zookeeper": {gap}})
        found = compare(open_sandbox(), before, seen, ACLS, hidden).changes.to_pylist()
        return sorted((row["resource_name"], row["op"]) for row in found)

    assert changes("/config/users") == [("kept", "update"), ("undone", "delete")]
    assert changes("/kafka-acl/Group") == [("kept", "update")]  # the other may stand there
    assert changes("/kafka-acl") == []


def test_rows_that_other_code_makes_correct_those_before_but_delete_none_that_was_not_seen() -> None:
    before = rows_of(BROKERS, [{"broker_id": each, "rack": "old"} for each in (1, 2, 11, 12)])
    remade = rows_of(BROKERS, [{"broker_id": each, "rack": "new"} for each in (1, 3, 11, 13)])
    hidden = {"zookeeper": {f"/brokers/ids/{each}" for each in (11, 12, 13)}}
    was_unseen = is_unseen(BROKERS, "zookeeper", hidden)
    found = corrected(open_sandbox(), before, remade, BROKERS, was_unseen).to_pylist()
    assert sorted((row["broker_id"], row["rack"]) for row in found) == [
        (1, "new"),
        (3, "new"),
        (11, "new"),
        (12, "old"),
        (13, "new"),
    ]
