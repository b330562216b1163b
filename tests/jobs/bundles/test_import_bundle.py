"""What `varve import` makes of a bundle, before anything is processed."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from jobs.bundles import import_bundle as module
from jobs.bundles.import_bundle import import_bundle
from jobs.discovery import bundle_readers
from jobs.errors import UsageError
from jobs.settings import Settings, load_settings

RECORDED = Path(__file__).parents[2] / "data/log_dirs/kraft-3.9.1"
AT = datetime(2026, 11, 21, tzinfo=UTC)


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    (tmp_path / "varve.yaml").write_text(
        "lake: ./lake\nclusters:\n"
        "  - {name: both, zookeeper: {connect: zk:2181}, log_dirs: [{broker: 1, local: [/d/broker-1-d0]}]}\n"
        "  - {name: zookeeper, zookeeper: {connect: zk:2181}}\n"
    )
    return load_settings(tmp_path / "varve.yaml")


@pytest.fixture
def _zookeeper_has_no_reader(monkeypatch: pytest.MonkeyPatch) -> None:
    readers = {name: reader for name, reader in bundle_readers().items() if name != "zookeeper"}
    monkeypatch.setattr(module, "bundle_readers", lambda: readers)


@pytest.mark.usefixtures("_zookeeper_has_no_reader")
def test_a_source_without_a_reader_keeps_no_other_from_being_imported(settings: Settings) -> None:
    (manifest,) = import_bundle(settings, "both", RECORDED, AT).manifests
    assert (manifest.source, manifest.rows["log_dirs"]) == ("log_dirs", 1)


@pytest.mark.usefixtures("_zookeeper_has_no_reader")
def test_a_cluster_none_of_whose_sources_has_a_reader_is_told_so(settings: Settings) -> None:
    with pytest.raises(UsageError) as told:
        import_bundle(settings, "zookeeper", RECORDED, AT)
    assert str(told.value) == (
        f"{RECORDED} holds nothing of zookeeper. It holds log_dirs, which zookeeper does not have. "
        "None of its sources can be imported from a bundle."
    )


def test_a_bundle_without_anything_of_the_cluster_is_told_what_was_looked_for(settings: Settings) -> None:
    with pytest.raises(UsageError, match=r"Looked for: zookeeper: a ZooKeeper server's data folder"):
        import_bundle(settings, "zookeeper", RECORDED, AT)
