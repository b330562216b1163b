"""How the findings of a cluster are judged, as varve.yaml says."""

from datetime import UTC, datetime

import pytest

from schemas.judgement import Severity
from tests.jobs.varve_yaml import LEAST, Complaint, Load


def test_critical_findings_are_told_unless_another_alarm_or_none_is_set(load: Load) -> None:
    assert load(LEAST).cluster("orders").alarm is Severity.CRITICAL
    assert load(f"{LEAST}    alarm: warning\n").cluster("orders").alarm is Severity.WARNING
    assert load(f"{LEAST}    alarm: null\n").cluster("orders").alarm is None


def test_an_alarm_that_is_no_severity_is_refused(complaint: Complaint) -> None:
    refused = "varve.yaml, line 5: clusters.0.alarm: Input should be 'info', 'warning' or 'critical'"
    assert refused in complaint(f"{LEAST}    alarm: loud\n")


def test_findings_to_ignore_and_thresholds_are_set_for_a_cluster(load: Load) -> None:
    orders = load(
        LEAST
        + """\
    ignore: [{check: ghost-observer, subject: "node 7*", until: 2026-12-01, why: "it is being replaced"}]
    checks: {leader-imbalance: {allowed_percentage: 20}}
"""
    ).cluster("orders")
    (rule,) = orders.rules.ignore
    assert (rule.check, rule.subject, rule.why) == ("ghost-observer", "node 7*", "it is being replaced")
    assert rule.ends_at == datetime(2026, 12, 1, tzinfo=UTC)
    assert orders.rules.thresholds == {"leader-imbalance": {"allowed_percentage": 20}}


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        (
            "ignore: [{check: gost-observer, until: 2026-12-01, why: x}]",
            "line 6: clusters.0.ignore.0.check: there is no check 'gost-observer'; there are ",
        ),
        (
            "ignore: [{check: ghost-observer, why: x}]",
            "line 6: clusters.0.ignore.0.until: is missing: add it here",
        ),
        ("ignore: [{check: ghost-observer, until: soon, why: x}]", "line 6: clusters.0.ignore.0.until: "),
        (
            "ignore: [{check: ghost-observer, until: 2026-12-01, why: ''}]",
            "line 6: clusters.0.ignore.0.why: ",
        ),
        (
            "checks: {leader-balance: {x: 1}}",
            "line 6: clusters.0.checks.leader-balance.[key]: there is no check",
        ),
        (
            "checks: {leader-imbalance: {percentage: 20}}",
            "line 6: clusters.0.checks.leader-imbalance.percentage: the check has no such threshold; it has allowed_percentage",
        ),
        (
            "checks: {leader-imbalance: {allowed_percentage: many}}",
            "line 6: clusters.0.checks.leader-imbalance.allowed_percentage: 'many' is no whole number",
        ),
        (
            "checks: {leader-imbalance: {allowed_percentage: 1.5}}",
            "line 6: clusters.0.checks.leader-imbalance.allowed_percentage: 1.5 is no whole number",
        ),
        (
            "checks: {leader-imbalance: {nobody: Do it.}}",
            "line 6: clusters.0.checks.leader-imbalance.nobody: the check has no such threshold",
        ),
    ],
)
def test_a_rule_that_is_wrong_is_refused_with_its_line(
    complaint: Complaint, setting: str, message: str
) -> None:
    name, value = setting.split(": ", 1)
    assert f"varve.yaml, {message}" in complaint(f"{LEAST}    {name}:\n      {value}\n")
