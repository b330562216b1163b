"""What SnapshotFormatter of real versions prints of a snapshot."""

from pathlib import Path

import pytest

from jobs.bundles.zookeeper.dump import read_dump
from jobs.bundles.zookeeper.jute import JuteError
from jobs.bundles.zookeeper.snapshot_file import read_snapshot

RECORDED = Path(__file__).parents[3] / "data/zookeeper"


def dump(version: str) -> str:
    return (RECORDED / f"data-folder-{version}/SnapshotFormatter-d.txt").read_text()


@pytest.mark.parametrize("version", ["3.6.3", "3.8.4", "3.9.4"])
def test_a_dump_is_its_snapshot_to_the_second(version: str) -> None:
    tree, zxid = read_dump(dump(version))
    snapshot = read_snapshot((RECORDED / f"data-folder-{version}/version-2/snapshot.1b").read_bytes())
    for znode in snapshot.tree.znodes.values():
        znode.ctime, znode.mtime = znode.ctime // 1000 * 1000, znode.mtime // 1000 * 1000
        znode.data = znode.data or None
    assert tree.znodes == snapshot.tree.znodes
    assert zxid == 0x1B


def test_data_and_names_are_those_of_the_znodes() -> None:
    tree, _ = read_dump(dump("3.8.4"))
    assert tree.znodes["/k/bytes"].data == b"\0\xff\xfe"
    assert tree.znodes["/k/umlaut-ä"].data == "ä".encode()
    assert tree.znodes["/k/brokers"].data is None


def test_an_owner_beyond_the_half_of_all_sessions_is_a_negative_number() -> None:
    text = dump("3.8.4").replace(
        "ephemeralOwner = 0x00000000000000", "ephemeralOwner = 0x8000000000000000", 1
    )
    assert read_dump(text)[0].znodes["/"].owner == -(2**63)


@pytest.mark.parametrize(
    ("was", "now", "said"),
    [
        ("  data = eA==", "  dataLength = 1", "run SnapshotFormatter with -d"),
        ("  data = eA==", "  data = eA=", "of /k/null it tells something else"),
        (" UTC 2026", " CST 2026", "its times are in CST: .*-Duser.timezone=UTC"),
        (" UTC 2026", " UTC", "of /k it tells something else"),
        ("  cversion = 9", "  cversion = nine", "of /k it tells something else"),
        ("  pZxid = 0x00000000000019\n", "", "of /k it tells something else"),
        ("count=24", "count=25", "announces 24 znodes and holds 23"),
        ("Last zxid: 0x1b", "", "not the whole output"),
        ("\n/k\n", "\n/elsewhere\n", "its parent is not"),
    ],
)
def test_what_is_wrong_in_a_dump_is_said(was: str, now: str, said: str) -> None:
    assert was in dump("3.8.4")
    with pytest.raises(JuteError, match=said):
        read_dump(dump("3.8.4").replace(was, now))


def test_a_dump_cut_anywhere_is_no_dump() -> None:
    whole = dump("3.8.4").rstrip("\n")
    for end in range(0, len(whole) - len("Last zxid: 0x1b") + 1, 3):
        with pytest.raises(JuteError):
            read_dump(whole[:end])


@pytest.mark.parametrize(
    "name", ["data-folder-3.5.9/SnapshotFormatter.txt", "data-folder-3.9.4/SnapshotFormatter-json.txt"]
)
def test_output_without_data_says_which_tool_prints_it(name: str) -> None:
    with pytest.raises(JuteError, match=r"SnapshotFormatter of ZooKeeper 3\.6 or newer with -d"):
        read_dump((RECORDED / name).read_text())
