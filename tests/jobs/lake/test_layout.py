"""Where things lie."""

from pathlib import Path

from jobs.lake.layout import report_folder
from jobs.storage import Bucket


def test_the_report_lies_beside_a_folder_and_within_a_prefix_that_has_others_beside_it() -> None:
    assert report_folder(Path("/data/lake")) == Path("/data/report")
    assert str(report_folder(Bucket("s3://kafka/prod"))) == "s3://kafka/prod/_report"
