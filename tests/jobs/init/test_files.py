"""Where `varve init` finds a `server.properties`, and what it says of a file that is none."""

from pathlib import Path

import pytest

from jobs.errors import UsageError
from jobs.init.files import files_of_processes, read_node
from jobs.init.surroundings import Machine, look_around


def process(proc: Path, pid: str, *words: str, folder: str | None = None) -> None:
    """A process as Linux shows it under /proc; another user's working folder is hidden."""
    (proc / pid).mkdir(parents=True)
    (proc / pid / "cmdline").write_bytes(b"".join(word.encode() + b"\0" for word in words))
    if folder:
        (proc / pid / "cwd").symlink_to(folder)


def test_brokers_that_run_name_their_files(tmp_path: Path) -> None:
    process(
        tmp_path, "12", "java", "-cp", "x.jar", "kafka.Kafka", "/etc/kafka/b1.properties", "--override", "a=b"
    )
    process(tmp_path, "13", "java", "kafka.Kafka", "config/b2.properties", folder="/opt/kafka")
    process(tmp_path, "14", "java", "kafka.Kafka", "/etc/kafka/b1.properties")
    process(tmp_path, "15", "java", "io.confluent.support.metrics.SupportedKafka", "/etc/kafka/b3.properties")
    process(tmp_path, "16", "grep", "kafka.Kafka")
    process(tmp_path, "17")
    (tmp_path / "18").mkdir()
    (tmp_path / "cmdline").write_text("")

    assert [str(file) for file in files_of_processes(tmp_path)] == [
        "/etc/kafka/b1.properties",
        "/opt/kafka/config/b2.properties",
        "/etc/kafka/b3.properties",
    ]


def test_a_machine_without_processes_to_see_has_none(tmp_path: Path) -> None:
    assert files_of_processes(tmp_path / "no-proc") == []


def test_a_file_at_a_usual_place_counts_when_its_node_has_log_dirs_here(tmp_path: Path) -> None:
    never_ran, ran, other = (tmp_path / f"{name}.properties" for name in ("never-ran", "ran", "other"))
    never_ran.write_text("broker.id=0\nlog.dirs=/tmp/no-kafka-logs\n")
    ran.write_text(f"broker.id=1\nlog.dirs={tmp_path}\nlisteners=PLAINTEXT://127.0.0.1:1\n")
    other.write_text("clientPort=2181\n")
    (tmp_path / "meta.properties").write_text("version=0\nbroker.id=1\n")
    places = [str(never_ran), str(ran), str(other), "/not/there"]

    found = look_around(machine=Machine(tmp_path, places, "127.0.0.1:1", "127.0.0.1:1"))
    assert [node.node_id for cluster in found.clusters for node in cluster.nodes] == [1]
    assert found.found[0] == f"{ran}: broker 1"
    assert found.found[1].startswith(f"{other} is no server.properties of Kafka")


def test_a_file_of_java_properties_is_read_as_java_does(tmp_path: Path) -> None:
    file = tmp_path / "server.properties"
    file.write_text(
        "# a broker\nbroker.id : 7\nlog.dirs = /d0,\\\n    /d1\nzookeeper.connect=zk\\u0031:2181\n"
    )
    found = read_node(file)
    assert (found.node_id, found.log_dirs, found.zookeeper_connect) == (7, ("/d0", "/d1"), "zk1:2181")


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (
            None,
            r"cannot be read \(No such file or directory\): run as a user who may read it, or give a copy",
        ),
        (
            "tickTime=500\nclientPort=2181\n",
            r"is no server.properties of Kafka: it sets none of broker.id, listeners,",
        ),
        ("", "is no server.properties of Kafka"),
        ("broker.id=\\u12", "is no file of Java properties: .u12 is no unicode escape"),
    ],
)
def test_a_file_that_is_not_a_broker_s_is_refused(
    tmp_path: Path, content: str | None, complaint: str
) -> None:
    file = tmp_path / "server.properties"
    if content is not None:
        file.write_text(content)
    with pytest.raises(UsageError, match=f"server.properties {complaint}"):
        read_node(file)
