"""The shape of a check.

A module of this folder holds one check: its function has the module's name, its id is that name in kebab-case.
The function's parameters name the frames it reads (see `jobs.frames`); it returns one row for each subject it
looked at, with
- `subject`: the thing in Kafka's own writing (`orders`, `orders-3`, `broker 2`, `node 3`);
- `is_hit`: something is wrong;
- `is_known`: everything the judgement rests on was seen by this snapshot; else the finding stays as it was;
- `evidence`: a struct of the standing facts, no moving numbers.
Subjects it does not return are fine. Beside the function stand SEVERITY, REMEDY (one sentence, the first step)
and RUNBOOK (Markdown: what it means, what to do, what not to do).
"""

from dataclasses import dataclass
from types import ModuleType
from typing import Any

from jobs import checks
from jobs.discovery import modules

COLUMNS = ("subject", "is_hit", "is_known", "evidence")


@dataclass(frozen=True)
class Check:
    """A check as it is discovered."""

    check_id: str
    severity: str
    remedy: str
    runbook: str
    judge: Any


def all_checks() -> list[Check]:
    """Every check, by id."""
    return [_check(module) for module in modules(checks) if hasattr(module, "RUNBOOK")]


def _check(module: ModuleType) -> Check:
    name = module.__name__.rpartition(".")[2]
    return Check(
        name.replace("_", "-"), module.SEVERITY, module.REMEDY, module.RUNBOOK, getattr(module, name)
    )
