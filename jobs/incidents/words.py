"""An incident in words, for the terminal and the report alike."""

import re
from collections.abc import Sequence
from heapq import nsmallest

from jobs.incidents.finding import Finding
from jobs.incidents.happened import Happened
from jobs.incidents.incident import Incident
from jobs.wording import counted, facts, written

_SUBJECTS_SHOWN = 3
_EVENTS_SHOWN = 5
_WRITERS = {
    1: "as CMAK and Kafka up to 2.3 write it",
    2: "as Kafka 2.4 to 2.7 write it, and their tools with --zookeeper",
    3: "as Kafka from 2.8 on writes it",
}
"""Which software writes which `version` of a topic's znode: `kafka.zk.TopicZNode.encode`."""


def subjects(findings: Sequence[Finding], shown: int = _SUBJECTS_SHOWN) -> str:
    """`orders-2, orders-10 and 3 more`."""
    more = len(findings) - shown
    named = ", ".join(nsmallest(shown, (each.subject for each in findings), key=by_number))
    return f"{named} and {more:,} more" if more > 0 else named


def listed(findings: Sequence[Finding], shown: int) -> list[Finding]:
    """The newest of them, at most so many, by subject."""
    in_order = sorted(findings, key=_number)
    newest = sorted(in_order, key=lambda each: each.first_seen_at, reverse=True)
    return sorted(newest[:shown], key=_number)


def explains(incident: Incident) -> str:
    """What it touches: `2 offline-partition (a-0, a-1), 1 under-replicated-partition (b-0)`; empty where nothing."""
    return ", ".join(f"{len(found):,} {check} ({subjects(found)})" for check, found in incident.touched)


def before(happened: Sequence[Happened]) -> str:
    """What came before: `broker-left broker 3, controller-moved 1 → 2, 23 isr-shrank`; empty where nothing did."""
    told = [_in_words(each) for each in happened[:_EVENTS_SHOWN]]
    more = len(happened) - _EVENTS_SHOWN
    return ", ".join(told) + (f" and {counted(more, 'other kind')} of event" if more > 0 else "")


def was(incident: Incident) -> str:
    """`topic-id-latent since 2026-11-21 00:10:05Z`; empty where it was nothing milder before."""
    if not incident.was:
        return ""
    return f"{incident.was.check_id} since {written(incident.was.first_seen_at.replace(microsecond=0))}"


def writer(incident: Incident) -> str:
    """Who wrote the znode, as far as its form tells; empty where the evidence says nothing of a znode."""
    told = [each.evidence for each in (incident.was, *incident.findings[:1]) if each]
    for known in map(facts, told):
        if form := _WRITERS.get(known.get("znode version", 0)):
            at = known.get("znode modified at")
            return f"the znode was written {form}{f', at {at}' if at else ''}"
    return ""


def by_number(subject: str) -> tuple[str, int]:
    """For sorting: `orders-9` comes before `orders-10`."""
    name, number = re.fullmatch(r"(.*?)(\d*)", subject, re.DOTALL).groups()  # type: ignore[union-attr]
    return name, int(number or -1)


def _number(finding: Finding) -> tuple[str, int]:
    return by_number(finding.subject)


def _in_words(happened: Happened) -> str:
    if happened.times > 1:
        return f"{happened.times:,} {happened.event} ({happened.subject}, …)"
    because = f", {happened.reason}" if happened.reason else ""
    change = f" ({happened.from_value or 'none'} → {happened.to_value or 'none'}{because})"
    has_change = happened.from_value is not None or happened.to_value is not None
    return f"{happened.event} {happened.subject}{change if has_change else ''}"
