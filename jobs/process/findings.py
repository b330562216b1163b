"""Findings open, stay and resolve: what the checks judged now, against what was found before."""

from collections.abc import Sequence
from datetime import datetime, timedelta

import duckdb
import pyarrow as pa

from jobs.checks.parts.check import all_checks
from jobs.lake.arrow import in_columns
from jobs.rules import IgnoreRule
from schemas.judgement import FINDINGS, FindingStatus, Severity
from schemas.table import Column

KEPT_RESOLVED = timedelta(days=30)
"""So long a finding is kept that was resolved."""

JUDGED = (
    Column("check_id", "STRING", "the check"),
    Column("subject", "STRING", "what it looked at"),
    Column("is_hit", "BOOLEAN", "something is wrong with it"),
    Column("is_known", "BOOLEAN", "the snapshot saw all that this rests on"),
    Column("severity", "STRING", "how bad it is"),
    Column("evidence", "STRING", "the facts, a JSON object"),
    Column("remedy", "STRING", "what to do"),
    Column("cause_check_id", "STRING", "the check whose finding explains this one"),
    Column("cause_subject", "STRING", "the subject of that finding"),
)
"""What checks say of subjects. A subject without a row is fine."""

_OPEN, _RESOLVED = FindingStatus.OPEN, FindingStatus.RESOLVED

_FATED = f"""
SELECT check_id, subject, old, new, CASE
    WHEN new IS NOT NULL AND NOT new.is_known THEN CASE WHEN old IS NOT NULL THEN 'kept' END
    WHEN new.is_hit THEN '{_OPEN}'
    WHEN old.status = '{_OPEN}' THEN '{_RESOLVED}'
    WHEN old.changed_at >= $kept_from THEN 'kept'
  END AS fate
FROM (SELECT check_id, subject, old FROM before AS old)
FULL JOIN (SELECT check_id, subject, new FROM judged AS new) USING (check_id, subject)
"""

_RANK = f"list_position({[str(each) for each in Severity]}, {{}})"
_ROSE = f"{_RANK.format('new.severity')} > {_RANK.format('old.severity')}"
_FELL = f"{_RANK.format('new.severity')} < {_RANK.format('old.severity')}"
_IGNORED = """
SELECT min(said) FROM ignoring WHERE ignoring.check_id = fated.check_id AND fated.subject GLOB ignoring.subject
  AND ends_at > $captured_at
"""

_AFTER = f"""
WITH fated AS ({_FATED}), now_open AS (
  SELECT check_id, subject FROM fated
  WHERE fate = '{_OPEN}' OR (fate = 'kept' AND old.status = '{_OPEN}')
)
SELECT fated.check_id, fated.subject,
  CASE fate WHEN '{_OPEN}' THEN new.severity ELSE old.severity END AS severity,
  CASE fate WHEN 'kept' THEN old.status ELSE fate END AS status,
  CASE WHEN fate = '{_OPEN}' AND old.status IS DISTINCT FROM '{_OPEN}' THEN $captured_at
    ELSE old.first_seen_at END AS first_seen_at,
  CASE WHEN old.status = '{_OPEN}' AND NOT new.is_known THEN coalesce(old.not_seen_since, $last_captured_at)
    END AS not_seen_since,
  CASE fate WHEN '{_OPEN}' THEN new.evidence ELSE old.evidence END AS evidence,
  CASE fate WHEN '{_OPEN}' THEN new.remedy ELSE old.remedy END AS remedy,
  CASE WHEN fate = '{_OPEN}' THEN cause.check_id WHEN fate IS NOT NULL THEN old.cause_check_id END AS cause_check_id,
  CASE WHEN fate = '{_OPEN}' THEN cause.subject WHEN fate IS NOT NULL THEN old.cause_subject END AS cause_subject,
  CASE fate WHEN '{_RESOLVED}' THEN worse.check_id WHEN 'kept' THEN old.became END AS became,
  CASE WHEN fate = '{_OPEN}' AND old.status = '{_RESOLVED}' THEN if(old.changed_at >= $kept_from, old.changed_at, NULL)
    ELSE old.was_resolved_at END AS was_resolved_at,
  CASE WHEN fate = '{_OPEN}' AND (old.status = '{_RESOLVED}' OR {_FELL}) THEN NULL
    WHEN fate = '{_OPEN}' AND {_ROSE} THEN $captured_at ELSE old.worsened_at END AS worsened_at,
  CASE WHEN fate = '{_OPEN}' OR (fate = 'kept' AND old.status = '{_OPEN}') THEN ({_IGNORED}) END AS ignored
FROM fated
LEFT JOIN now_open AS cause ON (cause.check_id, cause.subject) = (new.cause_check_id, new.cause_subject)
LEFT JOIN becomes ON becomes.check_id = fated.check_id
LEFT JOIN now_open AS worse ON (worse.check_id, worse.subject) = (becomes.worse, fated.subject)
WHERE fate IS NOT NULL
"""


def findings(
    connection: duckdb.DuckDBPyConnection,
    before: pa.Table,
    judged: pa.Table,
    captured_at: datetime,
    last_captured_at: datetime | None,
    ignore: Sequence[IgnoreRule] = (),
) -> pa.Table:
    """All findings after a snapshot, in FINDINGS columns; long resolved ones are left out.

    `before`: FINDINGS columns and `changed_at`. `judged`: those of JUDGED. A subject without a row there is fine. A
    finding whose subject is not known stays as it was. While it is open, `not_seen_since` says when it was last judged:
    at `last_captured_at`, or at the older time that it holds already. A cause counts only while its own finding is open.
    A finding that goes because it became a worse one says which. What `ignore` names stays, and says so.
    """
    worse = [(check.check_id, check.becomes) for check in all_checks() if check.becomes]
    with connection.cursor() as cursor:
        cursor.register("before", before)
        cursor.register("judged", judged)
        cursor.register(
            "becomes",
            pa.table({"check_id": [each for each, _ in worse], "worse": [each for _, each in worse]}),
        )
        cursor.register("ignoring", _ignoring(ignore))
        values = {
            "captured_at": captured_at,
            "last_captured_at": last_captured_at,
            "kept_from": captured_at - KEPT_RESOLVED,
        }
        rows = cursor.sql(_AFTER, params=values).to_arrow_table()
    return in_columns([rows], FINDINGS.columns)


def _ignoring(rules: Sequence[IgnoreRule]) -> pa.Table:
    rows = [
        {
            "check_id": rule.check,
            "subject": rule.subject,
            "ends_at": rule.ends_at,
            "said": f"until {rule.until}: {rule.why}",
        }
        for rule in rules
    ]
    columns = {
        "check_id": pa.string(),
        "subject": pa.string(),
        "ends_at": pa.timestamp("us", "UTC"),
        "said": pa.string(),
    }
    return pa.Table.from_pylist(rows, pa.schema(columns))
