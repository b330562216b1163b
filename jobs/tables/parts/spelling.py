"""How Kafka spells ids and names in ZooKeeper."""

from pyspark.sql import Column
from pyspark.sql import functions as F

_ID = r"\A([A-Za-z0-9_-]{22})(==)?\z"
_ZERO = "AAAAAAAAAAAAAAAAAAAAAA"
_DEFAULT = "<default>"


def kafka_uuid(text: Column) -> Column:
    """An id of 128 bits (`org.apache.kafka.common.Uuid`) as 22 characters of URL-safe base64; null when it is none.

    The zero id is none either. Kafka compares ids as bytes: padding and the unused bits of the last character do not
    count.
    """
    standard = F.translate(F.regexp_extract(text, _ID, 1), "-_", "+/")
    bytes_ = F.try_to_binary(F.concat(standard, F.lit("==")), F.lit("base64"))
    canonical = F.rtrim(F.translate(F.base64(bytes_), "+/", "-_"), F.lit("="))
    return F.when(text.rlike(_ID) & (canonical != _ZERO), canonical)


def desanitized(name: Column) -> Column:
    """The name of a user, a client or a principal from its URL-encoded form (`common.utils.Sanitizer`).

    A name that Kafka cannot have encoded stays as it is. So does one that would decode to `<default>`, which stands
    for every entity without a name of its own (`ZooKeeperInternals.DEFAULT_STRING`).
    """
    decoded = F.try_url_decode(name)
    return F.when(decoded.isNull() | (decoded == _DEFAULT), name).otherwise(decoded)
