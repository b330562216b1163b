"""An S3 server for tests: moto's, as a process of its own, or the one that VARVE_TEST_S3 names.

VARVE_TEST_S3 is an endpoint such as http://127.0.0.1:7070; the keys of AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY may
create buckets there.
"""

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import HTTPError, URLError
from urllib.request import urlopen
from uuid import uuid4

import boto3
import pytest

from jobs.lab.jvm import Jvm, LabError, wait_until
from jobs.lab.ports import HOST, free_port
from jobs.storage import Bucket

ACCESS_KEY, SECRET_KEY = "a-key-of-the-tests", "a-secret-of-the-tests"


class S3Server:
    """An endpoint with one bucket; each `place` in it is a prefix that nothing else uses."""

    def __init__(self, endpoint: str, log: Path | None = None) -> None:
        self.endpoint = endpoint
        self._log = log
        self.bucket = f"varve-{uuid4().hex[:12]}"
        self.client = boto3.client(
            "s3",
            endpoint_url=endpoint,
            region_name="us-east-1",
            aws_access_key_id=os.environ["LAKE_ACCESS_KEY"],
            aws_secret_access_key=os.environ["LAKE_SECRET_KEY"],
        )
        self.client.create_bucket(Bucket=self.bucket)

    def place(self) -> Bucket:
        return self.named(f"s3://{self.bucket}/{uuid4().hex[:12]}/lake")

    def named(self, url: str) -> Bucket:
        return Bucket(url, self.endpoint, access_key="${LAKE_ACCESS_KEY}", secret_key="${LAKE_SECRET_KEY}")

    def requests(self) -> int:
        """How many requests it answered so far; only the server that the tests started tells."""
        if self._log is None:
            pytest.skip("the S3 server that VARVE_TEST_S3 names does not tell how many requests it answered")
        return self._log.read_text(encoding="utf-8").count(" HTTP/1.1")

    def storage_settings(self) -> str:
        """The setting `storage` in varve.yaml."""
        return (
            f"storage: {{endpoint: '{self.endpoint}', access_key: '${{LAKE_ACCESS_KEY}}', "
            "secret_key: '${LAKE_SECRET_KEY}'}\n"
        )


@contextmanager
def s3_server(folder: Path) -> Iterator[S3Server]:
    """The server, started where none is named. The keys are in LAKE_ACCESS_KEY and LAKE_SECRET_KEY from then on."""
    if named := os.environ.get("VARVE_TEST_S3"):
        os.environ["LAKE_ACCESS_KEY"] = os.environ["AWS_ACCESS_KEY_ID"]
        os.environ["LAKE_SECRET_KEY"] = os.environ["AWS_SECRET_ACCESS_KEY"]
        yield S3Server(named)
        return
    os.environ["LAKE_ACCESS_KEY"], os.environ["LAKE_SECRET_KEY"] = ACCESS_KEY, SECRET_KEY
    port = free_port()
    command = [sys.executable, "-m", "tests.moto_server", str(port)]
    server = Jvm("moto", command, folder / "moto.log")
    server.start()
    try:
        wait_until("moto", lambda: _answers(port), [server], timeout_s=30)
        yield S3Server(f"http://{HOST}:{port}", server.log)
    finally:
        server.kill()


def _answers(port: int) -> bool:
    try:
        with urlopen(f"http://{HOST}:{port}/moto-api/data.json", timeout=2):
            return True
    except HTTPError:
        return True
    except (URLError, OSError) as error:
        raise LabError(str(error)) from error
