"""The life of a finding: it opens, stays, resolves, comes back, and is forgotten in the end."""

from collections.abc import Sequence
from datetime import UTC, date, datetime, timedelta
from typing import Any

import duckdb
import pyarrow as pa

from jobs.lake.arrow import arrow_schema
from jobs.process.findings import JUDGED, findings
from jobs.rules import IgnoreRule
from schemas.judgement import FINDINGS
from schemas.table import Column

NOW = datetime(2026, 11, 21, 14, 10, 5, tzinfo=UTC)
EARLIER = NOW - timedelta(minutes=10)
CHANGED_AT = Column("changed_at", "TIMESTAMP", "when the finding last changed")


def found(
    subject: str, status: str = "open", changed_at: datetime = EARLIER, **columns: Any
) -> dict[str, Any]:
    """A finding as it was before."""
    row = {
        "check_id": "offline-partition",
        "severity": "critical",
        "evidence": '{"isr":[1]}',
        "remedy": "old",
    }
    return (
        row
        | {"subject": subject, "status": status, "first_seen_at": EARLIER, "changed_at": changed_at}
        | {"not_seen_since": None, "cause_check_id": None, "cause_subject": None, "became": None}
        | {"was_resolved_at": None, "worsened_at": None, "ignored": None}
        | columns
    )


def judged(subject: str, *, is_hit: bool, is_known: bool = True, **columns: Any) -> dict[str, Any]:
    """What a check says of a subject now."""
    row = {
        "check_id": "offline-partition",
        "severity": "critical",
        "evidence": '{"isr":[2]}',
        "remedy": "new",
    }
    return row | {"subject": subject, "is_hit": is_hit, "is_known": is_known} | columns


def after(
    before: list[dict[str, Any]],
    now: list[dict[str, Any]],
    captured_at: datetime = NOW,
    ignore: Sequence[IgnoreRule] = (),
) -> dict[str, dict[str, Any]]:
    """The findings after a snapshot, by subject."""
    old = pa.Table.from_pylist(before, arrow_schema((*FINDINGS.columns, CHANGED_AT)))
    new = pa.Table.from_pylist(now, arrow_schema(JUDGED))
    with duckdb.connect() as connection:
        table = findings(connection, old, new, captured_at, EARLIER, ignore)
    assert tuple(table.column_names) == FINDINGS.column_names
    rows = table.to_pylist()
    assert len(rows) == len({(row["check_id"], row["subject"]) for row in rows})
    return {row["subject"]: row for row in rows}


def test_a_hit_opens_a_finding_and_neither_a_miss_nor_an_unknown_does() -> None:
    rows = after(
        [],
        [
            judged("hit", is_hit=True),
            judged("miss", is_hit=False),
            judged("unknown hit", is_hit=True, is_known=False),
            judged("unknown miss", is_hit=False, is_known=False),
        ],
    )
    assert rows == {
        "hit": {
            "check_id": "offline-partition",
            "subject": "hit",
            "severity": "critical",
            "status": "open",
            "first_seen_at": NOW,
            "not_seen_since": None,
            "evidence": '{"isr":[2]}',
            "remedy": "new",
            "cause_check_id": None,
            "cause_subject": None,
            "became": None,
            "was_resolved_at": None,
            "worsened_at": None,
            "ignored": None,
        }
    }


def test_an_open_finding_stays_with_its_first_sight_and_todays_evidence() -> None:
    row = after([found("orders-0")], [judged("orders-0", is_hit=True, severity="warning")])["orders-0"]
    assert (row["status"], row["first_seen_at"]) == ("open", EARLIER)
    assert (row["severity"], row["evidence"], row["remedy"]) == ("warning", '{"isr":[2]}', "new")


def test_a_finding_resolves_when_its_subject_is_fine_or_gone_and_keeps_its_last_evidence() -> None:
    rows = after([found("fine"), found("gone")], [judged("fine", is_hit=False)])
    assert {subject: (row["status"], row["evidence"]) for subject, row in rows.items()} == {
        "fine": ("resolved", '{"isr":[1]}'),
        "gone": ("resolved", '{"isr":[1]}'),
    }


def test_what_is_not_known_stays_as_it_was_and_an_open_finding_says_since_when() -> None:
    before = [found("open, hit"), found("open, miss"), found("resolved", "resolved")]
    now = [
        judged("open, hit", is_hit=True, is_known=False),
        judged("open, miss", is_hit=False, is_known=False),
        judged("resolved", is_hit=True, is_known=False),
    ]
    rows = after(before, now)
    assert rows == {
        row["subject"]: {name: row[name] for name in FINDINGS.column_names}
        | {"not_seen_since": EARLIER if row["status"] == "open" else None}
        for row in before
    }


def test_a_finding_is_not_seen_since_it_was_last_judged_until_it_is_judged_again() -> None:
    long_ago = EARLIER - timedelta(days=2)
    names = ("unknown still", "hit again", "fine again")
    rows = after(
        [found(name, not_seen_since=long_ago) for name in names],
        [judged(names[0], is_hit=True, is_known=False), judged(names[1], is_hit=True)],
    )
    assert {name: (row["status"], row["not_seen_since"]) for name, row in rows.items()} == {
        "unknown still": ("open", long_ago),
        "hit again": ("open", None),
        "fine again": ("resolved", None),
    }


def test_a_resolved_finding_that_comes_back_was_first_seen_now() -> None:
    row = after([found("orders-0", "resolved")], [judged("orders-0", is_hit=True)])["orders-0"]
    assert (row["status"], row["first_seen_at"], row["evidence"]) == ("open", NOW, '{"isr":[2]}')


def test_a_resolved_finding_goes_after_thirty_days() -> None:
    day = timedelta(days=1)
    before = [
        found("on the day", "resolved", NOW - 30 * day),
        found("after it", "resolved", NOW - 30 * day - timedelta(seconds=1)),
        found("after it, seen fine", "resolved", NOW - 31 * day),
        found("after it, hit again", "resolved", NOW - 31 * day),
        found("old and still open", "open", NOW - 31 * day),
    ]
    now = [
        judged("after it, seen fine", is_hit=False),
        judged("after it, hit again", is_hit=True),
        judged("old and still open", is_hit=True),
    ]
    statuses = {subject: row["status"] for subject, row in after(before, now).items()}
    assert statuses == {
        "on the day": "resolved",
        "after it, hit again": "open",
        "old and still open": "open",
    }


def test_two_checks_on_one_subject_are_two_findings() -> None:
    old = pa.Table.from_pylist([found("orders")], arrow_schema((*FINDINGS.columns, CHANGED_AT)))
    rows = [judged("orders", is_hit=True, check_id="topic-id-latent"), judged("orders", is_hit=False)]
    new = pa.Table.from_pylist(rows, arrow_schema(JUDGED))
    with duckdb.connect() as connection:
        table = findings(connection, old, new, NOW, EARLIER)
    assert sorted((row["check_id"], row["status"]) for row in table.to_pylist()) == [
        ("offline-partition", "resolved"),
        ("topic-id-latent", "open"),
    ]


def test_what_comes_back_while_its_resolved_finding_is_kept_says_when_that_was() -> None:
    day = timedelta(days=1)
    before = [
        found("back", "resolved", EARLIER),
        found("back since long", was_resolved_at=EARLIER - day),
        found("not seen", was_resolved_at=EARLIER - day),
        found("too long ago", "resolved", NOW - 31 * day),
    ]
    now = [judged(each["subject"], is_hit=True, is_known=each["subject"] != "not seen") for each in before]
    rows = after(before, now)
    assert {subject: row["was_resolved_at"] for subject, row in rows.items()} == {
        "back": EARLIER,
        "back since long": EARLIER - day,
        "not seen": EARLIER - day,
        "too long ago": None,
    }


def test_a_finding_whose_severity_rose_says_when_until_it_falls_or_comes_anew() -> None:
    before = [
        found("rose", severity="warning"),
        found("rose before", worsened_at=EARLIER),
        found("fell", worsened_at=EARLIER),
        found("as before", severity="warning"),
        found("came back worse", "resolved", severity="info", worsened_at=EARLIER),
    ]
    severities = {"fell": "warning", "as before": "warning"}
    now = [
        judged(each["subject"], is_hit=True, severity=severities.get(each["subject"], "critical"))
        for each in before
    ]
    assert {subject: row["worsened_at"] for subject, row in after(before, now).items()} == {
        "rose": NOW,
        "rose before": EARLIER,
        "fell": None,
        "as before": None,
        "came back worse": None,
    }


def test_what_a_rule_names_is_ignored_until_its_day_begins_and_stays_a_finding() -> None:
    def rule(check: str, subject: str, until: date) -> IgnoreRule:
        return IgnoreRule(check=check, subject=subject, until=until, why="it moves")

    rules = [
        rule("offline-partition", "orders-?", date(2026, 11, 22)),
        rule("offline-partition", "audit*", date(2026, 11, 21)),
        rule("topic-id-latent", "*", date(2026, 12, 1)),
    ]
    before = [found("orders-1"), found("orders-2")]
    now = [judged(subject, is_hit=True) for subject in ("orders-0", "orders-10", "audit-0")]
    rows = after(before, [*now, judged("orders-1", is_hit=True, is_known=False)], ignore=rules)
    assert {subject: (row["status"], row["ignored"]) for subject, row in rows.items()} == {
        "orders-0": ("open", "until 2026-11-22: it moves"),
        "orders-1": ("open", "until 2026-11-22: it moves"),
        "orders-2": ("resolved", None),
        "orders-10": ("open", None),
        "audit-0": ("open", None),
    }
    ended = after(
        [row | {"changed_at": NOW} for row in rows.values()],
        [judged("orders-0", is_hit=True)],
        datetime(2026, 11, 22, tzinfo=UTC),
        rules,
    )
    assert ended["orders-0"]["ignored"] is None
