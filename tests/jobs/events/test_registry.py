"""What every kind of event has, however it was added."""

import sys
from pathlib import Path

import duckdb
import pytest

from jobs import events
from jobs.events.parts.event import EventKind, event_modules, happened, kinds_of


def declared() -> list[EventKind]:
    return [kind for module in event_modules() for kind in kinds_of(module)]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder whose modules are discovered beside those of `jobs/events`."""
    monkeypatch.setattr(events, "__path__", [*events.__path__, str(tmp_path)])
    monkeypatch.setitem(sys.modules, "jobs.events.added", None)
    monkeypatch.delitem(sys.modules, "jobs.events.added")
    return tmp_path


def test_the_kinds_are_discovered() -> None:
    assert [kind.name for kind in declared()] == [
        "acl-added",
        "acl-removed",
        "broker-setting-changed",
        "broker-joined",
        "broker-left",
        "broker-unregistered",
        "broker-bounced",
        "broker-fenced",
        "broker-unfenced",
        "config-changed",
        "controller-elected",
        "controller-lost",
        "controller-moved",
        "controller-reelected",
        "elections-missed",
        "candidacies-counted",
        "feature-changed",
        "directory-id-changed",
        "leader-moved",
        "leader-elected-unclean",
        "partition-offline",
        "partition-online",
        "isr-shrank",
        "isr-grew",
        "assignment-changed",
        "reassignment-started",
        "reassignment-finished",
        "quorum-leader-moved",
        "voter-promoted",
        "voter-demoted",
        "voter-appeared",
        "voter-vanished",
        "observer-appeared",
        "observer-vanished",
        "quota-changed",
        "credential-changed",
        "topic-created",
        "topic-deleted",
        "topic-recreated",
        "topic-id-lost",
        "topic-id-replaced",
        "topic-id-restored",
        "topic-id-assigned",
        "topic-deletion-started",
        "partitions-added",
    ]


@pytest.mark.parametrize("kind", declared(), ids=lambda kind: kind.name)
def test_a_kind_says_what_happened_in_a_sentence_and_what_its_values_are(kind: EventKind) -> None:
    assert kind.meaning[0].isupper()
    assert kind.meaning.endswith(".")
    assert kind.from_value or kind.to_value


def test_a_new_file_is_enough_for_a_new_event(folder: Path) -> None:
    (folder / "added.py").write_text(
        "from jobs.events.parts.event import EventKind\n"
        "LOST = EventKind('acl-lost', 'An entry is gone.', from_value='the entry')\n"
        "EVENTS = 'SELECT * FROM acls_changes'\n"
    )
    assert "acl-lost" in [kind.name for kind in declared()]


def test_a_module_that_tells_nothing_is_an_error_and_not_left_out(folder: Path) -> None:
    (folder / "added.py").write_text("EVENTS = 'SELECT * FROM acls_changes'\n")
    with pytest.raises(ValueError, match=r"jobs\.events\.added tells no event"):
        event_modules()


def test_a_kind_is_declared_once(folder: Path) -> None:
    (folder / "added.py").write_text(
        "from jobs.events.parts.event import EventKind\n"
        "LEFT = EventKind('broker-left', 'A broker left.', from_value='its rack')\n"
        "EVENTS = 'SELECT * FROM acls_changes'\n"
    )
    with pytest.raises(ValueError, match="declared twice: broker-left"):
        event_modules()


def test_an_event_holds_the_values_that_its_kind_declares() -> None:
    kind = EventKind("acl-lost", "An entry is gone.", from_value="the entry")
    told = happened(kind, "true", before="7")
    row = {"event": "acl-lost", "from_value": "7", "to_value": None, "reason": None}
    assert duckdb.sql(f"SELECT {told}").fetchall() == [(row,)]
    with pytest.raises(ValueError, match="acl-lost is told with other values than its kind declares"):
        happened(kind, "true", "7", "8")
