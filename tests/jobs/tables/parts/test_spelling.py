"""Ids are 128 bits: one id has several spellings and one canonical form."""

import pyarrow as pa
from pyspark.sql import SparkSession

from jobs.tables.parts.spelling import kafka_uuid

CANONICAL_BY_TEXT = {
    "vV5u0_NiSR-iJzmV8S97dg": "vV5u0_NiSR-iJzmV8S97dg",
    "vV5u0_NiSR-iJzmV8S97dg==": "vV5u0_NiSR-iJzmV8S97dg",
    # The last character carries two bits only: Kafka reads these as the same id.
    "vV5u0_NiSR-iJzmV8S97dh": "vV5u0_NiSR-iJzmV8S97dg",
    "vV5u0_NiSR-iJzmV8S97dv": "vV5u0_NiSR-iJzmV8S97dg",
    "vV5u0_NiSR-iJzmV8S97dw": "vV5u0_NiSR-iJzmV8S97dw",
    "-----------------------"[:22]: "-----------------------"[:21] + "w",
    "AAAAAAAAAAAAAAAAAAAAAQ": "AAAAAAAAAAAAAAAAAAAAAQ",
    # The zero id stands for none, however it is written.
    "AAAAAAAAAAAAAAAAAAAAAA": None,
    "AAAAAAAAAAAAAAAAAAAAAB": None,
    "": None,
    "garbage": None,
    "vV5u0_NiSR-iJzmV8S97d": None,
    "vV5u0_NiSR-iJzmV8S97dg=": None,
    "vV5u0_NiSR-iJzmV8S97dgAA": None,
    "vV5u0+NiSR/iJzmV8S97dg": None,
    " vV5u0_NiSR-iJzmV8S97dg": None,
    "vV5u0_NiSR-iJzmV8S97dg\n": None,
    "bd5e6ed3-f362-491f-a227-3995f12f7b76": None,
    "é" * 22: None,
    "a" * 10_000: None,
    None: None,
}


def test_every_spelling_of_an_id_becomes_its_canonical_form_and_what_is_no_id_null(
    spark: SparkSession,
) -> None:
    frame = spark.createDataFrame(pa.table({"text": pa.array(list(CANONICAL_BY_TEXT), pa.string())}))
    rows = frame.select("text", kafka_uuid(frame.text).alias("id")).collect()
    assert {row.text: row.id for row in rows} == CANONICAL_BY_TEXT
