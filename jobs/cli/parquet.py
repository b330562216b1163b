"""Writes the answer to a query into a Parquet file."""

from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import pyarrow as pa
import pyarrow.parquet as pq

from jobs.cli.values import unique
from jobs.errors import UsageError

if TYPE_CHECKING:
    from jobs.lake.read import LakeReader


def write_parquet(reader: "LakeReader", query: str, output: Path) -> int:
    """Write the rows into the file, over the one before, while they are computed; returns how many.

    The file is there whole or not at all. Raises UsageError for values that Parquet does not have.
    """
    unfinished = output.with_name(f".{output.name}.{uuid4().hex}")
    try:
        with reader.batches(query) as batches:
            rows = _write(batches, unfinished)
        unfinished.replace(output)
    except pa.ArrowNotImplementedError as error:
        # Parquet has no type for some of DuckDB's, such as INTERVAL; the answer's types are known only while it is written.
        raise UsageError(f"Parquet cannot hold a value of this query: {error}; cast it to VARCHAR") from error
    finally:
        unfinished.unlink(missing_ok=True)
    return rows


def _write(batches: pa.RecordBatchReader, output: Path) -> int:
    names = unique(batches.schema.names)
    schema = pa.schema([field.with_name(name) for field, name in zip(batches.schema, names, strict=True)])
    rows = 0
    with pq.ParquetWriter(output, schema) as writer:
        for batch in batches:
            writer.write_batch(pa.record_batch(batch.columns, schema=schema))
            rows += batch.num_rows
    return rows
