"""The runbooks of the checks, read from the modules' text: importing them would import Spark."""

import ast
from importlib.resources import files


def runbooks() -> dict[str, str]:
    """The Markdown of each check's RUNBOOK, by check id."""
    found: dict[str, str] = {}
    for module in files("jobs.checks").iterdir():
        if module.name.endswith(".py") and (text := _runbook(module.read_text(encoding="utf-8"))):
            found[module.name.removesuffix(".py").replace("_", "-")] = text
    return found


def _runbook(source: str) -> str | None:
    for statement in ast.parse(source).body:
        if isinstance(statement, ast.Assign) and ast.unparse(statement.targets[0]) == "RUNBOOK":
            return str(ast.literal_eval(statement.value))
    return None
