"""Does something with several things at once."""

from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from typing import TypeVar

Asked = TypeVar("Asked")
Found = TypeVar("Found")

_AT_ONCE = 16


def side_by_side(
    ask: Callable[[Asked], Found], each: Collection[Asked], at_once: int = _AT_ONCE
) -> list[Found]:
    """What is found of each, in their order: most of it is waiting, for small Spark jobs or for an object store."""
    if len(each) < 2:
        return [ask(one) for one in each]
    with ThreadPoolExecutor(min(at_once, len(each))) as pool:
        return list(pool.map(ask, each))
