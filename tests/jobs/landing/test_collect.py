"""Collecting one source: what is recorded of it whatever happens."""

from pathlib import Path

import pytest

from jobs.landing import collect as collecting
from jobs.landing.collect import collect
from jobs.landing.manifest import read_manifest
from jobs.settings import Settings, load_settings
from jobs.storage import open_storage

SNAPSHOT = "20261121T140000Z"


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    (tmp_path / "varve.yaml").write_text(
        "lake: ./lake\nclusters:\n  - name: orders\n    log_dirs: [{broker: 1, local: [/nowhere]}]\n"
    )
    return load_settings(tmp_path / "varve.yaml")


def test_a_collector_that_stumbles_over_what_it_read_fails_its_own_source_only(settings, monkeypatch):
    def stumble(_settings, landing):
        landing.gap("/1/nowhere", "missing", "said before it stumbled")
        raise IndexError("secret-in-a-message")

    monkeypatch.setattr(collecting, "source_collect", lambda _source: stumble)

    manifest = collect(settings, "orders", "log_dirs", SNAPSHOT)

    assert manifest.status == "failed"
    (gap,) = manifest.gaps
    assert (gap.scope, gap.reason) == ("/", "unreadable")
    assert "log_dirs (IndexError): this is a defect of Varve" in gap.message
    assert "secret" not in gap.message
    assert read_manifest(open_storage(settings.lake), "orders", "log_dirs", SNAPSHOT) == manifest


def test_what_landed_is_not_read_again_and_what_failed_is(settings, monkeypatch):
    first = collect(settings, "orders", "log_dirs", SNAPSHOT)
    assert first.status == "partial"

    monkeypatch.setattr(collecting, "source_collect", lambda _source: pytest.fail)

    assert collect(settings, "orders", "log_dirs", SNAPSHOT) == first
