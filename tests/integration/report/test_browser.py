"""The report in a real browser, opened from disk."""

import shutil
import subprocess
from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest

from jobs.incidents.finding import Finding
from jobs.incidents.happened import Happened
from jobs.incidents.incident import Incident
from jobs.lake.commits import AsOf
from jobs.report.content import (
    Broker,
    Content,
    Counts,
    Event,
    Leads,
    Past,
    Progress,
    Snapshot,
    Trouble,
)
from jobs.report.report import render
from schemas.snapshots import Gap, GapReason

HOSTILE = (
    "\"></title></style><script>document.title='ran'</script><img src=http://127.0.0.1:9/x onerror=alert(1)>"
)
BEFORE = datetime(2026, 11, 21, 0, 10, 5, tzinfo=UTC)
NOW = BEFORE + timedelta(minutes=10)

Browse = Callable[[str], tuple[str, list[str]]]


@pytest.fixture(scope="module")
def browse(tmp_path_factory: pytest.TempPathFactory) -> Browse:
    """`browse(html)`: the page's DOM after it was loaded, and what the browser complained of."""
    chromium = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
    if chromium is None:
        pytest.skip("no browser to look at the report with: install one, such as apt-get install chromium")
    words = (
        "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
        "--disable-component-update --disable-sync --enable-logging=stderr --dump-dom"
    )

    def load(html: str) -> tuple[str, list[str]]:
        folder = tmp_path_factory.mktemp("browser")
        page = folder / "report.html"
        page.write_text(html, encoding="utf-8")
        command = [chromium, *words.split(), f"--user-data-dir={folder / 'profile'}", page.as_uri()]
        ended = subprocess.run(command, capture_output=True, text=True, timeout=180, check=True)
        return ended.stdout, [line for line in ended.stderr.splitlines() if "CONSOLE" in line]

    return load


def _finding(check_id: str, cause: str | None) -> Finding:
    about = {"cluster": "orders", "severity": "critical", "check_id": check_id, "subject": HOSTILE}
    explained = {
        "cause_check_id": cause,
        "cause_subject": cause and HOSTILE,
        "became": None,
        "ignored": cause and HOSTILE,
    }
    return Finding(
        **about,
        **explained,
        status="open",
        life="back again",
        was_resolved_at=BEFORE,
        worsened_at=None,
        first_seen_at=BEFORE,
        not_seen_since=NOW,
        evidence=HOSTILE,
        remedy=HOSTILE,
    )


@pytest.fixture(scope="module")
def report() -> str:
    """Two snapshots of a cluster in which every word somebody else chose is hostile."""
    snapshot = Snapshot("20261121T002000Z", NOW, "partial", [], "0.1.0")
    incident = Incident(
        (_finding("offline-partition", None),),
        explained=(_finding("under-replicated-partition", "offline-partition"),),
        was=_finding(HOSTILE, None),
        before=(Happened(HOSTILE, 1, HOSTILE, HOSTILE, HOSTILE, HOSTILE),),
    )
    event = Event(HOSTILE, HOSTILE, HOSTILE, HOSTILE, HOSTILE, 1, BEFORE, NOW, 1)
    content = Content(
        as_of=AsOf(
            "orders",
            snapshot.snapshot_id,
            NOW,
            "partial",
            (("zookeeper", Gap(HOSTILE, GapReason.UNREADABLE, HOSTILE)),),
        ),
        snapshot=snapshot,
        before=snapshot._replace(captured_at=BEFORE),
        counts=Counts(topics=1, partitions=1, brokers=1, members=0),
        incidents=[incident],
        resolved=[],
        ignored=[],
        events=[[event]],
        last_events=[event],
        expectations=[],
        brokers=[Broker(1, True, True, None, [HOSTILE], HOSTILE, BEFORE, 1, 1, 0, HOSTILE)],
        controller=None,
        members=[],
        past=Past(
            trouble=[Trouble(BEFORE, 0, 0), Trouble(NOW, 1, 0)],
            leads=[Leads(BEFORE, 1, 1), Leads(NOW, 1, 0)],
            terms=[],
            progress=[Progress(at, 1, each, 1, 5) for each in (HOSTILE, "a") for at in (BEFORE, NOW)],
        ),
    )
    return render(content, NOW, {})


def test_the_browser_has_nothing_to_complain_of_and_shows_hostile_words_as_text(
    browse: Browse, report: str
) -> None:
    dom, complaints = browse(report)

    assert complaints == []
    assert "<title>orders · Varve report</title>" in dom
    assert "&lt;script&gt;document.title='ran'&lt;/script&gt;" in dom
    assert "<script" not in dom
    assert "<img" not in dom
    assert dom.count("<svg ") == 4


def test_were_something_to_slip_through_the_page_would_not_run_or_fetch_it(
    browse: Browse, report: str
) -> None:
    slipped = "<script>document.title='ran'</script><img src='http://127.0.0.1:9/x'>"
    dom, complaints = browse(report.replace("<h2>Incidents</h2>", slipped))

    assert "<title>orders · Varve report</title>" in dom
    assert len([line for line in complaints if "Content Security Policy" in line]) == 2
