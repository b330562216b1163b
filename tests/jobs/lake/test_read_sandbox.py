"""SQL over the lake can read the lake and can do nothing else."""

from collections.abc import Callable
from typing import Any

import pytest

from jobs.errors import UsageError
from jobs.lake.read import Answer, open_reader

FIRST = "20261121T000000Z"

Ask = Callable[[str], Answer]


@pytest.fixture
def written(lake: Any) -> Any:
    lake.change("topics", FIRST, "keyframe", FIRST, topic="a", partitions=1)
    lake.commit(FIRST)
    return lake


@pytest.fixture
def ask(written: Any) -> Ask:
    return open_reader(written.storage, ["orders"]).query


@pytest.mark.parametrize(
    "sql",
    [
        "COPY (SELECT 1) TO '/tmp/varve-never'",
        "COPY topics TO '/tmp/varve-never'",
        "ATTACH '/tmp/varve-never.db'",
        "SET threads = 1",
        "RESET lock_configuration",
        "PRAGMA enable_profiling",
        "INSTALL httpfs",
        "LOAD httpfs",
        "EXPORT DATABASE '/tmp/varve-never'",
        "CREATE TABLE mine (i INTEGER)",
        "INSERT INTO varve.committed VALUES ('orders', 'x', now())",
        "DELETE FROM varve.committed",
        "UPDATE varve.committed SET cluster = ''",
        "DROP VIEW topics",
        "CALL pragma_version()",
        "USE memory",
        "EXPLAIN ANALYZE COPY (SELECT 1) TO '/tmp/varve-never'",
        "SELECT 1; SELECT 2",
        "SELECT 1; DROP VIEW topics",
        "WITH gone AS (DELETE FROM varve.committed RETURNING *) SELECT * FROM gone",
        "",
    ],
)
def test_whatever_is_not_one_select_is_refused(ask: Ask, sql: str) -> None:
    with pytest.raises(UsageError, match="Only one SELECT"):
        ask(sql)


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT * FROM read_text('/etc/passwd')",
        "SELECT * FROM read_csv('/etc/passwd')",
        "SELECT * FROM read_parquet('/etc/passwd')",
        "SELECT * FROM read_text('https://example.com/')",
        "SELECT * FROM glob('/etc/*')",
        "SELECT * FROM sniff_csv('/etc/passwd')",
        "SELECT * FROM parquet_metadata('/etc/passwd')",
    ],
)
def test_no_other_path_can_be_opened(ask: Ask, sql: str) -> None:
    with pytest.raises(UsageError, match="disabled by configuration"):
        ask(sql)


def test_variables_of_the_process_are_not_tables(ask: Ask) -> None:
    secrets = [1]
    with pytest.raises(UsageError, match="no table 'secrets'"):
        ask("SELECT * FROM secrets")
    assert secrets == [1]


def test_a_copy_hidden_in_a_with_clause_cannot_overwrite_the_lakes_own_files(written: Any, ask: Ask) -> None:
    (file,) = (written.root / "orders" / "topics").rglob("*.parquet")
    before = file.read_bytes()
    hidden = f"WITH gone AS (COPY (SELECT 1) TO '{file}' (USE_TMP_FILE false)) SELECT * FROM gone"

    with pytest.raises(UsageError, match="Only one SELECT"):
        ask(f"{hidden} CROSS JOIN topics")
    quoted = hidden.replace("'", "''")
    with pytest.raises(UsageError, match="top level"):
        ask(f"SELECT * FROM query('{quoted}'), topics")
    assert file.read_bytes() == before


@pytest.mark.parametrize(
    ("sql", "rows"),
    [
        ("SELECT topic FROM topics;", [("a",)]),
        ("WITH t AS (SELECT * FROM topics) SELECT count(*) FROM t", [(1,)]),
        ("FROM topics SELECT topic", [("a",)]),
        ("SELECT 'DELETE' UNION SELECT 'DELETE'", [("DELETE",)]),
        (
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 3) SELECT max(i) FROM n",
            [(3,)],
        ),
        ('SELECT topic FROM "TOPICS"', [("a",)]),
    ],
)
def test_whatever_only_reads_is_answered(ask: Ask, sql: str, rows: list[tuple[Any, ...]]) -> None:
    assert ask(sql).rows == rows


def test_an_unknown_table_names_the_nearest_and_how_to_list_them(ask: Ask) -> None:
    with pytest.raises(UsageError, match=r"no table 'topic' .* did you mean topics .*SHOW TABLES") as caught:
        ask("SELECT * FROM topic")
    assert caught.value.exit_code == 2


def test_an_unknown_macro_is_an_unknown_table(ask: Ask) -> None:
    with pytest.raises(UsageError, match="no table 'events_at'"):
        ask("SELECT * FROM events_at('2026-11-21')")


@pytest.mark.parametrize(
    ("sql", "complaint"),
    [
        ("SELEC 1", "syntax error at or near"),
        ("SELECT topik FROM topics", 'Referenced column "topik" not found'),
        ("SELECT topic::INTEGER FROM topics", "Could not convert string 'a' to INT32"),
    ],
)
def test_wrong_sql_is_explained_in_a_line_or_two(ask: Ask, sql: str, complaint: str) -> None:
    with pytest.raises(UsageError) as caught:
        ask(sql)
    assert complaint in str(caught.value)
    assert "LINE 1" not in str(caught.value)
