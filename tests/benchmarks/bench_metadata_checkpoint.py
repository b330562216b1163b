"""Decoding a checkpoint of 1,000,000 partitions: its time, how it grows with the records, and its memory."""

import struct
import time
import tracemalloc
from collections.abc import Callable, Sequence
from pathlib import Path

from google_crc32c import value as crc32c

from jobs.sources.log_dirs.formats.metadata_checkpoint import parse_metadata_checkpoint
from jobs.sources.log_dirs.formats.record_batch import batches, records

RECORDED = Path(__file__).parents[1] / "data/log_dirs/kraft-3.9.1"
PARTITIONS = 1_000_000
PARTITION = 3
RECORDS_PER_BATCH = 10_000


def test_decoding_grows_with_the_records_and_holds_one_batch_at_a_time(
    record: Callable[[str, dict[str, float]], None],
) -> None:
    small, large = _checkpoint(PARTITIONS // 10), _checkpoint(PARTITIONS)
    small_s, large_s = _seconds(small), _seconds(large)
    tracemalloc.start()
    parse_metadata_checkpoint(small)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    megabytes = len(large) / 1e6
    figures = {
        "mb": megabytes,
        "decode_s": large_s,
        "growth_over_10": large_s / small_s,
        "peak_mb": peak / 1e6,
    }
    record("metadata_checkpoint", figures)


def _seconds(content: bytes) -> float:
    begun = time.perf_counter()
    found = parse_metadata_checkpoint(content)
    assert len(found.brokers) == 3
    return time.perf_counter() - begun


def _checkpoint(partitions: int) -> bytes:
    """The recorded checkpoint with one of its partitions that many times more."""
    content = max(RECORDED.glob("**/*.checkpoint")).read_bytes()
    (_, data, footer) = batches(content)
    values = [value.take(value.remaining) for _, value in records(data)]
    partition = next(value for value in values if value[1] == PARTITION)
    full = _batch([partition] * RECORDS_PER_BATCH)
    return content[: data.end] + full * (partitions // RECORDS_PER_BATCH) + content[footer.position :]


def _batch(values: Sequence[bytes]) -> bytes:
    bodies = [
        b"\0\0" + _varint(delta) + b"\1" + _varint(len(v)) + v + b"\0" for delta, v in enumerate(values)
    ]
    payload = b"".join(_varint(len(body)) + body for body in bodies)
    rest = struct.pack(">hiqqqhii", 0, len(values) - 1, 0, 0, -1, -1, -1, len(values)) + payload
    return struct.pack(">qiibI", 0, len(rest) + 9, 1, 2, crc32c(rest)) + rest


def _varint(number: int) -> bytes:
    encoded, rest = bytearray(), number << 1
    while rest >= 0x80:
        encoded.append(rest & 0x7F | 0x80)
        rest >>= 7
    return bytes([*encoded, rest])
