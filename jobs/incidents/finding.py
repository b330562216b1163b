"""A finding as it is read from the lake."""

from datetime import datetime
from enum import StrEnum
from typing import NamedTuple

from jobs.lake.read import Answer, LakeReader
from schemas.judgement import FindingStatus, Severity


class Life(StrEnum):
    """Where a finding is in its life, as of the newest snapshot."""

    NEW = "new"
    CONTINUING = "continuing"
    WORSENED = "worsened"
    BACK_AGAIN = "back again"
    RESOLVED = "resolved"


_LIFE = f"""
CASE WHEN status = '{FindingStatus.RESOLVED}' THEN '{Life.RESOLVED}'
  WHEN worsened_at IS NOT NULL THEN '{Life.WORSENED}'
  WHEN was_resolved_at IS NOT NULL THEN '{Life.BACK_AGAIN}'
  WHEN first_seen_at >= (SELECT max(captured_at) FROM snapshots AS s WHERE s.cluster = f.cluster) THEN '{Life.NEW}'
  ELSE '{Life.CONTINUING}' END
"""

_FINDINGS = f"""
SELECT cluster, severity, check_id, subject, status, {_LIFE} AS life, first_seen_at, not_seen_since, evidence, remedy,
  cause_check_id, cause_subject, became, was_resolved_at, worsened_at, ignored
FROM findings AS f WHERE status = '{FindingStatus.OPEN}' OR {{also}}
ORDER BY array_position({[str(each) for each in Severity]}, severity) DESC, check_id, subject, cluster
"""

Key = tuple[str, str | None, str | None]

RANK = {severity.value: rank for rank, severity in enumerate(Severity)}
"""How severities compare: a higher one is worse."""


class Finding(NamedTuple):
    """One finding; the columns of `findings` in the order in which `varve findings` prints them."""

    cluster: str
    severity: str
    check_id: str
    subject: str
    status: str
    life: str
    first_seen_at: datetime
    not_seen_since: datetime | None
    evidence: str
    remedy: str
    cause_check_id: str | None
    cause_subject: str | None
    became: str | None
    was_resolved_at: datetime | None
    worsened_at: datetime | None
    ignored: str | None

    @property
    def is_open(self) -> bool:
        return self.status == FindingStatus.OPEN

    @property
    def counts(self) -> bool:
        """It is open, and nobody asked for it to be ignored."""
        return self.is_open and not self.ignored

    @property
    def key(self) -> Key:
        """What tells it from every other."""
        return self.cluster, self.check_id, self.subject

    @property
    def cause(self) -> Key:
        """The key of the finding that explains it, where there is one."""
        return self.cluster, self.cause_check_id, self.cause_subject

    @property
    def worse(self) -> Key:
        """The key of the finding that it became, where it became one."""
        return self.cluster, self.became, self.subject


def ask_findings(reader: LakeReader, *, resolved: bool) -> Answer:
    """The open findings, the worst first, in the columns of `Finding`; with `resolved` those that are kept as well."""
    return reader.query(_FINDINGS.format(also=resolved))


def read_findings(reader: LakeReader) -> list[Finding]:
    """The open findings, and the resolved ones that became worse ones."""
    return [Finding(*row) for row in reader.query(_FINDINGS.format(also="became IS NOT NULL")).rows]
