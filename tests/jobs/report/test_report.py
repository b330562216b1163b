"""The page: what it says, and that nothing in it runs or leads anywhere."""

import re
from collections.abc import Callable
from datetime import UTC, datetime
from html.parser import HTMLParser
from typing import Any

import pytest

from jobs.lake.read import NoSnapshotError
from jobs.report import write_report
from jobs.settings import Settings, load_settings

FIRST, SECOND, THIRD, FOURTH = (f"20261121T00{minute}000Z" for minute in (0, 1, 2, 3))
AT_SECOND, AT_THIRD = (datetime(2026, 11, 21, 0, minute, 5, tzinfo=UTC) for minute in (10, 20))

HOSTILE = (
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    "' onmouseover='alert(1)",
    "</title></style><svg onload=alert(1)>",
    "</summary></details><iframe src=data:text/html,x>",
    "<a href=javascript:alert(1)>",
    "{{ 7 * 7 }}{% raw %}",
    "<!-- ",
    "&lt;b&gt;",
    "\u202egnp.exe\x1b[2J",
)


class Page(HTMLParser):
    """The tags, attributes and text of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: set[str] = set()
        self.attributes: list[tuple[str, str]] = []
        self.words: list[str] = []
        self.feed(html)
        self.text = re.sub(r"\s+", " ", " ".join(self.words))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        self.attributes += [(name, value or "") for name, value in attrs]

    def handle_data(self, data: str) -> None:
        self.words.append(data)


@pytest.fixture
def page_of(report_of: Callable[[Any], str]) -> Callable[[Any], Page]:
    return lambda lake: Page(report_of(lake))


def test_a_lost_broker_is_read_from_top_to_bottom(lost_broker: Any, page_of: Callable[[Any], Page]) -> None:
    text = page_of(lost_broker).text

    said = (
        "1 critical, 1 warning",
        "As of 2026-11-21 00:20:05 UTC , 15 minutes before this report was written.",
        "Partial: 1 gap",
        "/config/users unauthorized No read right",
        "critical Offline partition orders-0 since 11-21 00:20:05, 15 minutes Bring back a broker of the ISR.",
        "Before broker-left broker 2 (PLAINTEXT://b2:9092 → none)",
        "orders-0 11-21 00:20:05 15 minutes leader -1 isr 2 replicas without broker 2",
        "Runbook",
        "warning Under replicated partition 3 since 11-21 00:20:05, 15 minutes Find out why.",
        "payments-2 11-21 00:20:05 15 minutes not seen since 11-21 00:10:05 missing 2",
        "Recently resolved (1)",
        "Between 2026-11-21 00:10:05 UTC and 2026-11-21 00:20:05 UTC :",
        "Broker left 1",
        "broker 2 PLAINTEXT://b2:9092 → \N{EN DASH} 4",
        "The last 4 events",
        "At 2026-11-21 00:20:05 UTC 1 partition offline and 3 under-replicated; "
        "the worst of these 3 snapshots had 1 and 3.",
        "Dashed: a new controller, the last one 3, first seen at 2026-11-21 00:20:05 UTC.",
        "2 not registered 0 4 3",
        "1 of 3 failed.",
        "topic_id is unique critical failed 2 duplicates, such as payments",
        "Tables of which everything holds (1)",
        "zookeeper partial 7 0x63 0 1",
        "Snapshot 20261121T002000Z (partial)",
    )
    places = [text.find(each) for each in said]
    assert -1 not in places, said[places.index(-1)]
    assert places == sorted(places)


def test_what_a_broker_that_is_down_explains_is_folded_below_it(
    healthy: Any, say: Any, page_of: Callable[[Any], Page]
) -> None:
    cause = {"cause_check_id": "broker-down", "cause_subject": "broker 2"}
    say.findings(
        THIRD,
        {"check_id": "broker-down", "subject": "broker 2", "remedy": "Bring it back.", "severity": "warning"},
        *[cause | {"subject": f"orders-{number}"} for number in range(101)],
        {"check_id": "topic-id-latent", "subject": "a", "status": "resolved", "became": "topic-id-mismatch"},
    )
    healthy.commit(THIRD)

    text = page_of(healthy).text
    assert "1 critical As of" in text
    assert (
        "critical Broker down broker 2 since 11-21 00:20:05, 15 minutes Bring it back. Explains 101 offline-partition (orders-0, orders-1, orders-2 and 98 more)"
        in text
    )
    assert "Offline partition 101 Subject" in text
    assert "orders-99 " in text
    assert "orders-100" not in text
    assert "1 more are in the lake" in text
    assert "Bring back a broker of the ISR." not in text
    assert "became topic-id-mismatch" in text


def test_an_event_is_told_with_its_reason(lost_broker: Any, page_of: Callable[[Any], Page]) -> None:
    assert "payments-1 2 → 3 Broker left" in page_of(lost_broker).text


def test_what_is_ignored_is_listed_by_itself_and_what_came_back_says_so(
    healthy: Any, say: Any, page_of: Callable[[Any], Page]
) -> None:
    said = "until 2026-12-01: it is being replaced"
    say.findings(THIRD, {"subject": "audit-0", "ignored": said}, {"was_resolved_at": AT_SECOND})
    healthy.commit(THIRD)

    text = page_of(healthy).text
    assert "1 critical As of" in text
    assert "orders-0 11-21 00:20:05 15 minutes back again" in text
    assert (
        f"Ignored, as varve.yaml says (1) Check Subject Severity First seen (UTC) Ignored Offline partition audit-0 critical 11-21 00:20:05 {said}"
        in text
    )


def test_nothing_wrong_is_said_in_so_many_words(healthy: Any, page_of: Callable[[Any], Page]) -> None:
    text = page_of(healthy).text
    assert "Nothing above info" in text
    assert "Everything was seen." in text
    assert "No finding is open." in text
    assert "00:10:05 UTC nothing happened that the lake tells of." in text
    assert "No expectation was run on any snapshot yet." in text


def test_nothing_wrong_in_part_of_a_cluster_is_not_all_is_well(
    healthy: Any, page_of: Callable[[Any], Page]
) -> None:
    healthy.commit(THIRD, ("zookeeper", "/", "unreachable", "Nobody answers"))
    text = page_of(healthy).text
    assert "Nothing above info in what was seen" in text
    assert "Everything was seen." not in text
    assert text.count(", not seen now") == 3


def test_a_finding_of_info_is_not_above_info(healthy: Any, say: Any, page_of: Callable[[Any], Page]) -> None:
    say.findings(THIRD, {"severity": "info"})
    healthy.commit(THIRD)
    assert "Nothing above info, 1 info" in page_of(healthy).text


def test_expectations_of_an_earlier_snapshot_are_shown_as_such(
    lost_broker: Any, page_of: Callable[[Any], Page]
) -> None:
    lost_broker.commit(FOURTH)
    text = page_of(lost_broker).text
    assert "None was run on this snapshot; the newest are of snapshot 20261121T002000Z." in text
    assert "1 of 3 failed." in text


def test_the_first_snapshot_has_nothing_before_it_and_no_pictures(
    lake: Any, say: Any, page_of: Callable[[Any], Page]
) -> None:
    partition = {"topic": "a", "partition": 0, "replicas": [1], "isr": [1], "leader": 1}
    say.state("partitions", FIRST, "keyframe", partition)
    lake.commit(FIRST)

    page = page_of(lake)
    assert "This is the first snapshot: there is nothing to compare it with." in page.text
    assert "A picture over time needs two snapshots, and this is the first." in page.text
    assert "svg" not in page.tags


def test_a_kraft_cluster_shows_its_quorum(stopped_observer: Any, page_of: Callable[[Any], Page]) -> None:
    text = page_of(stopped_observer).text
    assert "At 2026-11-21 00:30:05 UTC node 2 is furthest behind, by 800 records." in text
    assert "the high watermark is 2,200, 400 more than at the snapshot before." in text
    assert "3000 voter, leader 0 2,200" in text


def test_a_broker_that_a_quorum_does_not_name_may_be_fenced(
    say: Any, stopped_observer: Any, page_of: Callable[[Any], Page]
) -> None:
    held = {"topic": "orders", "partition": 0, "replicas": [2], "isr": [2], "leader": -1}
    say.state("partitions", FIRST, "keyframe", held)
    assert "2 fenced or not registered 0 1 0" in page_of(stopped_observer).text


def test_the_page_allows_nothing_to_be_fetched_or_run(
    lost_broker: Any, report_of: Callable[[Any], str]
) -> None:
    html = report_of(lost_broker)
    page = Page(html)

    policy = (
        "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'"
    )
    assert ("content", policy) in page.attributes
    assert not re.search(r"https?://", html)
    assert not page.tags & {"script", "img", "iframe", "object", "embed", "base", "form"}
    assert {value for name, value in page.attributes if name in ("href", "src")} == {
        "data:,",
        "#not-seen",
        "#findings",
        "#changes",
        "#pictures",
        "#brokers",
        "#expectations",
        "#sources",
    }


def test_hostile_words_anywhere_are_text(healthy: Any, say: Any, page_of: Callable[[Any], Page]) -> None:
    plain = page_of(healthy)
    for words in HOSTILE:
        finding = {"subject": words, "remedy": words, "evidence": {words: [words]}}
        say.findings(THIRD, finding, finding | {"check_id": words, "status": "resolved"})
        say.events(THIRD, {"event": words, "subject": words, "from_value": words, "to_value": words})
        say.results(
            THIRD,
            {
                "expectation": words,
                "observed": words,
                "table_name": words,
                "suite": words,
                "success": False,
            },
        )
    brokers = [
        {"broker_id": 10 + number, "endpoints": [words], "rack": words, "problem": words}
        for number, words in enumerate(HOSTILE)
    ]
    say.state("brokers", THIRD, "create", *brokers)
    members = [
        {"node_id": 1, "directory_id": words, "role": "observer", "endpoints": [words]} for words in HOSTILE
    ]
    say.state("quorum_members", THIRD, "keyframe", *members)
    progress = [
        {"node_id": 1, "directory_id": words, "lag": 1, "high_watermark": 5, "snapshot_id": snapshot}
        | {"captured_at": captured_at, "day": captured_at.date()}
        for words in HOSTILE
        for snapshot, captured_at in ((SECOND, AT_SECOND), (THIRD, AT_THIRD))
    ]
    healthy.append("quorum_progress", progress)
    healthy.commit(THIRD, *[("zookeeper", words, "unreadable", words) for words in HOSTILE])

    page = page_of(healthy)
    of_findings_and_folds = {"article", "h3", "span", "br", "details", "summary", "ol", "ul", "li", "pre"}
    assert page.tags - plain.tags <= of_findings_and_folds
    assert not [name for name, _ in page.attributes if name.startswith("on")]
    assert all(
        value[0] == "#" or value == "data:," for name, value in page.attributes if name in ("href", "src")
    )
    assert all(words in page.text for words in HOSTILE[:-1])
    assert "\\u202egnp.exe\\x1b[2J" in page.text
    assert not {"\u202e", "\x1b"} & set(page.text)


def settings_of(lake: Any) -> Settings:
    path = lake.root.parent / "varve.yaml"
    path.write_text(
        "lake: ./lake\nclusters: [{name: orders, kafka: {bootstrap_servers: 'b1:9092,b2:9092'}}]\n"
    )
    return load_settings(path)


def test_a_runbook_has_the_clusters_addresses_and_what_the_finding_is_about(lost_broker: Any) -> None:
    html = write_report(settings_of(lost_broker), "orders").read_text(encoding="utf-8")
    assert "--bootstrap-server b1:9092,b2:9092" in html
    assert "--topic orders --partition 0" in html
    assert "BOOTSTRAP_SERVERS" not in html


def test_the_report_lies_beside_the_lake_and_replaces_the_one_before(healthy: Any) -> None:
    settings = settings_of(healthy)
    path = write_report(settings, "orders")
    assert path == healthy.root.parent / "report" / "orders.html"

    path.write_text("the old one")
    assert write_report(settings, "orders").read_text(encoding="utf-8").startswith("<!doctype html>")
    assert [each.name for each in path.parent.iterdir()] == ["orders.html"]


def test_without_a_snapshot_there_is_no_report(lake: Any) -> None:
    settings = settings_of(lake)
    with pytest.raises(NoSnapshotError, match="no snapshot of orders yet: run varve snapshot"):
        write_report(settings, "orders")
    assert not (lake.root.parent / "report").exists()
