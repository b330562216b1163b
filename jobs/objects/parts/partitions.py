"""How a person names a partition."""

from collections.abc import Mapping, Sequence
from typing import Any


def partition_in(words: Sequence[str]) -> Mapping[str, Any]:
    """The topic and the number in `orders-3`, the only word. Raises ValueError when there is another or none."""
    (word,) = words
    topic, dash, number = word.rpartition("-")
    if not (topic and dash):
        raise ValueError
    return {"topic": topic, "partition": int(number)}
