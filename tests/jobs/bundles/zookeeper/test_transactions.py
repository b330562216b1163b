"""Transaction logs of real servers, and the same bytes with something wrong."""

from io import BytesIO
from pathlib import Path

import pytest

from jobs.bundles.zookeeper.jute import JuteError
from jobs.bundles.zookeeper.transactions import read_log

RECORDED = Path(__file__).parents[3] / "data/zookeeper"
FILES = (
    "data-folder-3.5.9/version-2/log.1",
    "data-folder-3.8.4/version-2/log.1",
    "data-folder-3.9.4/version-2/log.1",
)
FIRST_ENDS_AT = 16 + 12 + 36 + 1


def content(name: str) -> bytes:
    return (RECORDED / name).read_bytes()


def zxids(content: bytes) -> list[int]:
    return [txn.zxid for txn in read_log(BytesIO(content))]


@pytest.mark.parametrize(("name", "last"), zip(FILES, (0x1C, 0x1B, 0x1B), strict=True))
def test_a_log_tells_its_transactions_in_order_up_to_the_zeros_at_its_end(name: str, last: int) -> None:
    assert zxids(content(name)) == list(range(1, last + 1))


def test_a_transaction_tells_who_did_what_when() -> None:
    opened, created, *_ = read_log(BytesIO(content(FILES[1])))
    assert (opened.type, created.type) == (-10, 1)
    assert opened.session == created.session != 0
    assert created.body.startswith(b"\0\0\0\2/k")
    assert opened.time == pytest.approx(1_795_237_285_000, abs=10_000)


@pytest.mark.parametrize("name", FILES)
def test_a_log_cut_anywhere_tells_what_is_whole(name: str) -> None:
    whole = content(name)
    all_of_them, written = zxids(whole), len(whole.rstrip(b"\0"))
    for end in range(written + 1):
        told = zxids(whole[:end])
        assert told == all_of_them[: len(told)]
    assert zxids(whole[:written]) == all_of_them
    assert zxids(whole[: written - 1]) == all_of_them[:-1]


@pytest.mark.parametrize("name", FILES)
def test_a_wrong_byte_ends_a_log_and_is_never_taken_for_a_transaction(name: str) -> None:
    whole = content(name)
    all_of_them = zxids(whole)
    for at in range(16, len(whole.rstrip(b"\0"))):
        told = []
        try:
            for txn in read_log(BytesIO(whole[:at] + bytes([whole[at] ^ 0x41]) + whole[at + 1 :])):
                told.append(txn.zxid)
        except JuteError:
            pass
        assert len(told) < len(all_of_them)
        assert told == all_of_them[: len(told)]


def test_a_broken_transaction_is_said() -> None:
    whole = content(FILES[1])
    with pytest.raises(JuteError, match="checksum"):
        zxids(whole[:40] + b"?" + whole[41:])


def test_a_length_that_cannot_be_is_said() -> None:
    whole = content(FILES[1])
    with pytest.raises(JuteError, match="2147483647 bytes"):
        zxids(whole[:24] + b"\x7f\xff\xff\xff" + whole[28:])


def test_a_file_that_is_no_log_is_said() -> None:
    with pytest.raises(JuteError, match="does not begin with ZKLG"):
        zxids(b"2026-11-21 INFO started\n" * 10)


def test_a_log_that_was_only_just_created_is_empty() -> None:
    assert zxids(b"") == []
    assert zxids(content(FILES[1])[:16]) == []
