"""Every runbook has one form, so that a person finds what to do, and what not to do, at the same place."""

import pytest

from jobs.checks.parts.check import runbooks
from jobs.checks.parts.runbook import SECTIONS, complaints

WHOLE = "\n\n".join(f"### {section}\n\nText." for section in SECTIONS)


@pytest.mark.parametrize("check_id", runbooks())
def test_the_page_of_a_check_has_the_form(check_id: str) -> None:
    page = f"jobs/checks/{check_id.replace('-', '_')}.md"
    wrong = complaints(runbooks()[check_id])
    assert not wrong, f"{page}: {'; '.join(wrong)}. CONTRIBUTING.md tells the form"


def test_a_whole_page_is_accepted() -> None:
    assert complaints(WHOLE) == []


@pytest.mark.parametrize(
    ("page", "complaint"),
    [
        (WHOLE.replace("### How sure\n\nText.\n\n", ""), "it lacks ### How sure"),
        (WHOLE.replace("### How sure", "### How certain"), "it has ### How certain"),
        (f"{WHOLE}\n\n#### More\n\nText.", "it has #### More"),
        (
            WHOLE.replace("How sure", "X").replace("Preconditions", "How sure").replace("X", "Preconditions"),
            "in another order",
        ),
        (WHOLE.replace("### How sure\n\nText.", "### How sure"), "nothing stands below ### How sure"),
        (f"Look.\n\n{WHOLE}", "text stands before its first heading: 'Look.'"),
        (
            f"{WHOLE} `kafka-topics.sh --bootstrap-server … --list`",
            "it says '--bootstrap-server …': write one of BOOTSTRAP_SERVERS",
        ),
    ],
)
def test_a_page_that_lacks_something_is_told_what(page: str, complaint: str) -> None:
    assert any(complaint in each for each in complaints(page))
