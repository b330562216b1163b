"""What varve.yaml says of a cluster's findings: which of them nobody is to be told of, and what a check goes by."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, time
from typing import Annotated, Any

from pydantic import AfterValidator, BaseModel, ConfigDict, Field
from pydantic_core import PydanticCustomError

from jobs.checks.parts.check import all_checks, check_ids


def _a_check(check_id: str) -> str:
    if check_id not in check_ids():
        raise ValueError(f"there is no check {check_id!r}; there are {', '.join(check_ids())}")
    return check_id


CheckId = Annotated[str, AfterValidator(_a_check)]
Thresholds = dict[CheckId, dict[str, Any]]
"""For each check the values that it goes by instead of its own."""


_KINDS: dict[type, str] = {int: "whole number", float: "number", bool: "true or false"}


class IgnoreRule(BaseModel):
    """Findings of a check that are expected: they stay in the lake, and count for no alarm until the day begins (UTC).

    In `subject` a `*` stands for any text and a `?` for one character.
    """

    model_config = ConfigDict(extra="forbid")

    check: CheckId
    subject: str = Field(default="*", min_length=1)
    until: date
    why: str = Field(min_length=1)

    @property
    def ends_at(self) -> datetime:
        """From then on its findings count again."""
        return datetime.combine(self.until, time(), UTC)


@dataclass(frozen=True)
class Rules:
    """How the findings of one cluster are judged."""

    ignore: tuple[IgnoreRule, ...] = ()
    thresholds: Mapping[str, Mapping[str, object]] = field(default_factory=dict)


def check_thresholds(thresholds: Thresholds) -> Thresholds:
    """The thresholds as they were given. Raises where a check has none of that name, or it is of another type."""
    values = {check.check_id: check.thresholds for check in all_checks()} if thresholds else {}
    for check_id, given in thresholds.items():
        for name, value in given.items():
            if wrong := _wrong(values[check_id], name, value):
                raise PydanticCustomError("threshold", "{said}", {"said": wrong, "at": (check_id, name)})
    return thresholds


def _wrong(known: Mapping[str, object], name: str, value: object) -> str:
    if name not in known:
        return f"the check has no such threshold; it has {', '.join(known) or 'none'}"
    kind = int if known[name] is None else type(known[name])
    legal = (float, int) if kind is float else (kind,)
    return "" if type(value) in legal else f"{value!r} is no {_KINDS[kind]}"
