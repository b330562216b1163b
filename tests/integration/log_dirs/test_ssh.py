"""The log dirs source over SFTP, from a server that runs."""

import os
import shutil
import socket
import time
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from jobs.landing.landing import Landing
from jobs.secrets import Redactor
from jobs.sources.log_dirs.collect import collect
from jobs.sources.log_dirs.probe import probe
from jobs.sources.log_dirs.settings import Settings
from jobs.storage import open_storage
from tests.integration.log_dirs.cut_connection import cut_after

RECORDED = Path(__file__).parents[2] / "data/log_dirs/kraft-3.9.1"
MAY_READ_ALL = "the SSH server's account, root, may read everything: apt-get install openssh-server, whose server serves nobody's"


@pytest.fixture
def d0(shared: Path) -> Path:
    """A log dir as a Kafka 3.9.1 broker left it, where the server's account may read it."""
    return shutil.copytree(RECORDED / "broker-1-d0", shared / "d0")


def over_ssh(server: Any, *paths: Path, **given: Any) -> dict[str, Any]:
    entry = {"broker": 2, "ssh": server.address, "key": server.key, "known_hosts": server.known_hosts}
    return entry | {"paths": list(paths)} | given


def landed(folder: Path, *entries: dict[str, Any], **bounds: Any) -> tuple[dict[str, list[Any]], Landing]:
    folder.mkdir()
    landing = Landing(open_storage(folder), "log_dirs", Redactor(None))
    collect(Settings.model_validate({"brokers": entries, "timeout_s": 10, **bounds}), landing)
    landing.flush()
    rows = {
        table: [row for file in files for row in pq.read_table(folder / file).to_pylist()]
        for table, files in landing.files.items()
    }
    return rows, landing


def gap(landing: Landing) -> tuple[str, str, str]:
    (only,) = landing.gaps
    return only.scope, only.reason, only.message


def test_sftp_tells_what_the_disk_itself_tells(ssh_server: Any, d0: Path, tmp_path: Path) -> None:
    (d0 / "left-0.11-delete").mkdir()
    (d0 / ".kafka_cleanshutdown").write_text('{"version":0,"brokerEpoch":7}')
    for file in d0.rglob("*"):
        os.utime(file, (1_800_000_000, 1_800_000_000))
    remote, landing = landed(tmp_path / "ssh", over_ssh(ssh_server, d0))
    local, _ = landed(tmp_path / "local", {"broker": 2, "local": [d0]})
    assert landing.gaps == []
    for table in ("log_dirs", "disk_replicas", "disk_offsets"):
        assert sorted(remote[table], key=str) == sorted(local[table], key=str)
    assert remote["log_dir_space"][0]["total_bytes"] == local["log_dir_space"][0]["total_bytes"]


def test_a_host_whose_key_is_unknown_is_not_spoken_to(ssh_server: Any, d0: Path, tmp_path: Path) -> None:
    ssh_server.known_hosts.write_text("")
    rows, landing = landed(tmp_path / "l", over_ssh(ssh_server, d0), {"broker": 1, "local": [d0]})
    scope, reason, message = gap(landing)
    assert (scope, reason) == (f"/2{d0}", "unauthorized")
    assert message.startswith(f"The host key of {ssh_server.address} is not in {ssh_server.known_hosts}")
    assert [row["broker_id"] for row in rows["log_dirs"]] == [1]


def test_a_host_whose_key_has_changed_is_not_spoken_to(ssh_server: Any, d0: Path, tmp_path: Path) -> None:
    known = ssh_server.known_hosts.read_text()
    ssh_server.stop()
    ssh_server.start()
    ssh_server.known_hosts.write_text(known)
    _, landing = landed(tmp_path / "l", over_ssh(ssh_server, d0))
    _, reason, message = gap(landing)
    assert reason == "unauthorized"
    assert f"{ssh_server.address} shows another host key than the one in" in message


def test_a_host_key_of_another_kind_than_the_known_one_is_told(
    ssh_server: Any, d0: Path, tmp_path: Path
) -> None:
    import asyncssh

    rsa = asyncssh.generate_private_key("ssh-rsa").export_public_key().decode()
    ssh_server.known_hosts.write_text(f"[127.0.0.1]:{ssh_server.port} {rsa}")
    _, landing = landed(tmp_path / "l", over_ssh(ssh_server, d0))
    assert f"`ssh-keyscan -p {ssh_server.port} 127.0.0.1` shows those it has" in gap(landing)[2]


def test_a_key_that_the_host_does_not_know_is_refused(ssh_server: Any, d0: Path, tmp_path: Path) -> None:
    other = over_ssh(ssh_server, d0, key=ssh_server.home / "host_key")
    _, landing = landed(tmp_path / "l", other)
    _, reason, message = gap(landing)
    assert reason == "unauthorized"
    assert message == (
        f"{ssh_server.address} does not let Varve in: put Varve's public key into that account's authorized_keys."
    )


def test_a_key_file_that_is_not_there(ssh_server: Any, d0: Path, tmp_path: Path) -> None:
    _, landing = landed(tmp_path / "l", over_ssh(ssh_server, d0, key=tmp_path / "none"))
    assert f"there is no file {tmp_path}/none" in gap(landing)[2]


def test_the_passphrase_of_a_key_comes_from_the_environment(
    ssh_server: Any, d0: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import asyncssh

    key = asyncssh.read_private_key(str(ssh_server.key))
    key.write_private_key(str(ssh_server.key), passphrase="open sesame")
    entry = over_ssh(ssh_server, d0, key_passphrase="${SSH_PASSPHRASE}")
    _, landing = landed(tmp_path / "unset", entry)
    assert "SSH_PASSPHRASE is not set" in gap(landing)[2]
    monkeypatch.setenv("SSH_PASSPHRASE", "wrong")
    _, landing = landed(tmp_path / "wrong", entry)
    assert "`key_passphrase` does not open it" in gap(landing)[2]
    monkeypatch.setenv("SSH_PASSPHRASE", "open sesame")
    assert landed(tmp_path / "right", entry)[1].gaps == []


def test_a_refused_connection_is_a_gap_and_the_other_brokers_are_read(
    ssh_server: Any, d0: Path, tmp_path: Path
) -> None:
    ssh_server.stop()
    rows, landing = landed(tmp_path / "l", over_ssh(ssh_server, d0), {"broker": 1, "local": [d0]})
    scope, reason, message = gap(landing)
    assert (scope, reason) == (f"/2{d0}", "unreachable")
    assert "check that the host and its sshd are up" in message
    assert [row["broker_id"] for row in rows["log_dirs"]] == [1]


def test_a_host_that_says_nothing_is_given_up(ssh_server: Any, d0: Path, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        entry = over_ssh(ssh_server, d0, ssh=f"varve@127.0.0.1:{silent.getsockname()[1]}")
        _, landing = landed(tmp_path / "l", entry, timeout_s=0.3)
    assert "no answer within 0.3 s" in gap(landing)[2]


def test_an_account_without_sftp(ssh_server: Any, d0: Path, tmp_path: Path) -> None:
    ssh_server.stop()
    ssh_server.start(serves_sftp=False)
    _, landing = landed(tmp_path / "l", over_ssh(ssh_server, d0))
    scope, reason, message = gap(landing)
    assert (scope, reason) == (f"/2{d0}", "unauthorized")
    assert "starts no SFTP" in message


def test_a_log_dir_that_is_not_there_and_the_others_are_read(
    ssh_server: Any, d0: Path, shared: Path, tmp_path: Path
) -> None:
    rows, landing = landed(tmp_path / "l", over_ssh(ssh_server, shared / "gone", d0))
    assert gap(landing)[:2] == (f"/2{shared}/gone", "missing")
    assert [row["path"] for row in rows["log_dirs"]] == [str(d0)]


def test_a_mount_point_without_its_disk_is_no_empty_log_dir(
    ssh_server: Any, shared: Path, tmp_path: Path
) -> None:
    (shared / "d1").mkdir()
    _, landing = landed(tmp_path / "l", over_ssh(ssh_server, shared / "d1"))
    assert gap(landing)[:2] == (f"/2{shared}/d1", "missing")


def test_no_rights_on_a_log_dir_or_on_one_file(
    ssh_server: Any, d0: Path, shared: Path, tmp_path: Path
) -> None:
    if ssh_server.may_read_everything:
        pytest.skip(MAY_READ_ALL)
    (shared / "d1").mkdir(mode=0o700)
    (shared / "d1").chmod(0 if os.geteuid() else 0o700)
    (d0 / "orders-3/partition.metadata").chmod(0 if os.geteuid() else 0o600)
    rows, landing = landed(tmp_path / "l", over_ssh(ssh_server, shared / "d1", d0))
    assert [(found.scope, found.reason) for found in landing.gaps] == [
        (f"/2{shared}/d1", "unauthorized"),
        (f"/2{d0}/orders-3", "unauthorized"),
    ]
    assert {row["dir_name"] for row in rows["disk_replicas"]} == {
        "__cluster_metadata-0",
        "compacted-0",
        "compacted-1",
    }
    told = probe(Settings.model_validate([over_ssh(ssh_server, shared / "d1", d0)]))
    assert [line.ok for line in told] == [False, False]


def test_a_connection_lost_half_way_takes_nothing_unseen_for_gone(
    ssh_server: Any, d0: Path, shared: Path, tmp_path: Path
) -> None:
    d1 = shutil.copytree(d0, shared / "d1")
    for number in range(500):
        shutil.copytree(d1 / "orders-3", d1 / f"many-{number}")
    with cut_after(ssh_server.port, 60_000) as port:
        ssh_server.known_hosts.write_text(
            ssh_server.known_hosts.read_text().replace(str(ssh_server.port), str(port))
        )
        entry = over_ssh(ssh_server, d0, d1, ssh=ssh_server.address.replace(str(ssh_server.port), str(port)))
        rows, landing = landed(tmp_path / "l", entry)
    assert gap(landing)[:2] == (f"/2{d1}", "unreachable")
    assert [row["path"] for row in rows["log_dirs"]] == [str(d0)]


@pytest.mark.parametrize("count", [2_000, 20_000, 60_000])
def test_a_host_that_falls_silent_half_way_is_given_up(
    count: int, ssh_server: Any, d0: Path, tmp_path: Path
) -> None:
    for number in range(300):
        shutil.copytree(d0 / "orders-3", d0 / f"many-{number}")
    started = time.monotonic()
    with cut_after(ssh_server.port, count, silence_s=20) as port:
        ssh_server.known_hosts.write_text(
            ssh_server.known_hosts.read_text().replace(str(ssh_server.port), str(port))
        )
        entry = over_ssh(ssh_server, d0, ssh=ssh_server.address.replace(str(ssh_server.port), str(port)))
        rows, landing = landed(tmp_path / "l", entry, timeout_s=1)
        assert time.monotonic() - started < 15
    scope, reason, message = gap(landing)
    assert (scope, reason) == (f"/2{d0}", "unreachable")
    assert "no answer within 1 s" in message
    assert rows["disk_replicas"] == []


@pytest.mark.parametrize(
    ("config", "told"),
    [
        ("Port many", "line 1: Invalid Port integer value: many"),
        ("IdentityFile ~/.ssh/none", ".ssh/none: No such file or directory"),
        ("IdentityFile ~/.ssh/broken", "the key that ~/.ssh/config names is none"),
    ],
)
def test_what_is_wrong_in_the_ssh_config_costs_that_broker_alone(
    config: str, told: str, ssh_server: Any, d0: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path))
    (tmp_path / ".ssh").mkdir()
    (tmp_path / ".ssh/broken").write_text(
        "-----BEGIN OPENSSH PRIVATE KEY-----\nxx\n-----END OPENSSH PRIVATE KEY-----\n"
    )
    (tmp_path / ".ssh/config").write_text(config)
    entry = over_ssh(ssh_server, d0)
    del entry["key"]
    rows, landing = landed(tmp_path / "l", entry, {"broker": 1, "local": [d0]})
    assert told in gap(landing)[2]
    assert [row["broker_id"] for row in rows["log_dirs"]] == [1]


@pytest.mark.parametrize("line", [b"garbage\n", b"\xff\xfe\n"])
def test_a_line_that_is_none_in_known_hosts_costs_that_broker_alone(
    line: bytes, ssh_server: Any, d0: Path, tmp_path: Path
) -> None:
    ssh_server.known_hosts.write_bytes(line + ssh_server.known_hosts.read_bytes())
    rows, landing = landed(tmp_path / "l", over_ssh(ssh_server, d0), {"broker": 1, "local": [d0]})
    assert "look at varve.yaml, known_hosts and ~/.ssh/config" in gap(landing)[2]
    assert [row["broker_id"] for row in rows["log_dirs"]] == [1]


def test_a_host_name_that_is_none_costs_that_broker_alone(ssh_server: Any, d0: Path, tmp_path: Path) -> None:
    rows, landing = landed(
        tmp_path / "l", over_ssh(ssh_server, d0, ssh="varve@a..b"), {"broker": 1, "local": [d0]}
    )
    assert gap(landing)[:2] == (f"/2{d0}", "unreachable")
    assert [row["broker_id"] for row in rows["log_dirs"]] == [1]
