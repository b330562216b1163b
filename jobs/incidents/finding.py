"""A finding as it is read from the lake."""

from datetime import datetime
from typing import NamedTuple

from jobs.lake.read import Answer, LakeReader
from schemas.judgement import FindingStatus, Severity

_FINDINGS = f"""
SELECT cluster, severity, check_id, subject, status, first_seen_at, not_seen_since, evidence, remedy,
  cause_check_id, cause_subject, became
FROM findings WHERE status = '{FindingStatus.OPEN}' OR {{also}}
ORDER BY array_position({[str(each) for each in Severity]}, severity) DESC, check_id, subject, cluster
"""

Key = tuple[str, str | None, str | None]


class Finding(NamedTuple):
    """One finding; the columns of `findings` in the order in which `varve findings` prints them."""

    cluster: str
    severity: str
    check_id: str
    subject: str
    status: str
    first_seen_at: datetime
    not_seen_since: datetime | None
    evidence: str
    remedy: str
    cause_check_id: str | None
    cause_subject: str | None
    became: str | None

    @property
    def is_open(self) -> bool:
        return self.status == FindingStatus.OPEN

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
