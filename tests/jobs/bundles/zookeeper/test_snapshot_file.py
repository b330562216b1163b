"""Snapshot files of real servers, and the same bytes with something wrong."""

import gzip
from pathlib import Path

import pytest

from jobs.bundles.zookeeper.jute import JuteError
from jobs.bundles.zookeeper.snapshot_file import read_snapshot

RECORDED = Path(__file__).parents[3] / "data/zookeeper"
FILES = {
    "3.5.9": "data-folder-3.5.9/version-2/snapshot.1c",
    "3.6.3": "data-folder-3.6.3/version-2/snapshot.1b",
    "3.8.4": "data-folder-3.8.4/version-2/snapshot.1b",
    "3.9.4": "data-folder-3.9.4/version-2/snapshot.1b",
}


def content(version: str) -> bytes:
    return (RECORDED / FILES[version]).read_bytes()


@pytest.mark.parametrize(
    ("version", "ended_at"), [("3.5.9", None), ("3.6.3", 27), ("3.8.4", 27), ("3.9.4", 27)]
)
def test_every_version_tells_its_znodes_and_since_3_6_when_its_writing_ended(
    version: str, ended_at: int | None
) -> None:
    snapshot = read_snapshot(content(version))
    orders = snapshot.tree.znodes["/k/brokers/topics/orders"]
    assert orders.data == b'{"version":3,"partitions":{"0":[1],"1":[1]}}'
    assert (orders.version, orders.cversion, orders.owner, orders.num_children) == (1, 0, 0, 0)
    assert snapshot.tree.znodes["/k/brokers"].num_children == 2
    assert snapshot.tree.znodes["/"].num_children == 2
    assert snapshot.ended_at == ended_at


def test_a_server_that_writes_no_digest_tells_its_last_zxid_alone() -> None:
    with_both = content("3.9.4")
    tree_end = len(with_both) - 54
    last_zxid = (27).to_bytes(8, "big")
    sealed = _seal(with_both[:tree_end] + last_zxid)
    assert read_snapshot(sealed).ended_at == 27


@pytest.mark.parametrize("version", FILES)
def test_a_file_cut_anywhere_is_no_snapshot(version: str) -> None:
    whole = content(version)
    tree_ends = {len(whole) - left for left in (21, 33, 54)}
    for end in range(len(whole)):
        if end in tree_ends:
            continue
        with pytest.raises(JuteError):
            read_snapshot(whole[:end])


@pytest.mark.parametrize("version", FILES)
def test_one_wrong_byte_is_noticed_wherever_it_is(version: str) -> None:
    whole = content(version)
    for at in range(0, len(whole), 7):
        with pytest.raises(JuteError):
            read_snapshot(whole[:at] + bytes([whole[at] ^ 0x41]) + whole[at + 1 :])


def test_a_wrong_magic_is_said() -> None:
    with pytest.raises(JuteError, match="does not begin with ZKSN"):
        read_snapshot(b"ZKLG" + content("3.8.4")[4:])


def test_a_wrong_checksum_is_said() -> None:
    whole = content("3.5.9")
    with pytest.raises(JuteError, match="checksum"):
        read_snapshot(whole[:-6] + bytes([whole[-6] ^ 1]) + whole[-5:])


def test_a_compressed_file_is_not_taken_for_a_plain_one() -> None:
    with pytest.raises(JuteError):
        read_snapshot(gzip.compress(content("3.8.4")))


def _seal(content: bytes) -> bytes:
    from zlib import adler32

    return content + adler32(content).to_bytes(8, "big") + b"\0\0\0\1/"
