"""`varve sql`: where the statement comes from, where the rows go, and what it keeps in memory."""

import json
import os
import pty
import select
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

Varve = Callable[..., Any]
FIRST = "20261121T000000Z"
VARVE = str(Path(sys.executable).with_name("varve"))

pytestmark = pytest.mark.usefixtures("written")


@pytest.fixture
def piped(config: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    def call(text: str, *words: str) -> subprocess.CompletedProcess[str]:
        env = os.environ | {"VARVE_CONFIG": str(config)}
        return subprocess.run(
            [VARVE, *words], input=text, env=env, capture_output=True, text=True, timeout=60, check=False
        )

    return call


def test_a_statement_comes_from_stdin_where_none_is_written(piped: Any) -> None:
    ended = piped("SELECT topic\nFROM topics;\n", "sql", "--format", "csv")
    assert (ended.returncode, ended.stdout) == (0, "topic\na\n")
    ended = piped(" \n", "sql")
    assert (ended.returncode, ended.stdout) == (2, "")
    assert ended.stderr.startswith("error: There is nothing to ask")


def test_parquet_goes_to_a_file_with_the_types_of_the_columns(varve: Varve, tmp_path: Path) -> None:
    output = tmp_path / "topics.parquet"
    output.write_text("what was there before")
    query = "SELECT topic, partitions, changed_at, [1] AS many, 1 AS x, 2 AS x FROM topics"
    ended = varve("sql", query, "--format", "parquet", "--output", str(output))
    assert (ended.code, ended.out) == (0, f"1 rows in {output}\n")
    assert "as of 2026-11-21 00:10:05Z" in ended.err
    table = pq.read_table(output)
    assert table.schema.names == ["topic", "partitions", "changed_at", "many", "x", "x_1"]
    assert [str(of) for of in table.schema.types[:2]] == ["string", "int32"]
    assert table.column("partitions").to_pylist() == [1]
    assert sorted(each.name for each in tmp_path.iterdir() if each.is_file()) == [
        "topics.parquet",
        "varve.yaml",
    ]


@pytest.mark.parametrize(
    ("query", "complaint"),
    [
        ("SELECT (CASE WHEN range = 9000 THEN 'a' ELSE '1' END)::INT FROM range(10000)", "Could not convert"),
        ("SELECT INTERVAL 1 DAY", "Parquet cannot hold a value of this query"),
        ("SELECT * FROM topicz", "did you mean topics"),
        ("COPY topics TO 'x'", "Only one SELECT"),
    ],
)
def test_a_parquet_file_is_there_whole_or_not_at_all(
    varve: Varve, tmp_path: Path, query: str, complaint: str
) -> None:
    ended = varve("sql", query, "--format", "parquet", "--output", str(tmp_path / "x.parquet"))
    assert (ended.code, ended.out) == (2, "")
    assert complaint in ended.err
    assert [each.name for each in tmp_path.iterdir() if each.is_file()] == ["varve.yaml"]


@pytest.mark.parametrize("words", [["--format", "parquet"], ["--output", "x.parquet"]])
def test_parquet_and_a_file_belong_together(varve: Varve, words: list[str]) -> None:
    ended = varve("sql", "SELECT 1", *words)
    assert (ended.code, ended.out) == (2, "")
    assert "--format parquet --output FILE" in ended.err


@pytest.mark.parametrize("form", ["csv", "json", "parquet"])
def test_a_large_answer_is_never_in_memory_whole(config: Path, tmp_path: Path, form: str) -> None:
    def peak(rows: int) -> int:
        query = f"SELECT i, repeat('x', 3000) AS text FROM range({rows}) AS r(i)"
        words = [VARVE, "sql", query, "--format", form]
        words += ["--output", str(tmp_path / "large.parquet")] if form == "parquet" else []
        with (
            (tmp_path / "out").open("w") as out,
            subprocess.Popen(
                words, env=os.environ | {"VARVE_CONFIG": str(config)}, stdout=out, stderr=subprocess.DEVNULL
            ) as called,
        ):
            _, status, used = os.wait4(called.pid, 0)
            called.returncode = os.waitstatus_to_exitcode(status)
        assert called.returncode == 0
        return used.ru_maxrss * 1024

    small, large = peak(1_000), peak(50_000)
    assert large - small < 60_000_000  # of 150 MB


def test_an_answer_is_still_one_json_array_over_many_parts(varve: Varve) -> None:
    ended = varve("sql", "SELECT range AS i FROM range(5000)", "--format", "json")
    assert [row["i"] for row in json.loads(ended.out)] == list(range(5000))
    assert json.loads(varve("sql", "SELECT 1 WHERE false", "--format", "json").out) == []


class Terminal:
    """A terminal with `varve sql` on it."""

    def __init__(self, config: Path, home: Path) -> None:
        self._ours, its = pty.openpty()
        env = os.environ | {"VARVE_CONFIG": str(config), "HOME": str(home), "TERM": "dumb"}
        self._called = subprocess.Popen(
            [VARVE, "sql", "--cluster", "orders"], stdin=its, stdout=its, stderr=its, env=env
        )
        os.close(its)
        self.shown = ""

    def type(self, text: str, until: str) -> str:
        """What is shown from then on until a text comes."""
        os.write(self._ours, text.encode())
        return self.wait_for(until)

    def wait_for(self, until: str) -> str:
        shown, end = "", time.monotonic() + 30
        while until not in shown and time.monotonic() < end:
            ready, _, _ = select.select([self._ours], [], [], 1)
            try:
                shown += "" if not ready else os.read(self._ours, 65_536).decode()
            except OSError:  # Linux says so when the other end is closed
                break
        assert until in shown, shown
        return shown

    def leave(self) -> int:
        os.write(self._ours, b"\x04")
        code = self._called.wait(30)
        os.close(self._ours)
        return code


def test_a_prompt_completes_names_answers_says_what_is_wrong_and_remembers(
    config: Path, tmp_path: Path
) -> None:
    terminal = Terminal(config, tmp_path)
    terminal.wait_for("varve> ")
    terminal.type("SELECT topic FROM topics_hi\t", "topics_history")
    answer = terminal.type("\nWHERE true;\n", "varve> ")
    assert "as of 2026-11-21 00:10:05Z" in answer
    wrong = terminal.type("SELECT 1 FROM topicz;\n", "varve> ")
    assert "error: There is no table 'topicz' in the lake: did you mean topics" in wrong
    assert "Only one SELECT" in terminal.type("COPY topics TO 'x';\n", "varve> ")
    assert terminal.leave() == 0
    assert (tmp_path / ".varve_history").read_text().splitlines()[-2:] == [
        "SELECT 1 FROM topicz;",
        "COPY topics TO 'x';",
    ]
    again = Terminal(config, tmp_path)
    again.wait_for("varve> ")
    assert "COPY topics" in again.type("\x1b[A", "COPY topics TO 'x';")
    again.type(" \n", "varve> ")
    assert again.leave() == 0


def test_a_view_is_told_as_plain_sql_for_other_engines(varve: Varve) -> None:
    ended = varve("sql", "--explain-view", "topics_history")
    assert ended.code == 0
    assert ended.out.startswith('SELECT cluster, "topic", ')
    assert 'lead(changed_at) OVER (PARTITION BY "topic" ORDER BY written_by) AS valid_to' in ended.out
    assert "FROM topics" in ended.out
    assert varve("sql", "--explain-view", "topicss").code == 2


@pytest.mark.usefixtures("spark")
def test_spark_answers_in_the_same_form(varve: Varve, tmp_path: Path) -> None:
    query = "SELECT topic, partitions, changed_at FROM topics ORDER BY topic"
    for form in ("table", "json", "csv"):
        of_duckdb, of_spark = (
            varve("sql", query, "--format", form, "--engine", engine) for engine in ("duckdb", "spark")
        )
        assert of_spark.out == of_duckdb.out
        assert of_spark.code == 0
    assert "as of 2026-11-21 00:10:05Z" in of_spark.err
    assert "no snapshot of billing yet" in of_spark.err
    output = tmp_path / "topics.parquet"
    ended = varve("sql", query, "--engine", "spark", "--format", "parquet", "--output", str(output))
    assert (ended.code, ended.out) == (0, f"1 rows in {output}\n")
    assert [str(of) for of in pq.read_schema(output).types] == ["string", "int32", "timestamp[us, tz=UTC]"]
    ended = varve(
        "sql", "SELECT count(*) AS c FROM findings", "--at", FIRST, "--engine", "spark", "--format", "csv"
    )
    assert (ended.code, ended.out) == (0, "c\n0\n")
    ended = varve("sql", "DROP VIEW topics", "--engine", "spark")
    assert (ended.code, ended.out) == (2, "")
    assert "Spark answers one query at a time" in ended.err
