"""Every check is shown to find what it is for: on a real cluster, or on built rows."""

import re

import pytest

from jobs.checks.parts.check import all_checks
from jobs.docs import ROOT
from tests.recall import PAGE, on_built_rows, on_real_clusters, row

_LINK = re.compile(r"\[[^]]+\]\([^)]+\)")
CHECKS = [check.check_id for check in all_checks()]


@pytest.mark.parametrize("check_id", CHECKS)
def test_every_check_was_seen_to_find_something(check_id: str) -> None:
    own = ROOT / on_built_rows(check_id)
    assert on_real_clusters(check_id) or own.exists(), (
        f"no test finds {check_id}: write {own.name}, or one in tests/integration that names it"
    )


def test_a_test_on_a_real_cluster_is_known_by_the_check_that_it_names() -> None:
    assert "a dead kraft broker is a ghost observer" in {
        test for _, test in on_real_clusters("ghost-observer")
    }
    by_a_constant = {test for _, test in on_real_clusters("no-controller")}
    assert "without another living broker the znode must stay" in by_a_constant
    assert (
        "a controller that was frozen beyond its session is replaced and comes back as a broker"
        not in by_a_constant
    )
    assert on_real_clusters("no-such-check") == []


@pytest.mark.parametrize("check_id", CHECKS)
def test_what_the_page_says_finds_a_check_does(check_id: str) -> None:
    (told,) = [line for line in PAGE.read_text(encoding="utf-8").splitlines() if f"| `{check_id}` |" in line]
    named = set(_LINK.findall(told))
    assert named, "run `make docs` and commit what it writes"
    assert named <= set(_LINK.findall(row(check_id))), "run `make docs` and commit what it writes"
