"""How Kafka, being Java, reads text: lines, fields, numbers, ids and the format of `java.util.Properties`."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from functools import lru_cache

NO_ID = "AAAAAAAAAAAAAAAAAAAAAA"
"""The id of zeros, which Kafka writes where there is none."""

_INTEGER = re.compile(r"[+-]?\d+")
_MOST_DIGITS = 4000
"""Python itself reads no number that is much longer, which only leading zeros could make a legal one."""
_ID = re.compile(r"[A-Za-z0-9_-]{22}(==)?")
_LONGEST_MESSAGE = 300

_BLANK = " \t\f"
_KEY = re.compile(r"((?:\\.|[^\\ \t\f=:])*)[ \t\f]*[=:]?[ \t\f]*(.*)", re.DOTALL)
_ESCAPE = re.compile(r"\\(u.{0,4}|.|$)", re.DOTALL)
_HEX = re.compile(r"u[0-9A-Fa-f]{4}")
_CONTROL = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}


class ParseError(Exception):
    """Kafka itself would not accept this content. The message is cut to a readable length."""

    def __init__(self, message: str) -> None:
        super().__init__(message[:_LONGEST_MESSAGE])


def lines(content: bytes) -> list[str]:
    """The lines that `BufferedReader.readLine` gives. Raises ParseError where the content is no UTF-8."""
    try:
        text = content.decode("utf-8")
    except UnicodeDecodeError as error:
        raise ParseError(f"it is no UTF-8 at byte {error.start}") from None
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
    raise ParseError(f'"{text}" is no number of {bits} bits')


@lru_cache(maxsize=4096)
def parse_id(text: str) -> str:
    """A 128-bit id (`org.apache.kafka.common.Uuid`) in the one way that Kafka writes it: base64, 22 characters.

    `Uuid.fromString` ignores the four spare bits of the last character, so that four texts are the same id.
    """
    if not _ID.fullmatch(text):
        raise ParseError(f'"{text}" is no id of 22 base64 characters')
    return urlsafe_b64encode(urlsafe_b64decode(text[:22] + "==")).decode().rstrip("=")


def parse_properties(content: bytes) -> dict[str, str]:
    """Keys and values as `Properties.load(InputStream)` reads them; of two lines with one key the last wins.

    Raises ParseError for a broken unicode escape, the only thing that the format can get wrong.
    """
    found = {}
    for line in _logical_lines(content.decode("latin-1")):
        if pair := _KEY.fullmatch(line):
            found[_unescape(pair[1])] = _unescape(pair[2])
    return found


def _logical_lines(text: str) -> list[str]:
    """Lines without comments and blank ones; a backslash at the end of a line joins it to the next."""
    joined: list[str] = []
    continues = False
    for natural in re.split(r"\r\n|\r|\n", text):
        line = natural.lstrip(_BLANK)
        if not continues and (not line or line[0] in "#!"):
            continue
        start = joined.pop() if continues else ""
        continues = (len(line) - len(line.rstrip("\\"))) % 2 == 1
        joined.append(start + (line[:-1] if continues else line))
    return joined


def _unescape(text: str) -> str:
    plain = _ESCAPE.sub(_character, text)
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _character(escape: re.Match[str]) -> str:
    what = escape[1]
    if not what.startswith("u"):
        return _CONTROL.get(what, what)
    if not _HEX.fullmatch(what):
        raise ParseError(f"\\{what} is no unicode escape")
    return chr(int(what[1:], 16))
