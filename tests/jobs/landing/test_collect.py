"""Collecting one source: what is recorded of it whatever happens."""

from pathlib import Path

import pytest

from jobs.errors import NotReadError
from jobs.landing.collect import Part, collect, land
from jobs.landing.landing import Landing
from jobs.landing.manifest import read_manifest
from jobs.landing.seal import seal
from jobs.settings import Settings, load_settings
from jobs.storage import open_storage
from schemas.snapshots import Gap, GapReason

SNAPSHOT = "20261121T140000Z"
PART = Part("orders", "log_dirs", SNAPSHOT)


@pytest.fixture(params=["a folder", "S3"])
def settings(request: pytest.FixtureRequest, tmp_path: Path) -> Settings:
    lake = "lake: ./lake\n"
    if request.param == "S3":
        s3 = request.getfixturevalue("s3")
        lake = f"lake: {s3.place()}\n{s3.storage_settings()}"
    (tmp_path / "varve.yaml").write_text(
        f"{lake}clusters:\n  - name: orders\n    log_dirs: [{{broker: 1, local: [/nowhere]}}]\n"
    )
    return load_settings(tmp_path / "varve.yaml")


def test_a_collector_that_stumbles_over_what_it_read_fails_its_own_source_only(settings: Settings) -> None:
    def stumble(landing: Landing) -> None:
        landing.gap("/1/nowhere", GapReason.MISSING, "said before it stumbled")
        raise IndexError("secret-in-a-message")

    manifest = land(settings, PART, stumble)

    assert manifest.status == "failed"
    (gap,) = manifest.gaps
    assert (gap.scope, gap.reason) == ("/", "unreadable")
    assert "log_dirs (IndexError): this is a defect of Varve" in gap.message
    assert "secret" not in gap.message
    assert read_manifest(open_storage(settings.lake), "orders", "log_dirs", SNAPSHOT) == manifest


def test_what_landed_is_not_read_again_and_what_failed_is(settings: Settings) -> None:
    failed = land(settings, PART, unreachable)
    assert failed.status == "failed"
    assert not any(failed.files.values())
    assert failed.gaps == (Gap("/", GapReason.UNREACHABLE, "nobody answers"),)

    first = collect(settings, "orders", "log_dirs", SNAPSHOT)
    assert first.status == "partial"

    assert land(settings, PART, unreachable) == first
    assert collect(settings, "orders", "log_dirs", SNAPSHOT) == first


def test_a_source_that_failed_is_not_read_again_once_the_snapshot_is_sealed(settings: Settings) -> None:
    failed = land(settings, PART, unreachable)
    seal(open_storage(settings.lake), "orders", SNAPSHOT, [failed], ["log_dirs"])

    assert collect(settings, "orders", "log_dirs", SNAPSHOT) == failed


def unreachable(_: Landing) -> None:
    raise NotReadError(GapReason.UNREACHABLE, "nobody answers")
