"""Which test looks for the finding of which check, on a real cluster or on built rows: `python -m tests.recall` writes the page."""

import ast
import re
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from jobs.checks.parts.check import all_checks
from jobs.docs import ROOT
from tests.page_commands import RUN

PAGE = ROOT / "docs" / "recall.md"
_ON_REAL_CLUSTERS = ROOT / "tests" / "integration"
_ON_BUILT_ROWS = ROOT / "tests" / "jobs" / "checks"

_ASKS = re.compile(r"findings|\.found\(")
"""What stands in a file whose tests ask for findings."""

_HEAD = """<!-- Written by `make docs` from the tests. -->
# Recall

Every check, and the tests that bring its state about on a real cluster (the lab starts Kafka itself) and look for the
finding. A check without one is shown on built rows only. Every check has a hit, a near miss and an unknown on built rows
besides.
"""


def on_real_clusters(check_id: str) -> list[tuple[Path, str]]:
    """The tests that start a cluster and name the check: their files below the root, and what they show."""
    return [(path, test) for path, test, names in _tests() if check_id in names]


def on_built_rows(check_id: str) -> Path:
    """The file of the check's own test, below the root."""
    return (_ON_BUILT_ROWS / f"test_{check_id.replace('-', '_')}.py").relative_to(ROOT)


def page() -> str:
    """The page, in Markdown."""
    return "\n".join([_HEAD, "| check | found by |", "|---|---|", *map(row, _ids())]) + "\n"


def row(check_id: str) -> str:
    """The page's row of a check."""
    found = [f"[{test}](../{path})" for path, test in on_real_clusters(check_id)]
    own = on_built_rows(check_id)
    return f"| `{check_id}` | {'<br>'.join(found) or f'built rows: [{own.name}](../{own})'} |"


def _ids() -> list[str]:
    return [check.check_id for check in all_checks()]


def _tests() -> Iterator[tuple[Path, str, set[str]]]:
    known = set(_ids())
    for path in sorted(_ON_REAL_CLUSTERS.rglob("test_*.py")):
        text = path.read_text(encoding="utf-8")
        body = ast.parse(text).body if _ASKS.search(text) else []
        texts = _constants(body)
        for node in body:
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                shows = node.name.removeprefix("test_").replace("_", " ")
                yield path.relative_to(ROOT), shows, known & set(_words(node, texts))


def _constants(body: Iterable[ast.stmt]) -> dict[str, str]:
    """The texts that a module gives a name, by that name."""
    return {
        target.id: node.value.value
        for node in body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        for target in node.targets
        if isinstance(target, ast.Name) and isinstance(node.value.value, str)
    }


def _words(test: ast.FunctionDef, texts: Mapping[str, str]) -> Iterator[str]:
    """The words of its texts, but for those that say nothing of a finding. `texts` are those that its module names."""
    others = {id(text) for node in ast.walk(test) if _is_no_finding(node) for text in ast.walk(node)}
    for node in ast.walk(test):
        if id(node) not in others:
            yield from _text(node, texts).replace("'", " ").replace(",", " ").split()


def _is_no_finding(node: ast.AST) -> bool:
    """It is what a test expects not to be there, or a command of a page that it runs."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node.func.attr in RUN
    return isinstance(node, ast.Compare) and isinstance(node.ops[0], ast.NotIn)


def _text(node: ast.AST, texts: Mapping[str, str]) -> str:
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    return texts.get(node.id, "") if isinstance(node, ast.Name) else ""


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
