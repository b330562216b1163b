"""What `varve doctor` finds on this machine, whatever the clusters are."""

from pathlib import Path

import pytest

from jobs.cli.doctor import examine


def test_jars_that_are_missing_are_told_and_not_fetched(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    (tmp_path / "varve.yaml").write_text(
        "lake: ./lake\nclusters: [{name: a, log_dirs: [{broker: 1, local: [/x]}]}]"
    )
    probes = list(examine(tmp_path / "varve.yaml"))
    (jars,) = [probe for probe in probes if "Delta" in probe.what]
    assert (jars.ok, jars.message.split(":")[0]) == (False, "the jars are not here yet")
    assert not (tmp_path / "cache").exists()
    assert not (tmp_path / "lake").exists()
