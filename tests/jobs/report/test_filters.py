"""Values as people read them."""

from datetime import UTC, datetime, timedelta

import pytest

from jobs.report.filters import counted, facts, instant, markdown, remedy, shown, span, title

NOON = datetime(2026, 11, 21, 12, 0, 5, tzinfo=UTC)


def test_an_instant_is_in_utc_whatever_its_zone() -> None:
    assert instant(NOON) == "2026-11-21 12:00:05 UTC"
    assert instant(datetime.fromisoformat("2026-11-21T13:00:05+01:00")) == "2026-11-21 12:00:05 UTC"


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0, "0 seconds"), (1, "1 second"), (119, "119 seconds"), (120, "2 minutes"), (8_000, "2 hours")],
)
def test_a_span_is_in_the_largest_unit_of_which_there_are_two(seconds: int, said: str) -> None:
    assert span(NOON, NOON + timedelta(seconds=seconds)) == said


def test_a_span_that_goes_back_is_no_time_at_all() -> None:
    assert span(NOON, NOON - timedelta(seconds=9)) == "0 seconds"


def test_counts_have_their_thousands_marked() -> None:
    assert counted(1204, "topic") == "1,204 topics"


def test_ids_are_read_as_words() -> None:
    assert [title("topic-id-mismatch"), title("isr-shrank")] == ["Topic id mismatch", "ISR shrank"]


def test_evidence_is_names_and_values() -> None:
    evidence = '{"cluster_topic_id": null, "isr": [], "replicas": [1, 2], "leader": -1, "is_known": true}'
    assert facts(evidence) == [
        ("cluster topic id", "none"),
        ("isr", "none"),
        ("replicas", "1, 2"),
        ("leader", "-1"),
        ("is known", "true"),
    ]


def test_evidence_that_is_no_object_is_shown_as_it_is() -> None:
    assert facts("{broken") == [("evidence", "{broken")]
    assert facts("[1]") == [("evidence", "[1]")]


def test_what_a_reader_would_not_see_is_written_out() -> None:
    assert shown("a\u202eb\x00c") == "a\\u202eb\\x00c"
    assert shown("größe 表") == "größe 表"


def test_a_runbook_has_no_html_and_no_links_of_its_own() -> None:
    html = markdown("1. See **[here](javascript:alert)** <img src=x>\n")
    assert "<strong>" in html
    assert "<a" not in html
    assert "<img" not in html


def test_a_remedy_has_its_commands_as_code_and_nothing_else_of_its_own() -> None:
    assert remedy("Run `varve gate roll` **now** <b>`") == (
        "Run <code>varve gate roll</code> **now** &lt;b&gt;`"
    )
    assert remedy("`<i>\u202e`") == "<code>&lt;i&gt;\\u202e</code>"
