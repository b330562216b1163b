"""How Kafka's readers, being Java, cut text into lines and numbers."""

import re
from functools import lru_cache

_INTEGER = re.compile(r"[+-]?\d+")
_LONGEST_MESSAGE = 300
_MOST_DIGITS = 4000
"""Python itself reads no number that is much longer, which only leading zeros could make a legal one."""


class ParseError(Exception):
    """Kafka itself would not accept this text. The message is Kafka's own wording, cut to a readable length."""

    def __init__(self, message: str) -> None:
        super().__init__(message[:_LONGEST_MESSAGE])


def lines(content: bytes) -> list[str]:
    """The lines `BufferedReader.readLine` gives. Raises ParseError where the content is no UTF-8."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        length = error.end - error.start
        raise ParseError(f"MalformedInputException: Input length = {length}") from None
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    cut = text.split("\n")
    return cut if cut[-1] else cut[:-1]


def fields(pattern: re.Pattern[str], line: str) -> list[str]:
    """`Pattern.split`: as `re.split`, without empty fields at the end."""
    cut = pattern.split(line)
    while len(cut) > 1 and not cut[-1]:
        cut.pop()
    return cut


@lru_cache(maxsize=65_536)
def parse_int(text: str, bits: int = 32) -> int:
    """`Integer.parseInt`, or `Long.parseLong` with 64 bits: a sign is accepted, a space is not."""
    if len(text) <= _MOST_DIGITS and _INTEGER.fullmatch(text):
        number = int(text)
        if -(1 << bits - 1) <= number < 1 << bits - 1:
            return number
    raise ParseError(f'NumberFormatException: For input string: "{text}"')
