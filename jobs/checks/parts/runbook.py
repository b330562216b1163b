"""The form of a runbook: what every page answers, in this order, and the words in it that are a cluster's own addresses."""

import re

SECTIONS = (
    "What it means",
    "How sure",
    "Preconditions",
    "What to run",
    "What not to do",
    "How to see it resolved",
)
"""The headings of a page, each written as `### What it means`."""

PLACEHOLDERS = {
    "BOOTSTRAP_SERVERS": "the brokers to ask, host:port with commas",
    "BOOTSTRAP_CONTROLLERS": "the KRaft controllers to ask, host:port with commas",
    "ZOOKEEPER_CONNECT": "zookeeper.connect with the chroot",
    "CHROOT": "the path before every znode of the cluster; empty where there is none",
    "TOPIC": "the topic of the finding",
    "PARTITION": "the number of the partition of the finding",
    "NODE": "the id of the broker or node of the finding",
}
"""Words that stand in a page for what a cluster and a finding fill in."""

_HEADING = re.compile(r"^#+ .*$", re.MULTILINE)
_NO_ADDRESS = re.compile(r"--(?:bootstrap-\w+|zookeeper|topic|partition) …|(?<![\w/])-server …")


def complaints(page: str) -> list[str]:
    """What is wrong with the form of a page; nothing where it is as it should be."""
    return [*_headings(page), *_empty(page), *_addresses(page)]


def _headings(page: str) -> list[str]:
    wanted, found = [f"### {section}" for section in SECTIONS], _HEADING.findall(page)
    if found == wanted:
        return []
    missing = [heading for heading in wanted if heading not in found]
    others = [heading for heading in found if heading not in wanted]
    said = [f"it lacks {', '.join(missing)}"] * bool(missing) + [f"it has {', '.join(others)}"] * bool(others)
    return [
        f"its headings must be {', '.join(wanted)}; {' and '.join(said) or 'they stand in another order'}"
    ]


def _empty(page: str) -> list[str]:
    parts = re.split(_HEADING, page)
    if parts[0].strip():
        return [f"text stands before its first heading: {parts[0].strip()[:60]!r}"]
    return [
        f"nothing stands below {heading}"
        for heading, text in zip(_HEADING.findall(page), parts[1:], strict=True)
        if not text.strip()
    ]


def _addresses(page: str) -> list[str]:
    return [
        f"it says {found!r}: write one of {', '.join(PLACEHOLDERS)}, which varve runbook fills in"
        for found in _NO_ADDRESS.findall(page)
    ]
