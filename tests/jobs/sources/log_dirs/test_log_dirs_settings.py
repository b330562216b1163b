import pytest
from pydantic import ValidationError

from jobs.sources.log_dirs.settings import Settings


def test_log_dirs_are_named_per_broker() -> None:
    settings = Settings.model_validate(
        [{"broker": 1, "local": ["/d0", "/d1"]}, {"broker": 2, "local": ["/d0"]}]
    )
    assert [(entry.broker, len(entry.paths)) for entry in settings.brokers] == [(1, 2), (2, 1)]


@pytest.mark.parametrize(
    ("raw", "complaint"),
    [
        ([{"broker": 1, "local": ["d0"]}], "d0 is not absolute"),
        ([{"broker": 1, "local": ["/d0", "/d0/"]}], "/d0 of broker 1 is named twice"),
        ([{"broker": 1, "local": []}], "at least 1 item"),
        ([{"broker": 1, "local": ["/d0"], "path": "/d1"}], "not permitted"),
    ],
)
def test_a_wrong_setting_says_what_is_wrong(raw: object, complaint: str) -> None:
    with pytest.raises(ValidationError, match=complaint):
        Settings.model_validate(raw)
