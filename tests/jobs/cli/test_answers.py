"""What `varve sql`, `findings` and `status` print, in each form."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

Varve = Callable[..., Any]
SECOND = "20261121T001000Z"

pytestmark = pytest.mark.usefixtures("written")


def test_a_table_says_below_it_as_of_when_it_is_and_what_was_not_seen(varve: Varve) -> None:
    ended = varve("sql", "SELECT topic, partitions, changed_at FROM topics", "--cluster", "orders")

    assert (ended.code, ended.err) == (0, "")
    header, _, row, as_of = ended.out.splitlines()
    assert header.split() == ["topic", "partitions", "changed_at"]
    assert row.split() == ["a", "1", "2026-11-21", "00:00:05Z"]
    assert as_of.startswith("as of 2026-11-21 00:10:05Z (")
    assert as_of.endswith(
        f"ago), snapshot {SECOND} of orders; not seen: zookeeper /config/users (unauthorized)"
    )


def test_json_is_an_array_of_objects_and_the_rest_goes_to_stderr(varve: Varve) -> None:
    ended = varve(
        "sql",
        "SELECT topic, changed_at, 9007199254740993::BIGINT AS big, [1, NULL] AS many, {'a': topic} AS one, "
        "1.5::DECIMAL(3,1) AS exact, 'nan'::DOUBLE AS no_number, is_current, NULL AS nothing FROM topics",
        "--format",
        "json",
    )
    assert json.loads(ended.out) == [
        {
            "topic": "a",
            "changed_at": "2026-11-21T00:00:05Z",
            "big": 9007199254740993,
            "many": [1, None],
            "one": {"a": "a"},
            "exact": 1.5,
            "no_number": None,
            "is_current": True,
            "nothing": None,
        }
    ]
    assert "as of 2026-11-21 00:10:05Z" in ended.err
    assert "no snapshot of billing yet: run varve snapshot billing" in ended.err


def test_json_keeps_both_of_two_columns_with_one_name(varve: Varve) -> None:
    ended = varve("sql", "SELECT 1 AS x, 2 AS x", "--format", "json")
    assert json.loads(ended.out) == [{"x": 1, "x_1": 2}]


def test_csv_has_a_header_and_no_cell_that_a_spreadsheet_takes_for_a_formula(varve: Varve) -> None:
    ended = varve(
        "sql",
        "SELECT '=1+1' AS formula, '-1' AS number, '@x' AS at, -1 AS real_number, 'a,\"b' AS quoted, [1, 2] AS many",
        "--format",
        "csv",
    )
    assert ended.out.splitlines() == [
        "formula,number,at,real_number,quoted,many",
        '\'=1+1,-1,\'@x,-1,"a,""b","[1, 2]"',
    ]


def test_hostile_values_neither_steer_the_terminal_nor_the_tables_markup(varve: Varve) -> None:
    hostile = "SELECT chr(27) || '[31mred' AS escape, '[bold]x[/bold]' AS markup, chr(8238) || 'abc' AS bidi"

    table = varve("sql", hostile).out
    assert "\\x1b[31mred" in table
    assert "[bold]x[/bold]" in table
    assert "\\u202eabc" in table
    for form in ("csv", "json"):
        out = varve("sql", hostile, "--format", form).out
        assert not {"\x1b", "\u202e"} & set(out)


def test_hostile_values_in_an_error_are_escaped(varve: Varve) -> None:
    ended = varve("sql", "SELECT (chr(27) || '[31m')::INTEGER")
    assert ended.code == 2
    assert "\x1b" not in ended.err


def test_no_rows_is_said(varve: Varve) -> None:
    assert "no rows" in varve("sql", "SELECT * FROM topics WHERE topic = 'none'").out


def test_an_earlier_instant_answers_as_of_then(varve: Varve) -> None:
    ended = varve("sql", "SELECT topic FROM topics", "--at", "2026-11-21T01:05+01:00", "--cluster", "orders")
    assert "as of 2026-11-21 00:00:05Z" in ended.out
    assert "not seen" not in ended.out


def test_an_unknown_table_names_the_nearest(varve: Varve) -> None:
    ended = varve("sql", "SELECT * FROM topicz")
    assert ended.code == 2
    assert ended.err.startswith("error: There is no table 'topicz' in the lake: did you mean topics")


def test_findings_shows_the_open_ones_and_all_with_the_resolved(varve: Varve) -> None:
    shown = json.loads(varve("findings", "--format", "json").out)
    assert [(row["check_id"], row["subject"], row["severity"]) for row in shown] == [
        ("leader-imbalance", "broker 2", "warning")
    ]
    assert [row["not_seen_since"] for row in shown] == ["2026-11-21T00:00:05Z"]
    everything = json.loads(varve("findings", "--all", "--format", "json").out)
    assert [row["severity"] for row in everything] == ["critical", "warning"]


def test_findings_ends_with_3_when_an_open_one_is_severe_enough(varve: Varve) -> None:
    assert varve("findings").code == 0
    assert varve("findings", "--fail-on", "info").code == 3
    assert varve("findings", "--fail-on", "warning").code == 3
    assert varve("findings", "--all", "--fail-on", "critical").code == 0


def test_status_has_a_row_per_cluster_with_and_without_a_snapshot(varve: Varve) -> None:
    ended = varve("status", "--format", "json")
    assert ended.code == 0
    orders, billing = json.loads(ended.out)
    assert orders.pop("age").endswith("ago")
    assert orders == {
        "cluster": "orders",
        "snapshot_id": SECOND,
        "captured_at": "2026-11-21T00:10:05Z",
        "status": "partial",
        "critical": 0,
        "warning": 1,
        "info": 0,
        "ignored": 0,
        "not_current": 1,
        "sources": "zookeeper partial, kafka partial",
        "not_seen": "zookeeper /config/users (unauthorized)",
    }
    assert billing["status"] == "no snapshot yet: run varve snapshot billing"
    assert billing["critical"] is None


def test_a_terminal_that_is_too_narrow_shows_each_row_as_lines(on_terminal: Callable[..., list[str]]) -> None:
    lines = on_terminal(40, "sql", "SELECT topic, snapshot_id, changed_at FROM topics")
    assert lines[:3] == [
        "topic        a",
        "snapshot_id  20261121T000000Z",
        "changed_at   2026-11-21 00:00:05Z",
    ]


def test_a_snapshot_ends_with_what_it_brought(config: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from jobs.cli.answer import print_outcome
    from jobs.settings import load_settings

    print_outcome(load_settings(config), "orders")
    told = capsys.readouterr().out.splitlines()
    assert told[0].endswith("not seen: zookeeper /config/users (unauthorized)")
    assert told[1:] == [
        "  events since the snapshot before: 0",
        "  open findings: 1 warning; 1 of them could not be judged now (varve findings --cluster orders)",
    ]


def test_a_report_of_several_clusters_is_written_of_those_that_have_a_snapshot(
    varve: Varve, lake: Any
) -> None:
    ended = varve("report")
    assert ended.code == 1
    assert ended.out.splitlines() == [str(lake.root.parent / "report" / "orders.html")]
    assert ended.err == (f"error: billing: {lake.root} has no snapshot of billing yet: run varve snapshot\n")
