"""Which command of a runbook is run by which test on a real cluster: `python -m tests.page_commands` writes the page."""

import ast
import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from jobs.checks.parts.check import runbooks
from jobs.docs import ROOT

PAGE = ROOT / "docs" / "commands.md"
_ON_REAL_CLUSTERS = ROOT / "tests" / "integration"

_FENCED = re.compile(r"```\w*\n(.*?)```", re.DOTALL)
_IN_LINE = re.compile(r"`([^`]+)`")
_COMMAND = re.compile(r"([a-z-]+\.sh|varve (sql|whatif|gate|plan|history|diff)) .+")

_HEAD = """<!-- Written by `make docs` from the tests. -->
# Commands of the runbooks

Every command of a [runbook](checks.md), and the tests that run it on a real cluster as it stands there, with the cluster's
own addresses. Every script is run so, and a test holds it. Of Varve's own commands those that are.
"""

RUN = ("run", "printed")
"""The methods of `Watched`, in tests/integration/watched.py, that run a command of a page."""

Command = tuple[str, str]
"""The check whose page it is on, and the command as it stands there, in one line."""


def commands(check_id: str) -> list[str]:
    """What is to be typed, by the page of a check: lines of fenced blocks and code in a line, each once."""
    page = runbooks()[check_id]
    fenced = [line for block in _FENCED.findall(page) for line in block.splitlines()]
    in_line = _IN_LINE.findall(_FENCED.sub("", page))
    told = (" ".join(text.split()) for text in [*fenced, *in_line])
    return list(dict.fromkeys(text for text in told if _COMMAND.fullmatch(text)))


def command(check_id: str, words: str) -> str:
    """The command on the page of a check that has these words. Raises ValueError unless it is exactly one."""
    having = [told for told in commands(check_id) if words in told]
    if len(having) != 1:
        raise ValueError(f"{words!r} stands in {having} on the page of {check_id}")
    return having[0]


def is_script(told: str) -> bool:
    """It changes or asks the cluster itself, unlike `varve`."""
    return not told.startswith("varve ")


@cache
def run_by() -> dict[Command, list[tuple[Path, str]]]:
    """The tests that run each command: their files below the root, and what they show."""
    found: dict[Command, list[tuple[Path, str]]] = defaultdict(list)
    for path in sorted(_ON_REAL_CLUSTERS.rglob("test_*.py")):
        for function, check_id, words in _runs(ast.parse(path.read_text(encoding="utf-8"))):
            test = (path.relative_to(ROOT), function.removeprefix("test_").replace("_", " "))
            if test not in (tests := found[check_id, command(check_id, words)]):
                tests.append(test)
    return dict(found)


def page() -> str:
    """The page, in Markdown."""
    shown = [(check_id, told) for check_id in sorted(runbooks()) for told in commands(check_id)]
    rows = [row(*each) for each in shown if is_script(each[1]) or each in run_by()]
    return "\n".join([_HEAD, "| runbook | command | run by |", "|---|---|---|", *rows]) + "\n"


def row(check_id: str, told: str) -> str:
    """The page's row of a command."""
    tests = [f"[{test}](../{path})" for path, test in run_by().get((check_id, told), ())]
    return f"| `{check_id}` | `{told}` | {'<br>'.join(tests) or 'no test'} |"


def _runs(module: ast.Module) -> Iterator[tuple[str, str, str]]:
    """Each `….run("check", "words of a command", …)`, or `printed`: the function that it stands in, and these two."""
    names = _names(module)
    for function in module.body:
        for call in ast.walk(function) if isinstance(function, ast.FunctionDef) else ():
            if isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute) and call.func.attr in RUN:
                told = [
                    _text(names.get(each.id) if isinstance(each, ast.Name) else each) for each in call.args
                ]
                match told[:2]:
                    case [str(check_id), str(words)] if check_id in runbooks():
                        yield function.name, check_id, words


def _names(module: ast.Module) -> dict[str, ast.expr]:
    """What the module's own names stand for, also where several are given at once."""
    given = [
        (target, node.value)
        for node in module.body
        if isinstance(node, ast.Assign)
        for target in node.targets
    ]
    for target, value in list(given):
        if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
            given += zip(target.elts, value.elts, strict=True)
    return {target.id: value for target, value in given if isinstance(target, ast.Name)}


def _text(node: ast.expr | None) -> str | None:
    return node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else None


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
