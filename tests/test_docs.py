"""Pages that derive from the code are as the code says, and the README's words exist."""

import re

import pytest

from jobs.docs import ROOT, pages


@pytest.mark.parametrize("path", pages())
def test_a_generated_page_is_fresh(path: str) -> None:
    assert (ROOT / path).read_text(encoding="utf-8") == pages()[path], (
        "run `make docs` and commit what it writes"
    )


@pytest.mark.parametrize(
    "page",
    [
        "README.md",
        "CONTRIBUTING.md",
        "docs/airflow.md",
        "docs/how-it-works.md",
        "docs/production.md",
        "docs/rights.md",
    ],
)
def test_every_link_leads_to_a_file(page: str) -> None:
    text = (ROOT / page).read_text(encoding="utf-8")
    links = [link for link in re.findall(r"\]\(([^)#]+)\)", text) if "://" not in link]
    missing = [link for link in links if not ((ROOT / page).parent / link).exists()]
    assert not missing


def test_the_way_of_a_znode_to_a_finding_is_at_most_thirty_files() -> None:
    way = (ROOT / "docs/how-it-works.md").read_text(encoding="utf-8")
    files = re.findall(r"^\| \[`(jobs/\S+\.py)`\]", way, flags=re.MULTILINE)
    assert {"jobs/sources/zookeeper/walk.py", "jobs/checks/offline_partition.py"} <= set(files)
    assert len(files) == len(set(files)) <= 30


def test_the_commands_of_the_readme_are_targets_of_the_makefile() -> None:
    readme, makefile = ((ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "Makefile"))
    targets = set(re.findall(r"^make (\w+)", readme, flags=re.MULTILINE))
    assert targets == {"demo", "test"}
    assert targets <= set(re.findall(r"^(\w+):", makefile, flags=re.MULTILINE))
