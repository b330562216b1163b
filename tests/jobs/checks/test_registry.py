"""What every check has, however it was added."""

from pathlib import Path

import pytest

from jobs.checks.parts.check import Check, all_checks
from schemas.judgement import Severity


def test_the_checks_are_discovered() -> None:
    assert [check.check_id for check in all_checks()] == [
        "ghost-observer",
        "leader-imbalance",
        "offline-partition",
        "topic-id-latent",
        "topic-id-mismatch",
        "under-replicated-partition",
    ]


@pytest.mark.parametrize("check", all_checks(), ids=lambda check: check.check_id)
def test_a_check_has_a_severity_a_remedy_a_runbook_and_a_test(check: Check) -> None:
    assert check.severity in tuple(Severity)
    assert check.remedy.endswith(".")
    assert "do not" in check.runbook.lower().replace("*", "")
    test = Path(__file__).with_name(f"test_{check.check_id.replace('-', '_')}.py")
    assert test.exists(), f"write {test.name} with a hit, a near miss and an unknown"
