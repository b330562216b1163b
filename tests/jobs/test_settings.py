"""`varve.yaml`: every mistake names the file, the line and what to do."""

import textwrap
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest

from jobs.errors import SettingsError
from jobs.settings import Settings, load_settings, resolve, settings_path
from jobs.sources.zookeeper.settings import Settings as ZooKeeperSettings
from jobs.storage import Bucket
from schemas.judgement import Severity

Load = Callable[[str], Settings]
Complaint = Callable[[str], str]

LEAST = """\
lake: ./lake
clusters:
  - name: orders
    zookeeper: {connect: "zk1:2181,zk2:2181/kafka_cluster_01"}
"""


@pytest.fixture
def load(tmp_path: Path) -> Load:
    def write_and_load(text: str) -> Settings:
        path = tmp_path / "varve.yaml"
        path.write_text(textwrap.dedent(text))
        return load_settings(path)

    return write_and_load


@pytest.fixture
def complaint(load: Load, tmp_path: Path) -> Complaint:
    """What loading a text complains of, without the folder of the file."""

    def complain(text: str) -> str:
        with pytest.raises(SettingsError) as caught:
            load(text)
        assert caught.value.exit_code == 2
        return str(caught.value).replace(f"{tmp_path}/", "")

    return complain


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


STORE = """\
lake: s3://kafka-varve/prod/
storage: {endpoint: "https://minio:9000", access_key: "${LAKE_ACCESS_KEY}", secret_key: "${LAKE_SECRET_KEY}"}
clusters:
  - name: orders
    zookeeper: {connect: "zk1:2181"}
"""


def test_a_lake_in_an_object_store(load: Load) -> None:
    assert load(STORE).lake == Bucket(
        "s3://kafka-varve/prod",
        endpoint="https://minio:9000",
        access_key="${LAKE_ACCESS_KEY}",
        secret_key="${LAKE_SECRET_KEY}",
    )
    assert load(LEAST.replace("./lake", "gs://lakes")).lake == Bucket("gs://lakes")


def test_a_lake_that_is_at_no_place_that_is_known(complaint: Complaint) -> None:
    assert complaint(LEAST.replace("./lake", "s4://bucket/lake")) == (
        "varve.yaml, line 1: lake: 's4://bucket/lake' is no object store that Varve knows: name it as s3://bucket/prefix, "
        "gs://bucket/prefix or abfss://container@account.dfs.core.windows.net/prefix, of letters, digits and . _ - only"
    )
    assert complaint(LEAST.replace("./lake", "file:/lake")) == (
        "varve.yaml, line 1: lake: 'file:/lake' is no folder, and an object store is named as s3://bucket/prefix"
    )
    assert complaint(LEAST.replace("./lake", "7")) == (
        "varve.yaml, line 1: lake: 7 is no place for a lake: name a folder, or s3://bucket/prefix"
    )


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        (
            '"${LAKE_SECRET_KEY}"',
            "hunter2",
            "line 2: storage.secret_key: a secret is never written here: name an env",
        ),
        (
            ', secret_key: "${LAKE_SECRET_KEY}"',
            "",
            "line 2: storage: has one key of two: give access_key and secret",
        ),
        (
            "https://minio:9000",
            "minio:9000",
            "line 2: storage.endpoint: is no address: name it with http:// or https://",
        ),
        ("endpoint:", "end_point:", "line 2: storage.end_point: there is no such setting"),
        (
            "s3://kafka-varve/prod/",
            "./lake",
            "line 1: lake: is a folder, and `storage` says how to reach an object store",
        ),
        (
            "s3://",
            "gs://",
            "line 1: lake: of gs:// the environment says all: remove access_key, endpoint, region, secret",
        ),
    ],
)
def test_a_wrong_way_to_an_object_store(complaint: Complaint, right: str, wrong: str, told: str) -> None:
    complained = complaint(STORE.replace(right, wrong))
    assert complained.startswith(f"varve.yaml, {told}")
    assert "hunter2" not in complained


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


def test_critical_findings_are_told_unless_another_alarm_or_none_is_set(load: Load) -> None:
    assert load(LEAST).cluster("orders").alarm is Severity.CRITICAL
    assert load(f"{LEAST}    alarm: warning\n").cluster("orders").alarm is Severity.WARNING
    assert load(f"{LEAST}    alarm: null\n").cluster("orders").alarm is None


def test_an_alarm_that_is_no_severity_is_refused(complaint: Complaint) -> None:
    refused = "varve.yaml, line 5: clusters.0.alarm: Input should be 'info', 'warning' or 'critical'"
    assert refused in complaint(f"{LEAST}    alarm: loud\n")


def test_findings_to_ignore_and_thresholds_are_set_for_a_cluster(load: Load) -> None:
    orders = load(
        LEAST
        + """\
    ignore: [{check: ghost-observer, subject: "node 7*", until: 2026-12-01, why: "it is being replaced"}]
    checks: {leader-imbalance: {allowed_percentage: 20}}
"""
    ).cluster("orders")
    (rule,) = orders.rules.ignore
    assert (rule.check, rule.subject, rule.why) == ("ghost-observer", "node 7*", "it is being replaced")
    assert rule.ends_at == datetime(2026, 12, 1, tzinfo=UTC)
    assert orders.rules.thresholds == {"leader-imbalance": {"allowed_percentage": 20}}


@pytest.mark.parametrize(
    ("setting", "message"),
    [
        (
            "ignore: [{check: gost-observer, until: 2026-12-01, why: x}]",
            "line 6: clusters.0.ignore.0.check: there is no check 'gost-observer'; there are ",
        ),
        (
            "ignore: [{check: ghost-observer, why: x}]",
            "line 6: clusters.0.ignore.0.until: is missing: add it here",
        ),
        ("ignore: [{check: ghost-observer, until: soon, why: x}]", "line 6: clusters.0.ignore.0.until: "),
        (
            "ignore: [{check: ghost-observer, until: 2026-12-01, why: ''}]",
            "line 6: clusters.0.ignore.0.why: ",
        ),
        (
            "checks: {leader-balance: {x: 1}}",
            "line 6: clusters.0.checks.leader-balance.[key]: there is no check",
        ),
        (
            "checks: {leader-imbalance: {percentage: 20}}",
            "line 6: clusters.0.checks.leader-imbalance.percentage: the check has no such threshold; it has allowed_percentage",
        ),
        (
            "checks: {leader-imbalance: {allowed_percentage: many}}",
            "line 6: clusters.0.checks.leader-imbalance.allowed_percentage: 'many' is no whole number",
        ),
        (
            "checks: {leader-imbalance: {allowed_percentage: 1.5}}",
            "line 6: clusters.0.checks.leader-imbalance.allowed_percentage: 1.5 is no whole number",
        ),
        (
            "checks: {leader-imbalance: {nobody: Do it.}}",
            "line 6: clusters.0.checks.leader-imbalance.nobody: the check has no such threshold",
        ),
    ],
)
def test_a_rule_that_is_wrong_is_refused_with_its_line(
    complaint: Complaint, setting: str, message: str
) -> None:
    name, value = setting.split(": ", 1)
    assert f"varve.yaml, {message}" in complaint(f"{LEAST}    {name}:\n      {value}\n")
