"""Folds findings into incidents: what is wrong, told once, with everything that it explains."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

from jobs.incidents.finding import RANK, Finding, Key
from jobs.incidents.happened import Happened
from schemas.judgement import Severity


@dataclass(frozen=True)
class Incident:
    """An open finding that no other one explains, and all that it explains, also through one another.

    At least one of them counts: where all are ignored, there is no incident.
    Findings that explain nothing and are alike in cluster, check, severity and remedy are one incident.
    """

    findings: tuple[Finding, ...]
    explained: tuple[Finding, ...] = ()
    was: Finding | None = None
    """The milder finding that became this one."""
    before: tuple[Happened, ...] = ()
    """What happened around its first sight."""

    @property
    def cluster(self) -> str:
        return self.findings[0].cluster

    @property
    def check_id(self) -> str:
        return self.findings[0].check_id

    @property
    def remedy(self) -> str:
        """What to do first. The remedies of what is explained give way to it."""
        return self.findings[0].remedy

    @property
    def severity(self) -> Severity:
        """That of the worst of its findings that are not ignored."""
        return Severity(
            max((each.severity for each in self.all_findings if each.counts), key=RANK.__getitem__)
        )

    @property
    def since(self) -> datetime:
        """When the oldest of its findings was first seen."""
        return min(each.first_seen_at for each in self.all_findings)

    @property
    def touched(self) -> list[tuple[str, list[Finding]]]:
        """What it explains, by check: the worst first, then the most."""
        by_check = defaultdict[str, list[Finding]](list)
        for each in self.explained:
            by_check[each.check_id].append(each)
        return sorted(by_check.items(), key=lambda pair: (-RANK[pair[1][0].severity], -len(pair[1]), pair[0]))

    @property
    def all_findings(self) -> tuple[Finding, ...]:
        """Its own, and those that it explains."""
        return self.findings + self.explained


def incidents(findings: Iterable[Finding]) -> list[Incident]:
    """Every open finding that is not ignored in exactly one incident; the worst first, and of those the newest."""
    rows = list(findings)
    by_key = {each.key: each for each in rows if each.is_open}
    milder = {each.worse: each for each in rows if not each.is_open and each.became}
    explained = defaultdict[Key, list[Finding]](list)
    for each in by_key.values():
        if (root := _root(each, by_key)) != each.key:
            explained[root].append(each)
    below = {each.key for group in explained.values() for each in group}
    alone = defaultdict[tuple[str, ...], list[Finding]](list)
    for each in by_key.values():
        if each.counts and each.key not in below and each.key not in explained:
            alone[each.cluster, each.severity, each.check_id, each.remedy].append(each)
    told = [
        Incident((by_key[root],), tuple(group), milder.get(root))
        for root, group in explained.items()
        if any(each.counts for each in (by_key[root], *group))
    ]
    told += [Incident(tuple(group), was=_was(group, milder)) for group in alone.values()]
    return sorted(told, key=_worst_and_newest_first)


def counts(told: Iterable[Incident]) -> Counter[str]:
    """How many incidents there are of each severity."""
    return Counter(each.severity.value for each in told)


def _worst_and_newest_first(incident: Incident) -> tuple[int, float, str, str]:
    return -RANK[incident.severity], -incident.since.timestamp(), incident.check_id, incident.cluster


def _root(finding: Finding, by_key: Mapping[Key, Finding]) -> Key:
    """The finding at the end of the causes. Of findings that explain one another in a circle one is chosen."""
    way = [finding.key]
    while (cause := by_key[way[-1]].cause) in by_key:
        if cause in way:
            return min(way[way.index(cause) :], key=str)
        way.append(cause)
    return way[-1]


def _was(group: list[Finding], milder: Mapping[Key, Finding]) -> Finding | None:
    return next((milder[each.key] for each in group if each.key in milder), None)
