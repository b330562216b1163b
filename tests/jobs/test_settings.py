"""`varve.yaml`: every mistake names the file, the line and what to do."""

from pathlib import Path

import pytest

from jobs.errors import SettingsError
from jobs.settings import load_settings, resolve, settings_path
from jobs.sources.zookeeper.settings import Settings as ZooKeeperSettings
from tests.jobs.varve_yaml import LEAST, Complaint, Load


def test_the_least_is_a_lake_and_one_cluster_with_one_source(load: Load, tmp_path: Path) -> None:
    settings = load(LEAST)
    (orders,) = settings.clusters
    assert settings.lake == tmp_path / "lake"
    assert (orders.name, orders.schedule) == ("orders", "*/10 * * * *")
    assert list(orders.sources) == ["zookeeper"]
    zookeeper = orders.sources["zookeeper"]
    assert isinstance(zookeeper, ZooKeeperSettings)
    assert zookeeper.connect == "zk1:2181,zk2:2181/kafka_cluster_01"


def test_a_cluster_has_the_sources_it_names(load: Load) -> None:
    settings = load(
        """\
        lake: /srv/lake
        clusters:
          - name: orders
            zookeeper: {connect: "zk1:2181"}
            kafka: {bootstrap_servers: "b1:9092,b2:9092"}
            log_dirs:
              - {broker: 1, local: [/var/kafka/d0, /var/kafka/d1]}
            schedule: "@hourly"
        """
    )
    assert sorted(settings.cluster("orders").sources) == ["kafka", "log_dirs", "zookeeper"]
    assert str(settings.lake) == "/srv/lake"


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(
        SettingsError, match=r"nowhere.yaml cannot be read \(No such file or directory\): write one, or"
    ):
        load_settings(tmp_path / "nowhere.yaml")


def test_a_file_that_is_not_utf_8(tmp_path: Path) -> None:
    (tmp_path / "varve.yaml").write_bytes("lake: ./Zürich\n".encode("latin-1"))
    with pytest.raises(SettingsError, match=r"varve.yaml is not UTF-8 \(byte 9\): save it as UTF-8"):
        load_settings(tmp_path / "varve.yaml")


def test_a_lake_whose_path_means_something_else_to_a_library(complaint: Complaint) -> None:
    assert complaint(LEAST.replace("./lake", "./[a]%20b")) == (
        "varve.yaml, line 1: lake: deltalake cannot open [a]%20b, because % and [ and ] in a path mean something "
        "else to it: name another folder"
    )


def test_what_is_not_yaml(complaint: Complaint) -> None:
    assert complaint("lake: ./lake\nclusters: [\n").startswith("varve.yaml, line 3: this is not YAML: ")


def test_a_setting_that_does_not_exist_at_its_line(complaint: Complaint) -> None:
    assert complaint(LEAST + "    zookeper: {connect: zk}\n") == (
        "varve.yaml, line 5: clusters.0.zookeper: there is no such setting"
    )


def test_a_source_without_what_it_needs(complaint: Complaint) -> None:
    told = complaint("lake: ./lake\nclusters:\n  - name: orders\n    zookeeper: {timeout_s: 5}\n")
    assert told == "varve.yaml, line 4: clusters.0.zookeeper.connect: is missing: add it here"


def test_a_cluster_without_a_source(complaint: Complaint) -> None:
    told = complaint("lake: ./lake\nclusters:\n  - name: orders\n")
    assert told == (
        "varve.yaml, line 3: clusters.0: has no source: give at least one of kafka, log_dirs, zookeeper"
    )


def test_no_cluster_at_all(complaint: Complaint) -> None:
    assert complaint("lake: ./lake\nclusters: []\n").startswith("varve.yaml, line 2: clusters: ")


def test_two_clusters_of_one_name(complaint: Complaint) -> None:
    told = complaint(LEAST + "  - name: orders\n    kafka: {bootstrap_servers: 'b1:9092'}\n")
    assert told == "varve.yaml, line 2: clusters: each needs a name of its own, used twice: orders"


@pytest.mark.parametrize("name", ["Orders", "_landing", "a b", "a/b", "../a", ""])
def test_a_name_that_cannot_be_a_folder(complaint: Complaint, name: str) -> None:
    told = complaint(f"lake: ./lake\nclusters:\n  - name: '{name}'\n    zookeeper: {{connect: zk}}\n")
    assert told.startswith(f"varve.yaml, line 3: clusters.0.name: {name!r} is no name: use a-z, 0-9")


def test_several_mistakes_are_told_at_once(complaint: Complaint) -> None:
    told = complaint("lak: ./lake\nclusters:\n  - name: X\n    zookeeper: {connect: zk}\n")
    assert [line.split(": ")[0] for line in told.splitlines()] == [
        "varve.yaml, line 1",
        "varve.yaml, line 3",
        "varve.yaml, line 1",
    ]


def test_a_file_that_is_empty(complaint: Complaint) -> None:
    assert complaint("").startswith("varve.yaml, line 1: the file: ")


def test_a_secret_that_is_written_out(complaint: Complaint) -> None:
    told = complaint("fingerprint_key: hunter2\n" + LEAST)
    assert told.startswith(
        "varve.yaml, line 1: fingerprint_key: a secret is never written here: name an environment"
    )
    assert "hunter2" not in told


def test_a_secret_is_resolved_from_the_environment(load: Load, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("VARVE_KEY", "hunter2")
    key = load("fingerprint_key: ${VARVE_KEY}\n" + LEAST).fingerprint_key
    assert key == "${VARVE_KEY}"
    assert key is not None
    assert resolve(key) == "hunter2"


def test_a_secret_that_is_not_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VARVE_KEY", raising=False)
    with pytest.raises(SettingsError, match=r"VARVE_KEY is not set, .*: export VARVE_KEY="):
        resolve("${VARVE_KEY}")


def test_a_cluster_that_is_not_configured(load: Load) -> None:
    with pytest.raises(SettingsError, match=r"no cluster 'payments' in varve.yaml; it has: orders"):
        load(LEAST).cluster("payments")


def test_the_file_is_as_given_then_from_the_environment_then_here(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.delenv("VARVE_CONFIG", raising=False)
    assert str(settings_path()) == "varve.yaml"
    monkeypatch.setenv("VARVE_CONFIG", "/etc/varve.yaml")
    assert str(settings_path()) == "/etc/varve.yaml"
    assert settings_path(tmp_path / "mine.yaml") == tmp_path / "mine.yaml"
