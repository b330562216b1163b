"""`varve runbook`: the page of a check for one cluster."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

Varve = Callable[..., Any]


def test_a_page_is_printed_with_the_clusters_own_addresses(varve: Varve, config: Path) -> None:
    config.write_text(
        "lake: ./lake\nclusters:\n  - {name: orders, kafka: {bootstrap_servers: 'b1:9092,b2:9092'}}\n"
    )
    ended = varve("runbook", "offline-partition", "audit-1")
    assert ended.code == 0
    assert ended.out.startswith("## offline-partition: audit-1 (orders)\n\n### What it means\n")
    assert "--bootstrap-server b1:9092,b2:9092" in ended.out
    assert "--topic audit --partition 1" in ended.out
    assert "BOOTSTRAP_SERVERS" not in ended.out


def test_what_nothing_fills_in_is_said(varve: Varve) -> None:
    told = varve("runbook", "offline-partition", "--cluster", "billing").out
    assert "- BOOTSTRAP_SERVERS: the brokers to ask, host:port with commas" in told
    assert "- TOPIC: the topic of the finding" in told
    assert "- Log dirs of 1: /not/there" in told


def test_a_check_that_is_not_there_and_a_cluster_that_is_not_named_are_refused(varve: Varve) -> None:
    ended = varve("runbook", "offline")
    assert (ended.code, ended.err[:64]) == (
        2,
        "error: There is no check 'offline'; there are at-min-isr, broker"[:64],
    )
    ended = varve("runbook", "offline-partition")
    assert (ended.code, ended.err) == (2, "error: Name one of the clusters with --cluster: orders, billing\n")


def test_a_hostile_subject_does_not_steer_the_terminal(varve: Varve) -> None:
    told = varve("runbook", "offline-partition", "\x1b]0;x\x07-1", "--cluster", "orders").out
    assert not {"\x1b", "\x07"} & set(told)
