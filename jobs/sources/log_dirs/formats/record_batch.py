"""Record batches of magic 2 (`DefaultRecordBatch`, `RecordsIterator`), uncompressed as KRaft writes them."""

import struct
from collections.abc import Iterator
from dataclasses import dataclass

from google_crc32c import value as crc32c

from jobs.sources.log_dirs.formats.java_text import ParseError
from jobs.sources.log_dirs.formats.wire import Reader

_HEADER = struct.Struct(">qiibIhiqqqhii")
_LOG_OVERHEAD = 12
_CRC_COVERS_FROM = 21
_MAGIC = 2
_COMPRESSION_BITS = 0x07
_CONTROL_BIT = 0x20


@dataclass(frozen=True, slots=True)
class Batch:
    """`position` and `end` are bytes in the file; `records` reads the records, `count` of them."""

    position: int
    end: int
    is_control: bool
    count: int
    records: Reader


def batches(content: bytes) -> Iterator[Batch]:
    """The batches of a file, each with a matching checksum. Raises ParseError where one is not as Kafka writes it."""
    position = 0
    while position < len(content):
        batch = _batch(content, position)
        yield batch
        position = batch.end


def records(batch: Batch) -> Iterator[tuple[Reader | None, Reader]]:
    """Key and value of every record. What reads them may leave them half read."""
    reader = batch.records
    for _ in range(batch.count):
        size = reader.varint()
        if size <= 0:
            raise ParseError(f"Invalid non-positive frame size: {size}")
        start = reader.skip(size)
        yield _record(batch.records.within(start, reader.position))
    reader.finish("the last record of the batch")


def _batch(content: bytes, position: int) -> Batch:
    header = content[position : position + _HEADER.size]
    if len(header) < _HEADER.size:
        raise ParseError(f"the file ends within the header of a batch, after {len(header)} byte(s) of it")
    (_, length, _, magic, crc, attributes, _, _, _, _, _, _, count) = _HEADER.unpack(header)
    size = length + _LOG_OVERHEAD
    if magic != _MAGIC:
        raise ParseError(f"Record batch has magic {magic}, and KRaft writes {_MAGIC} only")
    if size < _HEADER.size:
        raise ParseError(
            f"Record batch is corrupt (the size {size} is smaller than the minimum allowed overhead {_HEADER.size})"
        )
    batch = content[position : position + size]
    if len(batch) < size:
        raise ParseError(f"the file ends within a batch, after {len(batch)} of its {size} bytes")
    _check(batch, crc, attributes, count)
    return Batch(
        position, position + size, bool(attributes & _CONTROL_BIT), count, Reader(batch, _HEADER.size)
    )


def _check(batch: bytes, crc: int, attributes: int, count: int) -> None:
    computed = crc32c(batch[_CRC_COVERS_FROM:])
    if computed != crc:
        raise ParseError(f"Record is corrupt (stored crc = {crc}, computed crc = {computed})")
    if compression := attributes & _COMPRESSION_BITS:
        raise ParseError(
            f"the batch is compressed ({compression}), and KRaft writes no compressed checkpoints"
        )
    if count < 0:
        raise ParseError(f"Found invalid record count {count} in magic v2 batch")


def _record(record: Reader) -> tuple[Reader | None, Reader]:
    record.skip(1)
    if delta := record.varlong():
        raise ParseError(
            f"Got timestamp delta of {delta}, but this is invalid because it is not 0 as expected."
        )
    record.varint()
    key, value = _bytes(record), _bytes(record)
    if value is None or not value.remaining:
        raise ParseError("Got an unexpected empty value in the record")
    if headers := record.varint():
        raise ParseError(f"Got numHeaders of {headers}, but this is invalid because it is not 0 as expected.")
    record.finish("the record")
    return key, value


def _bytes(record: Reader) -> Reader | None:
    size = record.varint()
    if size < 0:
        return None
    start = record.skip(size)
    return record.within(start, record.position)
