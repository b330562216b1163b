"""Every input was put to the readers of Kafka 3.9.1 itself; `outcome` is what they did with it."""

import json
from base64 import b64decode
from collections.abc import Callable
from pathlib import Path

import pytest

from jobs.sources.log_dirs.formats.checkpoint import parse_epochs, parse_offsets
from jobs.sources.log_dirs.formats.java_text import ParseError
from jobs.sources.log_dirs.formats.json_files import parse_clean_shutdown, parse_quorum_state
from jobs.sources.log_dirs.formats.meta_properties import parse_meta_properties
from jobs.sources.log_dirs.formats.names import parse_checkpoint_name, parse_dir_name, producers
from jobs.sources.log_dirs.formats.partition_metadata import parse_partition_metadata

RECORDED = json.loads(
    (Path(__file__).parents[3] / "data/log_dirs/readers-3.9.1.json").read_text(encoding="utf-8")
)

PARSERS: dict[str, Callable[[str], object]] = {
    "offsets": lambda text: parse_offsets(text.encode("latin-1")),
    "epochs": lambda text: parse_epochs(text.encode("latin-1")),
    "partition": lambda text: parse_partition_metadata(text.encode("latin-1")),
    "meta": lambda text: parse_meta_properties(text.encode("latin-1")),
    "quorum": lambda text: parse_quorum_state(text.encode("latin-1")),
    "dir": parse_dir_name,
    "snapshot-name": parse_checkpoint_name,
}

# The reader takes these lines, the cache behind it refuses them, and the partition does not load.
REFUSED_ON_LOAD = ("0\n1\n-1 0\n", "0\n1\n0 -1\n")


def accepts(format: str, text: str) -> bool:
    try:
        PARSERS[format](text)
    except ParseError:
        return False
    return True


@pytest.mark.parametrize(
    "recorded",
    [r for r in RECORDED if r["format"] in PARSERS],
    ids=lambda r: f"{r['format']}-{r['input'][:40]!r}",
)
def test_varve_accepts_exactly_what_kafka_accepts(recorded: dict[str, str]) -> None:
    kafka_accepts = not recorded["outcome"].startswith("! ") and recorded["input"] not in REFUSED_ON_LOAD
    assert accepts(recorded["format"], recorded["input"]) == kafka_accepts


@pytest.mark.parametrize(
    "recorded",
    [r for r in RECORDED if r["format"] == "dir" and r["outcome"].startswith("! ")],
    ids=lambda r: repr(r["input"][:40]),
)
def test_the_problem_of_a_directory_s_name_is_worded_as_kafka_words_it(recorded: dict[str, str]) -> None:
    with pytest.raises(ParseError) as problem:
        PARSERS[recorded["format"]](recorded["input"])
    assert str(problem.value).replace("\0", "\\0") in recorded["outcome"]


@pytest.mark.parametrize(
    "recorded", [r for r in RECORDED if r["format"] == "clean"], ids=lambda r: r["input"]
)
def test_a_clean_shutdown_tells_the_epoch_that_kafka_reads(recorded: dict[str, str]) -> None:
    epoch = parse_clean_shutdown(recorded["input"].encode())
    told = "OptionalLong.empty" if epoch is None else f"OptionalLong[{epoch}]"
    assert told == recorded["outcome"]


@pytest.mark.parametrize(
    "recorded",
    [r for r in RECORDED if r["format"] == "snapshot-name" and not r["outcome"].startswith("! ")],
    ids=lambda r: r["input"],
)
def test_the_name_of_a_metadata_checkpoint_tells_what_kafka_takes_from_it(recorded: dict[str, str]) -> None:
    name = parse_checkpoint_name(recorded["input"])
    told = "none"
    if name:
        partial, deleted = (str(name.status == status).lower() for status in ("part", "deleted"))
        told = f"OffsetAndEpoch(offset={name.end_offset}, epoch={name.epoch}) partial={partial} deleted={deleted}"
    assert told == recorded["outcome"]


@pytest.mark.parametrize(
    "recorded",
    [r for r in RECORDED if r["format"] == "producer" and not r["outcome"].startswith("! ")],
    ids=lambda r: r["outcome"],
)
def test_the_size_of_a_producer_snapshot_tells_how_many_producers_kafka_finds(
    recorded: dict[str, str],
) -> None:
    size = len(b64decode(recorded["input"]))
    assert producers("00000000000000000007.snapshot", size) == (7, int(recorded["outcome"]))
