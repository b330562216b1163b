"""`varve init`: writes a file once, from what it is given, and says what to do next."""

from pathlib import Path
from typing import Any

import pytest

from jobs.settings import load_settings

PROPERTIES = """\
broker.id=7
listeners=SASL_SSL://b7:9093
sasl.enabled.mechanisms=PLAIN
zookeeper.connect=zk1:2181/kafka
log.dirs=/not/there
ssl.keystore.password=hunter2
"""


@pytest.fixture
def properties(tmp_path: Path) -> Path:
    path = tmp_path / "server.properties"
    path.write_text(PROPERTIES)
    return path


def test_a_file_is_written_and_what_to_do_next_is_said(varve: Any, properties: Path, tmp_path: Path) -> None:
    config = tmp_path / "our.yaml"
    ended = varve("--config", str(config), "init", "orders", "--properties", str(properties))
    assert (ended.code, ended.err) == (0, "")
    assert ended.out.splitlines() == [
        f"found   {properties}: broker 7",
        f"wrote   {config}",
        "next    export KAFKA_PASSWORD=…",
        f"next    varve --config {config} doctor",
    ]
    assert [cluster.name for cluster in load_settings(config).clusters] == ["orders"]
    assert "hunter2" not in config.read_text()


def test_a_file_that_is_there_stays_as_it_is(varve: Any, properties: Path, tmp_path: Path) -> None:
    config = tmp_path / "our.yaml"
    config.write_text("precious")
    ended = varve("--config", str(config), "init", "--properties", str(properties))
    assert (ended.code, ended.out) == (2, "")
    assert (
        ended.err == f"error: {config} is there already and stays as it is: name another file with --config\n"
    )
    assert config.read_text() == "precious"


def test_files_of_two_clusters_make_two_entries_and_one_name_does_not_fit_both(
    varve: Any, properties: Path, tmp_path: Path
) -> None:
    other, config = tmp_path / "other.properties", tmp_path / "our.yaml"
    other.write_text(PROPERTIES.replace("/kafka", "/audit"))
    files = ["--properties", str(properties), "--properties", str(other)]

    ended = varve("--config", str(config), "init", "orders", *files)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err.startswith(
        "error: 2 clusters were found, and orders can name only one: leave the name out"
    )
    assert not config.exists()
    assert varve("--config", str(config), "init", *files).code == 0
    assert [cluster.name for cluster in load_settings(config).clusters] == ["kafka", "audit"]


def test_brokers_that_name_their_zookeeper_servers_in_another_order_are_of_one_cluster(
    varve: Any, properties: Path, tmp_path: Path
) -> None:
    other, config = tmp_path / "other.properties", tmp_path / "our.yaml"
    properties.write_text(PROPERTIES.replace("zk1:2181", "zk1:2181,zk2:2181"))
    other.write_text(PROPERTIES.replace("zk1:2181", "zk2:2181, zk1:2181"))
    files = ["--properties", str(properties), "--properties", str(other)]
    assert varve("--config", str(config), "init", "orders", *files).code == 0


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["--properties", "/not/there"], "/not/there cannot be read (No such file or directory)"),
        (["Our Cluster", "--properties", "{properties}"], "'Our Cluster' is no name: use a-z, 0-9, - and _"),
    ],
)
def test_wrong_words_leave_no_file_behind(
    varve: Any, properties: Path, tmp_path: Path, words: list[str], complaint: str
) -> None:
    config = tmp_path / "our.yaml"
    words = [word.format(properties=properties) for word in words]
    ended = varve("--config", str(config), "init", *words)
    assert (ended.code, ended.out) == (2, "")
    assert complaint in ended.err
    assert not config.exists()


def test_a_folder_that_is_not_there_is_one_message(varve: Any, properties: Path, tmp_path: Path) -> None:
    config = tmp_path / "no-folder" / "varve.yaml"
    ended = varve("--config", str(config), "init", "--properties", str(properties))
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == f"error: {config}: No such file or directory\n"
