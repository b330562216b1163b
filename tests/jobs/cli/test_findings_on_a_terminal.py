"""`varve findings` for a person: a paragraph for each check, with its remedy once; CSV and JSON are in test_answers."""

import json
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

FIRST, SECOND = "20261121T000000Z", "20261121T001000Z"
LEADERLESS = {"leader": -1, "isr": [2], "replicas": [2], "eligible_leader_replicas": None}
LACKING = {"leader": 1, "isr": [1], "replicas": [1, 2, 3], "missing": [2, 3]}
OTHER_IDS = {
    "disk_topic_ids": ["HDKsRbHZRvWRHpXd4mxY4g"],
    "replicas": [f"partition {n} on broker 1" for n in range(9)],
}

OnTerminal = Callable[..., list[str]]


def at(minute: int) -> datetime:
    return datetime(2026, 11, 21, 0, minute, 5, tzinfo=UTC)


@pytest.fixture
def find(lake: Any) -> Callable[..., None]:
    """Opens findings of one check in the lake of orders."""

    def append(
        check_id: str, severity: str, evidence: dict[str, Any], *subjects: str, **columns: Any
    ) -> None:
        finding = {
            "op": "create",
            "era": FIRST,
            "snapshot_id": SECOND,
            "written_by": SECOND,
            "status": "open",
        }
        when = {"changed_at": at(10), "first_seen_at": at(10)}
        what = {"check_id": check_id, "severity": severity, "evidence": json.dumps(evidence)}
        alike = {**finding, **when, **what, "remedy": f"Remedy of {check_id}."}
        lake.append("findings", [{**alike, "subject": subject, **columns} for subject in subjects])

    lake.commit(FIRST)
    lake.commit(SECOND)
    return append


def test_each_check_is_a_paragraph_that_ends_with_its_remedy(
    find: Callable[..., None], on_terminal: OnTerminal
) -> None:
    find("under-replicated-partition", "warning", LACKING, "orders-10", "orders-9")
    find("offline-partition", "critical", LEADERLESS, "audit-1", not_seen_since=at(0))

    *lines, as_of = on_terminal(140, "findings", "--cluster", "orders")
    assert lines == [
        "CRITICAL offline-partition (1 open)",
        "  audit-1  new  since 2026-11-21 00:10:05Z  leader -1, isr [2], replicas [2]; not judged since 2026-11-21 00:00:05Z",
        "  Remedy: Remedy of offline-partition.",
        "  Runbook: varve runbook offline-partition audit-1 --cluster orders",
        "",
        "WARNING under-replicated-partition (2 open)",
        "  orders-9   new  since 2026-11-21 00:10:05Z  leader 1, isr [1], replicas [1, 2, 3], missing [2, 3]",
        "  orders-10  new  since 2026-11-21 00:10:05Z  leader 1, isr [1], replicas [1, 2, 3], missing [2, 3]",
        "  Remedy: Remedy of under-replicated-partition.",
        "  Runbook: varve runbook under-replicated-partition orders-10 --cluster orders",
        "",
    ]
    assert as_of.startswith("as of 2026-11-21 00:10:05Z (")


def test_what_does_not_fit_into_a_line_is_told_in_two(
    find: Callable[..., None], on_terminal: OnTerminal
) -> None:
    find("topic-id-mismatch", "critical", OTHER_IDS, "orders")
    assert on_terminal(80, "findings", "--cluster", "orders")[:6] == [
        "CRITICAL topic-id-mismatch (1 open)",
        "  orders  new  since 2026-11-21 00:10:05Z",
        "    disk topic ids [HDKsRbHZRvWRHpXd4mxY4g], replicas [partition 0 on broker 1,",
        "    partition 1 on broker 1, partition 2 on broker 1, partition 3 on broker 1,",
        "    partition 4 on broker 1 and 4 more]",
        "  Remedy: Remedy of topic-id-mismatch.",
    ]


def test_no_line_is_longer_than_the_terminal(find: Callable[..., None], on_terminal: OnTerminal) -> None:
    find("offline-partition", "critical", LEADERLESS, f"{'topic.' * 40}-0", remedy="Bring it back. " * 20)
    assert max(map(len, on_terminal(60, "findings", "--cluster", "orders")[:-3])) <= 60


def test_of_many_alike_a_terminal_shows_the_newest_and_counts_the_rest(
    find: Callable[..., None], on_terminal: OnTerminal, varve: Callable[..., Any]
) -> None:
    find("under-replicated-partition", "warning", LACKING, *(f"orders-{n}" for n in range(321)))
    find("under-replicated-partition", "warning", LACKING, "payments-0", first_seen_at=at(11))

    lines = on_terminal(140, "findings", "--cluster", "orders")
    assert lines[0] == "WARNING under-replicated-partition (322 open)"
    assert [line.split()[0] for line in lines[1:11]] == [*(f"orders-{n}" for n in range(9)), "payments-0"]
    assert lines[11:13] == [
        "  and 312 more: varve findings --format csv",
        "  Remedy: Remedy of under-replicated-partition.",
    ]
    assert len(varve("findings", "--format", "csv").out.splitlines()) == 323


def test_a_pipe_gets_all_of_them_in_a_line_each(find: Callable[..., None], varve: Callable[..., Any]) -> None:
    find("topic-id-mismatch", "critical", OTHER_IDS, *(f"orders-{n}" for n in range(30)))
    lines = varve("findings").out.splitlines()
    assert lines[0] == "CRITICAL topic-id-mismatch (30 open)"
    assert [line.split()[0] for line in lines[1:31]] == [f"orders-{n}" for n in range(30)]
    assert lines[31] == "  Remedy: Remedy of topic-id-mismatch."


def test_resolved_ones_are_marked_and_counted(find: Callable[..., None], varve: Callable[..., Any]) -> None:
    find("offline-partition", "critical", LEADERLESS, "audit-0", status="resolved", not_seen_since=at(0))
    find("offline-partition", "critical", LEADERLESS, "audit-1")
    assert [line.rstrip() for line in varve("findings", "--all").out.splitlines()[:3]] == [
        "CRITICAL offline-partition (1 open, 1 resolved)",
        "  audit-0  resolved  since 2026-11-21 00:10:05Z  leader -1, isr [2], replicas [2]",
        "  audit-1  new       since 2026-11-21 00:10:05Z  leader -1, isr [2], replicas [2]",
    ]


def test_findings_of_several_clusters_name_theirs(
    lake: Any, find: Callable[..., None], varve: Callable[..., Any]
) -> None:
    find("offline-partition", "critical", LEADERLESS, "audit-1")
    lake.cluster = "billing"
    lake.commit(FIRST)
    lake.commit(SECOND)
    find("offline-partition", "critical", LEADERLESS, "audit-1")
    assert [line.rstrip() for line in varve("findings").out.splitlines() if "audit-1  " in line] == [
        "  billing  audit-1  new  since 2026-11-21 00:10:05Z  leader -1, isr [2], replicas [2]",
        "  orders  audit-1  new  since 2026-11-21 00:10:05Z  leader -1, isr [2], replicas [2]",
    ]
    assert [line.rstrip() for line in varve("findings", "--all").out.splitlines()[:3]] == [
        "CRITICAL offline-partition (2 open)",
        "  billing  audit-1  new  since 2026-11-21 00:10:05Z  leader -1, isr [2], replicas [2]",
        "  orders   audit-1  new  since 2026-11-21 00:10:05Z  leader -1, isr [2], replicas [2]",
    ]


def test_what_a_broker_that_is_down_explains_is_one_paragraph_with_its_remedy_alone(
    lake: Any, find: Callable[..., None], on_terminal: OnTerminal
) -> None:
    cause = {"cause_check_id": "broker-down", "cause_subject": "broker 3"}
    find("broker-down", "warning", {"host": "b3"}, "broker 3")
    find("under-replicated-partition", "warning", LACKING, "orders-9", "orders-10", **cause)
    find("offline-partition", "critical", LEADERLESS, "audit-1", **cause)
    lake.happened("broker-left", "broker 3", FIRST, SECOND, partitions_touched=3)

    told = [
        "  Explains: 1 offline-partition (audit-1), 2 under-replicated-partition (orders-9, orders-10)",
        "  Before: broker-left broker 3",
        "  Remedy: Remedy of broker-down.",
        "  Runbook: varve runbook broker-down 'broker 3' --cluster orders",
        "",
    ]
    assert on_terminal(140, "findings", "--cluster", "orders")[:-1] == [
        "CRITICAL broker-down (1 open)",
        "  broker 3  new  since 2026-11-21 00:10:05Z  host b3",
        *told,
    ]
    headline, *story = on_terminal(140, "status", "--cluster", "orders")[:6]
    assert headline.startswith("CRITICAL broker-down: broker 3, since 2026-11-21 00:10:05Z (")
    assert story == told


def test_status_tells_the_facts_of_what_stands_alone_and_once_what_came_before_several(
    lake: Any, find: Callable[..., None], on_terminal: OnTerminal
) -> None:
    find("no-controller", "critical", {"epoch": 7}, "controller")
    find("quorum-health", "warning", {"voters": [101, 102], "survives": 0}, "quorum")
    lake.happened("broker-left", "broker 3", FIRST, SECOND, partitions_touched=3)
    told = [line for line in on_terminal(140, "status", "--cluster", "orders") if line.startswith("  ")]
    assert [line for line in told if line.startswith(("  Known", "  Before"))] == [
        "  Known: epoch 7",
        "  Before: broker-left broker 3",
        "  Known: voters [101, 102], survives 0",
        "  Before: as above",
    ]
    found = on_terminal(140, "findings", "--cluster", "orders")
    assert [line for line in found if line.startswith(("  Known", "  Before"))] == [
        "  Before: broker-left broker 3",
        "  Before: as above",
    ]


def test_a_finding_that_got_worse_says_what_it_became(
    find: Callable[..., None], varve: Callable[..., Any]
) -> None:
    find("topic-id-latent", "warning", {}, "orders", status="resolved", became="topic-id-mismatch")
    assert "  orders  became topic-id-mismatch  since 2026-11-21 00:10:05Z" in [
        line.rstrip() for line in varve("findings", "--all").out.splitlines()
    ]


def test_a_finding_says_where_it_is_in_its_life(find: Callable[..., None], varve: Callable[..., Any]) -> None:
    find("a-check", "warning", {}, "new")
    find("a-check", "warning", {}, "continuing", first_seen_at=at(0))
    find("a-check", "warning", {}, "worsened", first_seen_at=at(0), worsened_at=at(10))
    find("a-check", "warning", {}, "back again", was_resolved_at=at(0))
    find("a-check", "warning", {}, "resolved", status="resolved", worsened_at=at(10))
    rows = json.loads(varve("findings", "--all", "--format", "json").out)
    assert len(rows) == 5
    assert all(row["life"] == row["subject"] for row in rows)
    assert any(
        line.startswith("  back again  back again  since") for line in varve("findings").out.splitlines()
    )


def test_what_is_ignored_counts_nowhere_and_is_still_a_row(
    find: Callable[..., None], varve: Callable[..., Any]
) -> None:
    find("ghost-observer", "critical", {}, "node 7", ignored="until 2026-12-01: being replaced")
    assert varve("findings", "--fail-on", "info").code == 0
    assert varve("findings").out.splitlines()[:4] == [
        "no findings",
        "",
        "1 finding ignored: varve findings --all",
        "",
    ]
    assert "ignored until 2026-12-01: being replaced" in varve("findings", "--all").out
    assert [row["ignored"] for row in json.loads(varve("findings", "--format", "json").out)] == [
        "until 2026-12-01: being replaced"
    ]
    (status,) = json.loads(varve("status", "--cluster", "orders", "--format", "json").out)
    assert (status["critical"], status["ignored"]) == (0, 1)


def test_status_shows_ten_incidents_and_counts_the_rest(
    find: Callable[..., None], varve: Callable[..., Any]
) -> None:
    for number in range(12):
        find(f"check-{number}", "warning", {}, "orders")
    lines = varve("status").out.splitlines()
    assert sum(line.startswith("WARNING check-") for line in lines) == 10
    assert "and 2 more: varve findings" in lines


def test_every_finding_is_a_row_with_its_cause(find: Callable[..., None], varve: Callable[..., Any]) -> None:
    find("broker-down", "warning", {}, "broker 3")
    cause = {"cause_check_id": "broker-down", "cause_subject": "broker 3"}
    find("under-replicated-partition", "warning", LACKING, "orders-9", **cause)
    rows = json.loads(varve("findings", "--format", "json").out)
    assert [(row["subject"], row["cause_check_id"], row["cause_subject"]) for row in rows] == [
        ("broker 3", None, None),
        ("orders-9", "broker-down", "broker 3"),
    ]


def test_nothing_wrong_is_said(find: Callable[..., None], varve: Callable[..., Any]) -> None:
    find("offline-partition", "critical", LEADERLESS, "audit-0", status="resolved")
    assert varve("findings").out.splitlines()[:2] == ["no findings", ""]


def test_hostile_names_do_not_steer_the_terminal(
    find: Callable[..., None], varve: Callable[..., Any]
) -> None:
    find("offline-partition", "critical", {"isr": ["\x1b[31m", "[bold]x[/bold]"]}, "\x1b]0;x\x07\u202e")
    out = varve("findings").out
    assert not {"\x1b", "\x07", "\u202e"} & set(out)
    assert "[bold]x[/bold]" in out
