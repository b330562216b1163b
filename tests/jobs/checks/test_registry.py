"""What every check has, however it was added."""

import re
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

from jobs import checks
from jobs.checks.parts.check import Check, all_checks, runbooks
from schemas.judgement import Severity

LONELY = """
from jobs.checks.parts.check import Check
from schemas.judgement import Severity

CHECK = Check(__file__, severity=Severity.INFO, remedy={remedy!r}, judge="SELECT topic AS subject FROM topics")
"""

Write = Callable[..., ModuleType]


@pytest.fixture
def write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Write:
    """Writes a check and its page, and imports it."""

    def imported(remedy: str = "Look at it.", page: str | None = "Do not panic.\n") -> ModuleType:
        (tmp_path / "lonely_check.py").write_text(LONELY.format(remedy=remedy))
        if page is not None:
            (tmp_path / "lonely_check.md").write_text(page)
        monkeypatch.syspath_prepend(tmp_path)
        monkeypatch.delitem(sys.modules, "lonely_check", raising=False)
        return import_module("lonely_check")

    return imported


def test_the_checks_are_discovered() -> None:
    files = Path(checks.__path__[0]).glob("[a-z]*.py")
    found = [check.check_id for check in all_checks()]
    assert found == sorted(file.stem.replace("_", "-") for file in files)
    assert {"ghost-observer", "malformed-metadata", "topic-id-mismatch"} <= set(found)


@pytest.mark.parametrize("check", all_checks(), ids=lambda check: check.check_id)
def test_a_check_has_a_severity_a_remedy_a_runbook_and_a_test(check: Check) -> None:
    assert check.severity in tuple(Severity)
    assert check.remedy.endswith(".")
    assert "do not" in check.runbook.lower().replace("*", "")
    test = Path(__file__).with_name(f"test_{check.check_id.replace('-', '_')}.py")
    assert test.exists(), f"write {test.name} with a hit, a near miss and an unknown"


def test_a_check_takes_its_id_and_its_runbook_from_where_it_stands(write: Write) -> None:
    check = write().CHECK
    assert (check.check_id, check.runbook) == ("lonely-check", "Do not panic.")


def test_a_check_without_a_runbook_or_a_remedy_cannot_be_built(write: Write) -> None:
    with pytest.raises(ValueError, match=r"lonely-check has no runbook: write it to .*lonely_check\.md"):
        write(page=None)
    with pytest.raises(ValueError, match="lonely-check has no runbook"):
        write(page=" \n")
    with pytest.raises(ValueError, match="lonely-check has no remedy"):
        write(remedy="")


def test_a_module_that_forgot_its_check_is_an_error_and_not_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "jobs.checks.forgetful", None)
    monkeypatch.delitem(sys.modules, "jobs.checks.forgetful")
    (tmp_path / "forgetful.py").write_text("JUDGE = 'SELECT topic AS subject FROM topics'\n")
    monkeypatch.setattr(checks, "__path__", [*checks.__path__, str(tmp_path)])
    with pytest.raises(ValueError, match=r"jobs\.checks\.forgetful holds no check: set CHECK = Check"):
        all_checks()


def test_a_runbook_names_only_checks_that_exist() -> None:
    known = {check.check_id for check in all_checks()}
    words = {word for text in runbooks().values() for word in re.findall(r"`([a-z]+(?:-[a-z]+)+)`", text)}
    tools = {
        "leader-epoch-checkpoint",
        "remove-controller",
        "add-controller",
        "kafka-topics",
        "replication-offset-checkpoint",
    }
    assert words - tools <= known
