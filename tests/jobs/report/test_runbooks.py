"""The runbooks are those of the checks, read without Spark."""

import subprocess
import sys

from jobs.checks.parts.check import all_checks, runbooks


def test_every_check_has_its_own_runbook() -> None:
    assert runbooks() == {check.check_id: check.runbook for check in all_checks()}


def test_a_report_imports_neither_spark_nor_great_expectations_nor_a_client() -> None:
    heavy = {"pyspark", "great_expectations", "kafka", "altair", "airflow"}
    script = (
        "import sys; from jobs.report import write_report; from jobs.checks.parts.check import runbooks; "
        f"runbooks(); print(sorted({heavy!r} & set(sys.modules)))"
    )
    ended = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert ended.stdout.strip() == "[]"
