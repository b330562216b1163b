"""What kafka-metadata-quorum.sh of real versions printed, and the same text with something wrong."""

from pathlib import Path
from uuid import UUID

import pytest

from jobs.bundles.kafka.quorum_output import QuorumOutputError, read_replication, read_status
from jobs.sources.kafka.quorum import member_rows, progress_rows, quorum_row

RECORDED = Path(__file__).parents[3] / "data/kafka"


def output(version: str, name: str) -> str:
    return (RECORDED / f"quorum-output-{version}" / name).read_text()


def test_up_to_3_8_members_are_ids() -> None:
    quorum, nodes = read_status(output("3.3.2", "status.txt"))
    assert quorum_row(quorum) == (101, 1)
    assert quorum["high_watermark"] == 9
    assert list(member_rows(quorum, nodes)) == [
        (101, None, "voter", None),
        (1, None, "observer", None),
        (2, None, "observer", None),
    ]


def test_since_3_9_members_have_directories_and_voters_endpoints() -> None:
    quorum, nodes = read_status(output("3.9.1", "status.txt"))
    assert list(member_rows(quorum, nodes)) == [
        (101, "RDtsbltNSR-j14naC9XyCA", "voter", ["CONTROLLER://127.0.0.1:29875"]),
        (102, "tLh9NNaDy-zyrdvgFSmjEw", "observer", None),
        (2, "kzB5ofio1nudj7YOYwfUnw", "observer", None),
        (1, "YWxS-pmiuRtqyJqG4ltHhQ", "observer", None),
    ]


def test_4_1_prints_what_3_9_does() -> None:
    quorum, nodes = read_status(output("4.1.0", "status.txt"))
    assert next(member_rows(quorum, nodes)) == (
        101,
        "yGVMJ3BXQ9Cfhv0bn6iCkg",
        "voter",
        ["CONTROLLER://127.0.0.1:15359"],
    )


def test_status_alone_tells_no_offsets() -> None:
    quorum, _ = read_status(output("3.3.2", "status.txt"))
    assert next(progress_rows(quorum)) == (101, None, 9, None, None, None, None)


@pytest.mark.parametrize(("version", "end", "lag"), [("3.3.2", 11, 16), ("3.9.1", 22, 14), ("4.1.0", 23, 14)])
def test_replication_tells_offsets_and_times(version: str, end: int, lag: int) -> None:
    replication = read_replication(output(version, "replication-broker-2-killed.txt"))
    quorum = {"leader_id": replication.leader_id, "high_watermark": None, **replication.members}
    told = {row[0]: row for row in progress_rows(quorum)}
    assert replication.leader_id == 101
    assert told[2][3:5] == (end, lag)
    assert told[101][4] == 0
    assert told[2][5] > told[2][6]


def test_replication_tells_roles_and_directories() -> None:
    members = read_replication(output("3.9.1", "replication.txt")).members
    assert [member["replica_id"] for member in members["current_voters"]] == [101]
    assert [member["replica_id"] for member in members["observers"]] == [102, 2, 1]
    assert members["current_voters"][0]["replica_directory_id"] == UUID(
        "443b6c6e-5b4d-491f-a3d7-89da0bd5f208"
    )


def test_human_readable_times_are_unknown() -> None:
    members = read_replication(output("4.1.0", "replication-human.txt")).members
    assert {member["last_fetch_timestamp"] for of in members.values() for member in of} == {None}
    assert {member["log_end_offset"] for of in members.values() for member in of} == {23}


def test_a_member_that_never_fetched_has_minus_one_and_a_follower_is_a_voter() -> None:
    text = output("3.3.2", "replication.txt") + "102\t-1\t11\t-1\t-1\tFollower\t\n"
    replication = read_replication(text.replace("\n\n102", "\n102"))
    quorum = {"leader_id": 101, "high_watermark": 9, **replication.members}
    assert list(progress_rows(quorum))[1] == (102, None, 9, -1, None, None, None)
    assert replication.members["current_voters"][1]["replica_id"] == 102


def test_a_voter_without_a_directory_has_none() -> None:
    zero = "AAAAAAAAAAAAAAAAAAAAAA"
    status = output("3.9.1", "status.txt").replace('"RDtsbltNSR-j14naC9XyCA"', "null")
    replication = output("3.9.1", "replication.txt").replace("RDtsbltNSR-j14naC9XyCA", zero)
    assert read_status(status)[0]["current_voters"][0]["replica_directory_id"] is None
    assert read_replication(replication).members["current_voters"][0]["replica_directory_id"] is None


def test_a_prompt_before_and_lines_after_do_no_harm_nor_do_spaces_for_tabs() -> None:
    status = "$ kafka-metadata-quorum.sh describe --status\n[2026-11-21] WARN old\n" + output(
        "3.9.1", "status.txt"
    )
    assert read_status(status.replace("\n", "\r\n"))[0]["leader_epoch"] == 1
    table = output("3.9.1", "replication-human.txt").expandtabs(24) + "\n$ exit\n"
    assert len(read_replication(table).members["observers"]) == 3


@pytest.mark.parametrize("version", ["3.3.2", "3.9.1", "4.1.0"])
def test_a_status_cut_anywhere_is_none(version: str) -> None:
    whole = output(version, "status.txt").rstrip()
    for end in range(len(whole)):
        with pytest.raises(QuorumOutputError):
            read_status(whole[:end])


def test_a_table_cut_within_a_row_is_none() -> None:
    lines = output("3.9.1", "replication.txt").rstrip().splitlines()
    for end in range(1, len(lines[-1].rstrip())):
        with pytest.raises(QuorumOutputError):
            read_replication("\n".join([*lines[:-1], lines[-1][:end]]))


@pytest.mark.parametrize(
    ("was", "now", "said"),
    [
        ("LeaderId:               101", "LeaderId:  none", "none"),
        ("HighWatermark:", "Water:", "HighWatermark"),
        ('[{"id": 101', '{"a": [{"id": 101', "delimiter"),
        ('{"id": 102', '{"id": "102"', "no node id"),
        ("tLh9NNaDy-zyrdvgFSmjEw", "short", "'short' is no directory id"),
        ("CONTROLLER://127.0.0.1:29875", "nowhere", "'nowhere' is no endpoint"),
    ],
)
def test_what_is_wrong_in_a_status_is_said(was: str, now: str, said: str) -> None:
    whole = output("3.9.1", "status.txt")
    assert was in whole
    with pytest.raises(QuorumOutputError, match=said):
        read_status(whole.replace(was, now))


@pytest.mark.parametrize(
    ("was", "now"), [("Leader", "Emperor"), ("20  ", "many"), ("tLh9NNaDy-zyrdvgFSmjEw", "x")]
)
def test_a_row_of_another_kind_is_said(was: str, now: str) -> None:
    with pytest.raises(QuorumOutputError):
        read_replication(output("3.9.1", "replication.txt").replace(was, now))
