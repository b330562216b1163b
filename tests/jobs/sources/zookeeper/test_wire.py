"""ZooKeeper's bytes: the requests as kazoo writes them, and a reply recorded from a 3.9.4 server."""

from pathlib import Path

from kazoo.protocol import serialization as kazoo

from jobs.sources.zookeeper.connection.stat import Stat, read_stat, read_zxids, write_stat
from jobs.sources.zookeeper.connection.wire import (
    CHILDREN,
    DATA,
    NO_AUTH,
    NO_NODE,
    MultiRead,
    Operation,
    SingleRead,
    Sync,
    read_multi,
)

RECORDED = Path(__file__).parents[3] / "data" / "zookeeper" / "multi_read_reply.bin"
HEADER_BYTES = 16


def test_a_recorded_reply_is_read_operation_by_operation() -> None:
    brokers, first, second, *others = read_multi(RECORDED.read_bytes(), HEADER_BYTES)

    assert isinstance(brokers, tuple)
    assert isinstance(first, tuple)
    assert isinstance(second, tuple)
    assert (brokers[0], first[0], second[0]) == (None, b'{"host":"b1"}', b"")
    assert others == [["1", "2"], [], NO_NODE, NO_AUTH, NO_AUTH]
    assert read_stat(first[1]) == Stat(
        czxid=4,
        mzxid=4,
        ctime=1795227613646,
        mtime=1795227613646,
        version=0,
        cversion=0,
        aversion=0,
        ephemeral_owner=72057804053807104,
        data_length=13,
        num_children=0,
        pzxid=4,
    )
    assert read_zxids(brokers[1]) == (2, 6, 1, 3)


def test_the_zxid_of_a_reply_stands_in_its_header() -> None:
    assert Sync.deserialize(RECORDED.read_bytes(), HEADER_BYTES) == 8


def test_single_reads_are_written_as_kazoo_writes_them() -> None:
    assert SingleRead(DATA, "/Gewässer").serialize() == bytes(kazoo.GetData("/Gewässer", None).serialize())
    assert SingleRead(CHILDREN, "/a").serialize() == bytes(kazoo.GetChildren("/a", None).serialize())
    assert Sync("/a").serialize() == bytes(kazoo.Sync("/a").serialize())


def test_a_multi_read_is_a_header_and_a_request_for_each_and_an_end() -> None:
    written = MultiRead([Operation(DATA, "/a"), Operation(CHILDREN, "/b")]).serialize()

    assert written == (
        b"\x00\x00\x00\x04\x00\xff\xff\xff\xff\x00\x00\x00\x02/a\x00"
        b"\x00\x00\x00\x08\x00\xff\xff\xff\xff\x00\x00\x00\x02/b\x00"
        b"\xff\xff\xff\xff\x01\xff\xff\xff\xff"
    )


def test_a_stat_survives_being_written_and_read() -> None:
    stat = Stat(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11)

    assert read_stat(write_stat(stat)) == stat
