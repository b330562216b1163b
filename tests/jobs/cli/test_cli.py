"""The command line as a whole: its words, its exit codes, its errors, and what it does not import."""

import re
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import pytest
import typer

from jobs.cli import parse

Varve = Callable[..., Any]
COMMANDS = (
    "collect",
    "demo",
    "diff",
    "doctor",
    "events",
    "findings",
    "history",
    "import",
    "init",
    "maintain",
    "plan",
    "process",
    "report",
    "snapshot",
    "sql",
    "status",
)


def test_help_names_every_command(varve: Varve) -> None:
    ended = varve("--help")
    assert ended.code == 0
    assert all(re.search(rf"│ {command} ", ended.out) for command in COMMANDS)


def test_the_version_is_told(varve: Varve) -> None:
    assert varve("--version") == (0, "varve 0.1.0\n", "")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_explains_itself(varve: Varve, command: str) -> None:
    assert varve(command, "--help").code == 0


def test_no_words_show_the_help(varve: Varve) -> None:
    assert "Usage: varve" in varve().out


@pytest.mark.parametrize(
    "words",
    [
        ["nonsense"],
        ["sql"],
        ["sql", "SELECT 1", "--format", "xml"],
        ["findings", "--fail-on", "terrible"],
        ["collect", "orders"],
        ["status", "--cluster", "no-such-cluster"],
        ["collect", "orders", "kafka"],
        ["collect", "orders", "zookeeper", "--snapshot-id", "yesterday"],
        ["collect", "orders", "zookeeper", "--snapshot-id", "20991121T000000Z"],
        ["sql", "SELECT 1", "--at", "yesterday"],
        ["snapshot", "--abandon", "20261121T000000Z"],
        ["process", "orders"],
        ["--config", "/not/there.yaml", "status"],
    ],
)
def test_wrong_words_end_with_2_and_one_message(varve: Varve, words: list[str]) -> None:
    ended = varve(*words)
    assert (ended.code, ended.out) == (2, "")
    assert ended.err
    assert "Traceback" not in ended.err


def test_a_wrong_settings_file_is_named_with_its_line(varve: Varve, lake: Any) -> None:
    wrong = lake.root.parent / "wrong.yaml"
    wrong.write_text("lake: ./lake\nclusters:\n  - name: orders\n    zookeper: {connect: zk}\n")

    ended = varve("--config", str(wrong), "status")
    assert ended.code == 2
    assert f"error: {wrong}, line 4: clusters.0.zookeper: there is no such setting" in ended.err


def test_a_source_that_cannot_be_read_ends_with_1_and_says_why(varve: Varve) -> None:
    ended = varve("collect", "orders", "zookeeper")
    assert (ended.code, ended.out) == (1, "")
    assert re.match(
        r"error: zookeeper of orders could not be read: / \(unreachable\): .*127.0.0.1:1", ended.err
    )


def test_a_part_that_was_not_seen_is_told_and_is_no_failure(varve: Varve, lake: Any) -> None:
    settings = lake.root.parent / "part.yaml"
    there = lake.root.parent / "d0"
    there.mkdir()
    settings.write_text(
        f"lake: ./lake\nclusters: [{{name: part, log_dirs: [{{broker: 1, local: [{there}, /not/there]}}]}}]"
    )
    ended = varve(
        "--config", str(settings), "collect", "part", "log_dirs", "--snapshot-id", "20261121T000000Z"
    )
    assert ended.code == 0
    assert "log_dirs of part landed as 20261121T000000Z" in ended.out
    assert "not seen: /1/not/there (missing)" in ended.err


def test_the_words_of_a_call_can_be_checked_without_running_it() -> None:
    parsed = parse(["--config", "x.yaml", "collect", "orders", "kafka", "--snapshot-id", "20261121T000000Z"])
    assert parsed.params == {"cluster": "orders", "source": "kafka", "snapshot_id": "20261121T000000Z"}
    with pytest.raises(typer.TyperException):
        parse(["collect", "orders", "kafka", "--snapshot", "20261121T000000Z"])


def test_a_folder_that_cannot_be_written_is_one_message(varve: Varve, lake: Any) -> None:
    in_the_way = lake.root.parent / "in-the-way"
    in_the_way.write_text("")
    for folder in (in_the_way, in_the_way / "demo"):
        ended = varve("demo", "--dir", str(folder))
        assert (ended.code, ended.out) == (1, "")
        assert ended.err.startswith(f"error: {folder}: ")
        assert len(ended.err.splitlines()) == 1


@pytest.mark.usefixtures("written")
def test_what_is_committed_or_being_written_cannot_be_given_up(varve: Varve, lake: Any) -> None:
    from jobs.lake.layout import seal_path
    from jobs.landing.order import only_writer

    path = lake.root / seal_path("orders", "20261121T001000Z")
    path.parent.mkdir(parents=True)
    path.write_text('{"sources": [], "missing": []}')
    ended = varve("snapshot", "orders", "--abandon", "20261121T001000Z")
    assert (ended.code, ended.out) == (1, "")
    assert ended.err == (
        "error: Snapshot 20261121T001000Z of orders is committed: it cannot be given up any more\n"
    )
    path.rename(path.with_stem("20261121T002000Z"))
    with only_writer(lake.storage, "orders"):
        ended = varve("snapshot", "orders", "--abandon", "20261121T002000Z")
    assert ended.code == 1
    assert "Another process is writing the lake of orders" in ended.err
    assert not list(path.parent.glob("*.abandoned"))
    assert varve("snapshot", "orders", "--abandon", "20261121T002000Z").code == 0


@pytest.mark.usefixtures("written")
def test_what_can_never_be_processed_does_not_wait_for_it(varve: Varve, lake: Any) -> None:
    from jobs.lake.layout import landing_folder, seal_path

    older, given_up = "20261121T000500Z", "20261121T002000Z"
    for snapshot_id in (older, given_up):
        folder = lake.root / landing_folder("orders", "zookeeper", snapshot_id)
        folder.mkdir(parents=True)
        (folder / "manifest.json").write_text("{}")
    seal = lake.root / seal_path("orders", given_up)
    seal.parent.mkdir(parents=True)
    seal.with_suffix(".abandoned").touch()
    ended = varve("process", "orders")
    assert (ended.code, ended.out) == (2, "")
    assert ended.err == (
        "error: Nothing of orders waits to be processed: run varve collect orders SOURCE first\n"
    )


def test_each_of_several_clusters_has_a_failure_of_its_own(varve: Varve) -> None:
    ended = varve("process", "--all")
    assert (ended.code, ended.out) == (1, "")
    assert "orders: Nothing of orders waits" in ended.err
    assert "billing: Nothing of billing waits" in ended.err
    for words in (["process"], ["process", "orders", "--all"]):
        assert varve(*words).err == "error: Name the clusters to process, or give --all\n"


def test_a_lake_without_a_snapshot_says_what_to_do(varve: Varve) -> None:
    ended = varve("sql", "SELECT 1")
    assert (ended.code, ended.out) == (2, "")
    assert "no snapshot of orders, billing yet: run varve snapshot" in ended.err


@pytest.mark.usefixtures("written", "config")
def test_sql_and_help_import_no_spark_no_client_and_no_data_frame() -> None:
    slow = "pyspark delta kazoo kafka pandas pyarrow numpy great_expectations jinja2 altair airflow"
    code = (
        "import sys; from jobs.cli import main\n"
        "try: main()\nexcept SystemExit: pass\n"
        f"print(sorted(set({slow!r}.split()) & set(sys.modules)), file=sys.stderr)"
    )
    for words in (["--help"], ["--version"], ["sql", "SELECT topic FROM topics"], ["status"], ["findings"]):
        ran = subprocess.run([sys.executable, "-c", code, *words], capture_output=True, text=True, check=True)
        assert ran.stderr.splitlines()[-1] == "[]", words
