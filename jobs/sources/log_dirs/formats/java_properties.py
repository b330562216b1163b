"""The text format of `java.util.Properties`, as `Properties.load(InputStream)` reads it."""

import re

from jobs.sources.log_dirs.formats.java_text import ParseError

_BLANK = " \t\f"
_KEY = re.compile(r"((?:\\.|[^\\ \t\f=:])*)[ \t\f]*[=:]?[ \t\f]*(.*)", re.DOTALL)
_ESCAPE = re.compile(r"\\(u.{0,4}|.|$)", re.DOTALL)
_HEX = re.compile(r"u[0-9A-Fa-f]{4}")
_CONTROL = {"t": "\t", "n": "\n", "r": "\r", "f": "\f"}


def parse_properties(content: bytes) -> dict[str, str]:
    """Keys and values, unescaped; of two lines with one key the last wins.

    Raises ParseError for a broken unicode escape, the only thing the format can get wrong.
    """
    found = {}
    for line in _logical_lines(content.decode("latin-1")):
        if pair := _KEY.fullmatch(line):
            found[_unescape(pair[1])] = _unescape(pair[2])
    return found


def _logical_lines(text: str) -> list[str]:
    """Lines without comments and blank ones, a trailing backslash joining a line to the next."""
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
        raise ParseError("IllegalArgumentException: Malformed \\uxxxx encoding.")
    return chr(int(what[1:], 16))
