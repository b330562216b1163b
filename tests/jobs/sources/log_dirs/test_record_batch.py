"""The first batch of a real checkpoint, as it is and with single fields overwritten."""

import struct
from pathlib import Path

import pytest
from google_crc32c import value as crc32c

from jobs.sources.log_dirs.formats.java_text import ParseError
from jobs.sources.log_dirs.formats.record_batch import batches, records

DATA = Path(__file__).parents[3] / "data/log_dirs"
REAL = next(DATA.glob("kraft-3.3.2/**/*.checkpoint")).read_bytes()
HEADER = REAL[:83]
ATTRIBUTES, COUNT, FIRST_RECORD = 21, 57, 61


def overwritten(position: int, content: bytes) -> bytes:
    """The first batch with other bytes at `position` and a checksum that fits them."""
    batch = bytearray(HEADER)
    batch[position : position + len(content)] = content
    batch[17:21] = struct.pack(">I", crc32c(bytes(batch[21:])))
    return bytes(batch)


def read(content: bytes) -> list[tuple[bytes | None, bytes]]:
    return [
        (key.take(key.remaining) if key else None, value.take(value.remaining))
        for batch in batches(content)
        for key, value in records(batch)
    ]


def test_a_file_is_batches_of_control_and_data_records_end_to_end() -> None:
    found = [(batch.position, batch.end, batch.is_control, batch.count) for batch in batches(REAL)]
    assert found == [(0, 83, True, 1), (83, 836, False, 11), (836, 911, True, 1)]


def test_a_record_has_a_key_or_none_and_a_value() -> None:
    header, *data, footer = read(REAL)
    assert header == (b"\x00\x00\x00\x03", b"\x00\x00" + struct.pack(">q", 1795237269357) + b"\x00")
    assert data[0] == (None, b"\x01\x0c\x00\x11metadata.version\x00\x07\x00")
    assert footer == (b"\x00\x00\x00\x04", b"\x00\x00\x00")


def test_an_empty_file_has_no_batches() -> None:
    assert list(batches(b"")) == []


def test_a_record_may_be_left_half_read() -> None:
    (_, data, _) = batches(REAL)
    assert [value.number("b") for _, value in records(data)] == [1] * 11


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (HEADER[:60], "the file ends within the header of a batch, after 60 byte(s) of it"),
        (HEADER[:82], "the file ends within a batch, after 82 of its 83 bytes"),
        (overwritten(16, b"\x01"), "Record batch has magic 1, and KRaft writes 2 only"),
        (
            overwritten(8, struct.pack(">i", 48)),
            "Record batch is corrupt (the size 60 is smaller than the minimum allowed overhead 61)",
        ),
        (
            overwritten(8, struct.pack(">i", -13)),
            "Record batch is corrupt (the size -1 is smaller than the minimum allowed overhead 61)",
        ),
        (
            overwritten(8, struct.pack(">i", 2**31 - 1)),
            "the file ends within a batch, after 83 of its 2147483659 bytes",
        ),
        (
            HEADER[:-1] + b"\x01",
            "Record is corrupt (stored crc = 634047234, computed crc = 3617671169)",
        ),
        (
            overwritten(ATTRIBUTES, b"\x00\x24"),
            "the batch is compressed (4), and KRaft writes no compressed checkpoints",
        ),
        (
            overwritten(ATTRIBUTES, b"\x00\x27"),
            "the batch is compressed (7), and KRaft writes no compressed checkpoints",
        ),
        (overwritten(COUNT, struct.pack(">i", -1)), "Found invalid record count -1 in magic v2 batch"),
        (
            overwritten(COUNT, struct.pack(">i", 0)),
            "Found 22 byte(s) of garbage after the last record of the batch",
        ),
        (overwritten(COUNT, struct.pack(">i", 2**31 - 1)), "Varint ends after the last byte available"),
        (overwritten(FIRST_RECORD, b"\x00"), "Invalid non-positive frame size: 0"),
        (overwritten(FIRST_RECORD, b"\x01"), "Invalid non-positive frame size: -1"),
        (
            overwritten(FIRST_RECORD, b"\x2c"),
            "Error reading byte array of 22 byte(s): only 21 byte(s) available",
        ),
        (
            overwritten(FIRST_RECORD + 2, b"\x01"),
            "Got timestamp delta of -1, but this is invalid because it is not 0 as expected.",
        ),
        (overwritten(FIRST_RECORD + 9, b"\x00"), "Got an unexpected empty value in the record"),
        (overwritten(FIRST_RECORD + 9, b"\x01"), "Got an unexpected empty value in the record"),
        (
            overwritten(len(HEADER) - 1, b"\x02"),
            "Got numHeaders of 1, but this is invalid because it is not 0 as expected.",
        ),
        (overwritten(FIRST_RECORD, b"\x28"), "Varint ends after the last byte available"),
    ],
)
def test_a_malformed_batch_is_refused(content: bytes, problem: str) -> None:
    with pytest.raises(ParseError) as refusal:
        read(content)
    assert str(refusal.value) == problem
