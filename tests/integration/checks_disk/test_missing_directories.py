"""Directories of replicas that are gone: found before their broker makes empty ones, and what is lost when it does."""

import shutil

from jobs.lab.jvm import wait_until
from tests.integration.checks_disk.disks import Disks


def test_lost_directories_are_missed_before_their_broker_makes_empty_ones(disks: Disks) -> None:
    disks.cluster.stop_broker(2)
    alone, aside = disks.directory(2, "alone-0"), disks.home / "alone-0.aside"
    shutil.move(alone, aside)
    shutil.rmtree(disks.directory(2, "orders-1"))
    assert disks.findings() == {
        ("missing-replica-directory", "broker 2"): {
            "severity": "critical",
            "replicas": ["alone-0", "orders-1"],
            "missing": 2,
            "in_sync": ["alone-0"],
            "only_in_sync": ["alone-0"],
        }
    }
    in_sync = disks.printed("missing-replica-directory", "list_contains(isr, NODE)", subject="broker 2")
    assert "alone" in in_sync
    assert "orders" not in in_sync

    disks.back(2)
    assert disks.records("orders") == 40, "where it was not in the ISR it copies what was lost"
    assert disks.records("alone") == 0, "where it was, it leads with nothing"
    disks.cluster.stop_broker(2)
    shutil.rmtree(disks.directory(2, "alone-0"))
    shutil.move(aside, alone)
    disks.back(2)
    disks.is_whole("orders", "alone")


def test_a_directory_that_was_moved_from_a_running_broker_is_moved_back_while_it_runs(
    disks: Disks,
) -> None:
    disks.look()
    alone, aside = disks.directory(2, "alone-0"), disks.home / "alone-0.aside"
    shutil.move(alone, aside)
    disks.look()
    found = disks.findings()
    assert set(found) == {("missing-replica-directory", "broker 2")}
    assert found["missing-replica-directory", "broker 2"]["severity"] == "warning"
    assert found["missing-replica-directory", "broker 2"]["only_in_sync"] == ["alone-0"]
    shutil.move(aside, alone)
    disks.is_whole("alone")
    disks.cluster.stop_broker(2)
    disks.back(2)
    disks.is_whole("alone")


def test_a_directory_that_was_moved_from_a_running_broker_is_moved_back_while_it_is_stopped(
    disks: Disks,
) -> None:
    alone, aside = disks.directory(2, "alone-0"), disks.home / "alone-0.aside"
    shutil.move(alone, aside)
    disks.cluster.stop_broker(2)
    shutil.copytree(aside, alone)
    disks.back(2)
    wait_until("retention", lambda: disks.records("alone") == 0, disks.cluster.servers, 60)

    disks.cluster.stop_broker(2)
    shutil.rmtree(alone)
    disks.put_back(aside, alone)
    disks.back(2)
    disks.is_whole("alone")
