"""Kafka's 128-bit ids in their one canonical form (org.apache.kafka.common.Uuid)."""

from pyspark.sql import Column
from pyspark.sql import functions as F

_ID = r"\A([A-Za-z0-9_-]{22})(==)?\z"
_ZERO = "AAAAAAAAAAAAAAAAAAAAAA"


def kafka_uuid(text: Column) -> Column:
    """22 characters of URL-safe base64; null for the zero id and for what is no id.

    Ids are compared as bytes in Kafka: padding and the unused bits of the last character do not count.
    """
    standard = F.translate(F.regexp_extract(text, _ID, 1), "-_", "+/")
    bytes_ = F.try_to_binary(F.concat(standard, F.lit("==")), F.lit("base64"))
    canonical = F.rtrim(F.translate(F.base64(bytes_), "+/", "-_"), F.lit("="))
    return F.when(text.rlike(_ID) & (canonical != _ZERO), canonical)
