"""What a check is. Nothing here imports DuckDB or Spark: the report reads the runbooks without them.

A module of `jobs/checks` holds one check as `CHECK`: `CHECK = Check(__file__, severity=…, remedy=…, judge=…)`. `judge`
is one SELECT in DuckDB's SQL; the names behind FROM and JOIN are the frames it reads (see `jobs.process.frames`). It gives
one row for each subject it looked at; a subject that it does not give is fine. The columns:
- `subject`: the thing in Kafka's own writing (`orders`, `orders-3`, `broker 2`, `node 3`);
- `is_hit`: something is wrong with it;
- `is_known`: this snapshot saw everything that the judgement rests on; if not, the finding stays as it was;
- `evidence`: a struct of standing facts. Moving numbers belong into a series;
- `severity` and `remedy`, if they are not the same for every subject: null stands for the check's own;
- `cause_check_id` and `cause_subject`, if the finding of another check may explain this one.

Where nothing but `read_at` differs between snapshots, a subject's row may change once and then stays, as with what is
known when it was read a while after it was modified: `jobs.rebuild` judges the ends of such a time only.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from jobs import checks
from jobs.discovery import values
from schemas.judgement import Severity

_OPTIONAL = ("severity", "remedy", "cause_check_id", "cause_subject")
"""The columns that a SELECT may leave out."""


@dataclass(frozen=True)
class Check:
    """A check. Raises ValueError without a remedy, or without a runbook: `<module>.md` beside the module, whose file is `of`.

    `remedy` is a sentence or two that say the first step. The runbook says what the finding means, what to do and
    what not to do. `becomes` is the id of the check that tells when this finding got worse. `values` are those of the
    `$names` in `judge`; varve.yaml may set those that are no texts. Where the frame `only_with` has no row, all is fine
    and `judge` is not asked.
    """

    of: str
    severity: Severity
    remedy: str
    judge: str
    becomes: str | None = None
    values: Mapping[str, object] = field(default_factory=dict)
    only_with: str | None = None

    def __post_init__(self) -> None:
        if not self.remedy:
            raise ValueError(f"the check {self.check_id} has no remedy")
        if not self._page.is_file() or not self.runbook:
            raise ValueError(f"the check {self.check_id} has no runbook: write it to {self._page}")

    @property
    def check_id(self) -> str:
        """The name of the module, in kebab-case."""
        return _kebab(self._page.stem)

    @property
    def runbook(self) -> str:
        """The page, in Markdown."""
        return _text(self._page)

    @property
    def thresholds(self) -> dict[str, object]:
        """Those of `values` that varve.yaml may set: all but texts. Where one is None, a whole number may be set."""
        return {name: value for name, value in self.values.items() if not isinstance(value, str)}

    @property
    def verdicts(self) -> str:
        """SQL: what the check says of each subject that is not fine; see `jobs.process.findings`."""
        optional = ", ".join(f"NULL::VARCHAR AS {name}" for name in _OPTIONAL)
        return f"""
SELECT {_literal(self.check_id)} AS check_id, subject, coalesce(is_hit, false) AS is_hit,
  coalesce(is_known, false) AS is_known, coalesce(severity, {_literal(self.severity)}) AS severity,
  to_json(evidence)::VARCHAR AS evidence, coalesce(remedy, {_literal(self.remedy)}) AS remedy, cause_check_id, cause_subject
FROM (({self.judge}) UNION ALL BY NAME (SELECT {optional} WHERE false))
WHERE coalesce(is_hit, false) OR NOT coalesce(is_known, false)
"""

    @property
    def _page(self) -> Path:
        return Path(self.of).with_suffix(".md")


def all_checks() -> list[Check]:
    """Every check, by id. Raises ValueError when a module holds none."""
    return list(values(checks, "CHECK", Check).values())


def check_ids() -> list[str]:
    """The ids of all checks, known without importing them."""
    return [_kebab(page.stem) for page in _pages()]


def runbooks() -> dict[str, str]:
    """The runbook of every check by its id, read without importing the checks."""
    return {_kebab(page.stem): _text(page) for page in _pages()}


def _pages() -> list[Path]:
    return sorted(Path(checks.__path__[0]).glob("*.md"))


def _literal(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _kebab(name: str) -> str:
    return name.replace("_", "-")


def _text(page: Path) -> str:
    return page.read_text(encoding="utf-8").strip()
