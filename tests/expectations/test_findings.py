from collections.abc import Callable
from typing import Any

Row = dict[str, Any]
Broken = Callable[..., dict[str, str | None]]


def finding(subject: str, evidence: str) -> Row:
    return {"check_id": "offline-partition", "subject": subject, "evidence": evidence}


def test_evidence_is_a_json_object(broken_by: Broken) -> None:
    rows = finding("orders-0", '{"replicas": [1]}'), finding("orders-1", "{}"), finding("orders-2", "[1]")
    assert broken_by("findings", *rows) == {
        "evidence is a JSON object": "1 row, such as offline-partition, orders-2"
    }
