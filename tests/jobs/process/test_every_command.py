"""Every command says the same of a lake in S3 as of one in a folder with the same snapshots."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from jobs.cli import application
from jobs.lake.layout import report_folder
from jobs.settings import Settings, load_settings
from jobs.storage import open_storage
from tests.jobs.process.whole_lake import everything
from tests.s3_server import SECRET_KEY, S3Server

pytestmark = pytest.mark.cluster

DISK = Path(__file__).parents[2] / "data/log_dirs/zookeeper-3.9.1/broker-1-d0"
CLUSTERS = ("orders", "bundled", "disks")
VARVE_YAML = """\
lake: {lake}
{storage}clusters:
  - name: orders
    zookeeper: {{connect: "127.0.0.1:1/kafka_cluster_01", timeout_s: 1}}
    log_dirs: [{{broker: 1, local: [/var/kafka/d0]}}]
  - {{name: bundled, zookeeper: {{connect: "127.0.0.1:1/k", timeout_s: 1}}}}
  - {{name: disks, log_dirs: [{{broker: 1, local: [{disk}]}}]}}
"""
_TOUCHES_NO_LAKE = {"demo", "init"}
_A_WHILE = re.compile(r"\d+ (second|minute|hour|day)s? ago")
_OF_THE_PLACE = re.compile(r'LAKE can be [^"]*|[^"]*[.]yaml: ')
"""What `doctor` says of a lake, and the name of the settings file."""
_INSTANT = re.compile(r"2026-\d\d-\d\d[T ]\d\d:\d\d:\d\d(\.\d+)?Z?")


class Told:
    """The lakes after every command, in S3 and in a folder, and what each call gave."""

    def __init__(self, in_s3: Settings, in_folder: Settings, said: list[list[Any]]) -> None:
        self.in_s3, self.in_folder = in_s3, in_folder
        self.of_s3, self.of_folder = said


@pytest.fixture(scope="module")
def told(s3: S3Server, tmp_path_factory: pytest.TempPathFactory) -> Told:
    home = tmp_path_factory.mktemp("every")
    shutil.copytree(DISK, home / "d0")
    files = home / "s3.yaml", home / "folder.yaml"
    for path, lake, storage in zip(
        files, (s3.place(), "./folder/lake"), (s3.storage_settings(), ""), strict=True
    ):
        path.write_text(VARVE_YAML.format(lake=lake, storage=storage, disk=home / "d0"))
    ended = subprocess.run(
        [sys.executable, "-m", "tests.jobs.process.every_command", *map(str, files)],
        capture_output=True,
        text=True,
        timeout=1800,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
    assert SECRET_KEY not in ended.stdout + ended.stderr
    said = json.loads(ended.stdout.splitlines()[-1])
    return Told(load_settings(files[0]), load_settings(files[1]), said)


def test_every_command_that_touches_the_lake_is_called(told: Told) -> None:
    called = {words[0] for words, *_ in told.of_s3}
    assert called | _TOUCHES_NO_LAKE == {
        (command.name or command.callback.__name__) for command in application().registered_commands
    }


def test_every_call_ends_and_answers_as_on_a_folder(told: Told) -> None:
    assert len(told.of_s3) == len(told.of_folder) > 50
    for in_s3, in_folder in zip(told.of_s3, told.of_folder, strict=True):
        assert _same(in_s3, told.in_s3) == _same(in_folder, told.in_folder)


def test_every_call_that_is_not_refused_for_what_it_asks_ends_well(told: Told) -> None:
    refused = [(" ".join(words), code) for words, code, *_ in told.of_s3 if code]
    assert refused == [
        ("dismiss orders /2", 2),
        ("process orders", 2),
        ("snapshot disks --abandon 20261121T142000Z", 1),
        ("findings --cluster orders --fail-on warning", 3),
        ("gate roll --cluster orders", 3),
        ("gate controller-move --cluster orders --format json", 3),
        ("gate migrate --cluster orders --max-age 9999h", 3),
        ("doctor --format json", 1),
    ]


@pytest.mark.parametrize("cluster", CLUSTERS)
def test_the_lakes_hold_the_same_rows(told: Told, cluster: str) -> None:
    of_s3, of_folder = everything(told.in_s3, cluster), everything(told.in_folder, cluster)
    assert of_s3["snapshots"]
    if cluster != "disks":
        assert of_s3 == of_folder
    # Its disk was read at two times.
    assert {name: len(rows) for name, rows in of_s3.items()} == {
        name: len(rows) for name, rows in of_folder.items()
    }


def test_a_browser_shows_the_report_that_lies_in_the_store(told: Told, s3: S3Server) -> None:
    key = f"{report_folder(told.in_s3.lake)}/orders.html".removeprefix(f"s3://{s3.bucket}/")
    assert s3.client.head_object(Bucket=s3.bucket, Key=key)["ContentType"] == "text/html"


def test_the_reports_are_the_same(told: Told) -> None:
    pages = [
        open_storage(report_folder(each.lake)).read("orders.html") or b""
        for each in (told.in_s3, told.in_folder)
    ]
    of_s3, of_folder = (_INSTANT.sub("T", _A_WHILE.sub("a while ago", page.decode())) for page in pages)
    assert "under-replicated-partition" in of_s3
    assert of_s3 == of_folder


def _same(said: list[Any], settings: Settings) -> list[Any]:
    """What a call gave, without what two lakes cannot have in common: where they are, and when that was."""
    words, code, *written = said
    places = (str(report_folder(settings.lake)), "REPORT"), (str(settings.lake), "LAKE")
    for place, name in places:
        written = [text.replace(place, name) for text in written]
    said = [_without_moments(text) for text in written]
    return [words, code, *(_OF_THE_PLACE.sub("", each) for each in said)]


def _without_moments(text: str) -> str:
    """And without how wide a column of ages is."""
    return " ".join(_INSTANT.sub("T", _A_WHILE.sub("a while ago", text)).replace("─", "").split())
