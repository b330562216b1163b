"""Every command that a runbook names is run on a real cluster by a test."""

import re

import pytest

from jobs.checks.parts.check import runbooks
from tests.page_commands import PAGE, command, commands, is_script, row, run_by

_LINK = re.compile(r"\[[^]]+\]\([^)]+\)")
EVERY = [(check_id, told) for check_id in runbooks() for told in commands(check_id) if is_script(told)]


@pytest.mark.parametrize(("check_id", "told"), EVERY)
def test_every_command_of_a_runbook_is_run_on_a_real_cluster(check_id: str, told: str) -> None:
    assert (check_id, told) in run_by(), (
        f'let a test in tests/integration bring the state about and call watched.run("{check_id}", …) with words of: {told}'
    )


@pytest.mark.parametrize(("check_id", "told"), EVERY)
def test_what_the_page_of_commands_says_is_run_is(check_id: str, told: str) -> None:
    lines = PAGE.read_text(encoding="utf-8").splitlines()
    (shown,) = [line for line in lines if line.startswith(f"| `{check_id}` | `{told}` |")]
    assert set(_LINK.findall(shown)) <= set(_LINK.findall(row(check_id, told))), "run `make docs` and commit"


def test_a_command_is_known_in_a_block_and_in_a_line_that_wraps() -> None:
    assert "kafka-cluster.sh unregister --bootstrap-server BOOTSTRAP_SERVERS --id NODE" in commands(
        "ghost-observer"
    )
    assert command("unclean-election-possible", "--alter --entity-type topics").endswith(
        "--entity-name TOPIC --add-config unclean.leader.election.enable=false"
    )
    with pytest.raises(ValueError, match="stands in"):
        command("quorum-health", "--bootstrap-controller")


def test_a_test_is_known_by_the_command_that_it_runs() -> None:
    shown = {
        test
        for _, test in run_by()["no-controller", "zookeeper-shell.sh ZOOKEEPER_CONNECT delete /controller"]
    }
    assert "without another living broker the znode must stay" in shown
