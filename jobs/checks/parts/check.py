"""What a check is. Nothing here imports Spark: the report reads the runbooks without it.

A module of `jobs/checks` holds one check as `CHECK`. The parameters of its function `judge` name the frames it reads
(see `jobs.process.frames`). The function returns one row for each subject it looked at; a subject it does not return
is fine. The columns:
- `subject`: the thing in Kafka's own writing (`orders`, `orders-3`, `broker 2`, `node 3`);
- `is_hit`: something is wrong with it;
- `is_known`: this snapshot saw everything that the judgement rests on; if not, the finding stays as it was;
- `evidence`: a struct of standing facts. Moving numbers belong into a series.

Where nothing but `read_at` differs between snapshots, a subject's row may change once and then stays, as with what is
known when it was read a while after it was modified: `jobs.rebuild` judges the ends of such a time only.
"""

import inspect
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING

from jobs import checks
from jobs.discovery import modules
from schemas.judgement import Severity

if TYPE_CHECKING:
    from pyspark.sql import DataFrame


@dataclass(frozen=True)
class Check:
    """A check. Raises ValueError without a remedy, or without a runbook: `<module>.md` beside the module of `judge`.

    `remedy` is a sentence or two that say the first step. The runbook says what the finding means, what to do and
    what not to do.
    """

    severity: Severity
    remedy: str
    judge: "Callable[..., DataFrame]"

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
    def _page(self) -> Path:
        return Path(inspect.getfile(self.judge)).with_suffix(".md")


def all_checks() -> list[Check]:
    """Every check, by id. Raises ValueError when a module holds none."""
    return [_check_of(module) for module in modules(checks)]


def runbooks() -> dict[str, str]:
    """The runbook of every check by its id, read without importing the checks."""
    return {_kebab(page.stem): _text(page) for page in sorted(Path(checks.__path__[0]).glob("*.md"))}


def _check_of(module: ModuleType) -> Check:
    check = getattr(module, "CHECK", None)
    if not isinstance(check, Check):
        raise ValueError(
            f"{module.__name__} holds no check: set CHECK = Check(severity=…, remedy=…, judge=…)"
        )
    return check


def _kebab(name: str) -> str:
    return name.replace("_", "-")


def _text(page: Path) -> str:
    return page.read_text(encoding="utf-8").strip()
