import shutil
import sys
import tarfile
import time
from pathlib import Path

import psutil
import pytest

from jobs.errors import NotReadError
from jobs.sources.log_dirs.contents import LogDirFiles, ReplicaFiles
from jobs.sources.log_dirs.read import Outcomes, read_log_dirs
from jobs.sources.log_dirs.settings import Settings

ROOT = Path(__file__).parents[4]
RECORDED = ROOT / "tests/data/log_dirs/kraft-3.9.1"


def read(*command: str, paths: tuple[str, ...] = ("/var/kafka/broker-1-d0",), **bounds: float) -> Outcomes:
    """What each path turned out to be. Raises what a path could not be read for."""
    entry = {"broker": 3, "exec": list(command), "paths": list(paths)}
    settings = Settings.model_validate({"brokers": [entry], **bounds})
    found = read_log_dirs(settings.brokers[0], settings)
    for outcome in found.values():
        if isinstance(outcome, NotReadError):
            raise outcome
    return found


def shell(script: str) -> tuple[str, ...]:
    return ("sh", "-c", script)


def is_running(pid: int) -> bool:
    try:
        return bool(psutil.Process(pid).status() != psutil.STATUS_ZOMBIE)
    except psutil.NoSuchProcess:
        return False


def test_the_tar_stream_of_a_command_is_read() -> None:
    found = read("tar", "-c", "-C", str(RECORDED), "broker-1-d0")["/var/kafka/broker-1-d0"]
    assert isinstance(found, LogDirFiles)
    assert {replica.dir_name for replica in found.replicas} == {
        "__cluster_metadata-0",
        "compacted-0",
        "compacted-1",
        "orders-3",
    }


def test_a_command_that_fails_after_a_whole_stream_is_not_trusted() -> None:
    with pytest.raises(NotReadError) as why:
        read(*shell(f"tar -c -C {RECORDED} broker-1-d0; echo 'orders-3: file removed' >&2; exit 1"))
    assert why.value.reason == "unreachable"
    assert str(why.value) == (
        "The command sh failed (exit code 1): orders-3: file removed. Run it by hand as the user Varve runs as."
    )


def test_a_command_that_says_why_it_failed_is_quoted_printable_and_cut_short() -> None:
    with pytest.raises(NotReadError) as why:
        read(*shell(r"printf 'first\n\033[31m%0999d\n\n' 7 >&2; exit 3"))
    assert "(exit code 3): \\x1b[31m000" in str(why.value)
    assert len(str(why.value)) < 350


def test_a_failure_tells_no_argument_of_the_command() -> None:
    with pytest.raises(NotReadError) as why:
        read(*shell("exit 1 # --password hunter2"))
    assert "hunter2" not in str(why.value)


def test_a_command_that_is_not_there() -> None:
    with pytest.raises(NotReadError, match=r"The command no-such-command cannot be run \(No such file"):
        read("no-such-command")


def test_a_command_that_prints_nothing() -> None:
    with pytest.raises(NotReadError, match="It is no whole tar stream"):
        read("true")


def test_a_stream_that_is_cut_off_though_the_command_went_well() -> None:
    with pytest.raises(NotReadError, match="It is no whole tar stream"):
        read(*shell(f"tar -c -C {RECORDED} broker-1-d0 | head -c 3000"))


def test_a_command_that_hangs_is_ended_with_all_it_started(tmp_path: Path) -> None:
    with pytest.raises(NotReadError, match=r"The command sh said nothing for 0.3 s: waiting"):
        read(*shell(f"sleep 600 & echo $! > {tmp_path}/pid; echo waiting >&2; sleep 600"), timeout_s=0.3)
    pid = int((tmp_path / "pid").read_text())
    deadline = time.monotonic() + 10
    while is_running(pid):
        assert time.monotonic() < deadline


def test_a_command_that_prints_without_end_is_ended() -> None:
    with pytest.raises(NotReadError, match="more to read than 100000 bytes"):
        read(*shell(f"tar -c -C {RECORDED} broker-1-d0; cat /dev/zero"), max_bytes=100_000)


def test_a_stream_may_be_compressed() -> None:
    found = read(*shell(f"tar -c -C {RECORDED} broker-1-d0 | {sys.executable} -m gzip"))
    assert isinstance(found["/var/kafka/broker-1-d0"], LogDirFiles)


@pytest.mark.parametrize("first", [1, 7, 12])
def test_a_compressed_stream_may_come_in_pieces(first: int, tmp_path: Path) -> None:
    whole = tmp_path / "d0.tar.gz"
    with tarfile.open(whole, "w:gz") as tar:
        tar.add(RECORDED / "broker-1-d0", "broker-1-d0")
    found = read(*shell(f"head -c {first} {whole}; sleep 0.2; tail -c +{first + 1} {whole}"))
    assert isinstance(found["/var/kafka/broker-1-d0"], LogDirFiles)


def test_the_command_that_the_docs_recommend_sends_what_there_is_to_know(tmp_path: Path) -> None:
    d0 = shutil.copytree(RECORDED / "broker-1-d0", tmp_path / "d0")
    (d0 / "empty-0").mkdir()
    (d0 / "__cluster_metadata-0/00000000000000000009-0000000002.checkpoint").write_bytes(b"x")
    (d0 / "orders-3/00000000000000000000.log").write_bytes(b"x" * 100_000)
    script = (ROOT / "docs/rights.md").read_text().split("```sh\n")[1].split("```")[0]
    sent = read(
        "bash", "-c", script.replace("/var/kafka", str(tmp_path)), paths=("/k/d0",), max_bytes=50_000
    )["/k/d0"]
    local = Settings.model_validate([{"broker": 1, "local": [d0]}])
    here = read_log_dirs(local.brokers[0], local)[str(d0)]
    assert isinstance(sent, LogDirFiles)
    assert isinstance(here, LogDirFiles)
    assert sent.files.keys() == here.files.keys()
    assert sorted((r.dir_name, *contents(r)) for r in sent.replicas) == sorted(
        (r.dir_name, *contents(r)) for r in here.replicas
    )
    assert sent.checkpoint_names == here.checkpoint_names


def contents(replica: ReplicaFiles) -> list[bytes]:
    return [file.content if file else b"" for file in (replica.metadata, replica.leader_epochs)]
