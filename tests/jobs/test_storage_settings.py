"""Where the lake lies, as varve.yaml says."""

import pytest

from jobs.storage import Bucket
from tests.jobs.varve_yaml import LEAST, Complaint, Load

STORE = """\
lake: s3://kafka-varve/prod/
storage: {endpoint: "https://minio:9000", access_key: "${LAKE_ACCESS_KEY}", secret_key: "${LAKE_SECRET_KEY}"}
clusters:
  - name: orders
    zookeeper: {connect: "zk1:2181"}
"""


def test_a_lake_in_an_object_store(load: Load) -> None:
    assert load(STORE).lake == Bucket(
        "s3://kafka-varve/prod",
        endpoint="https://minio:9000",
        access_key="${LAKE_ACCESS_KEY}",
        secret_key="${LAKE_SECRET_KEY}",
    )
    assert load(LEAST.replace("./lake", "gs://lakes")).lake == Bucket("gs://lakes")


def test_a_lake_that_is_at_no_place_that_is_known(complaint: Complaint) -> None:
    assert complaint(LEAST.replace("./lake", "s4://bucket/lake")) == (
        "varve.yaml, line 1: lake: 's4://bucket/lake' is no object store that Varve knows: name it as s3://bucket/prefix, "
        "gs://bucket/prefix or abfss://container@account.dfs.core.windows.net/prefix, of letters, digits and . _ - only"
    )
    assert complaint(LEAST.replace("./lake", "file:/lake")) == (
        "varve.yaml, line 1: lake: 'file:/lake' is no folder, and an object store is named as s3://bucket/prefix"
    )
    assert complaint(LEAST.replace("./lake", "7")) == (
        "varve.yaml, line 1: lake: 7 is no place for a lake: name a folder, or s3://bucket/prefix"
    )


@pytest.mark.parametrize(
    ("right", "wrong", "told"),
    [
        (
            '"${LAKE_SECRET_KEY}"',
            "hunter2",
            "line 2: storage.secret_key: a secret is never written here: name an env",
        ),
        (
            ', secret_key: "${LAKE_SECRET_KEY}"',
            "",
            "line 2: storage: has one key of two: give access_key and secret",
        ),
        (
            "https://minio:9000",
            "minio:9000",
            "line 2: storage.endpoint: is no address: name it with http:// or https://",
        ),
        ("endpoint:", "end_point:", "line 2: storage.end_point: there is no such setting"),
        (
            "s3://kafka-varve/prod/",
            "./lake",
            "line 1: lake: is a folder, and `storage` says how to reach an object store",
        ),
        (
            "s3://",
            "gs://",
            "line 1: lake: of gs:// the environment says all: remove access_key, endpoint, region, secret",
        ),
    ],
)
def test_a_wrong_way_to_an_object_store(complaint: Complaint, right: str, wrong: str, told: str) -> None:
    complained = complaint(STORE.replace(right, wrong))
    assert complained.startswith(f"varve.yaml, {told}")
    assert "hunter2" not in complained
