import pytest
from kafka.errors import (
    ClusterAuthorizationFailedError,
    InvalidRequestError,
    RequestTimedOutError,
    UnknownBrokerIdError,
)

from jobs.sources.kafka.gaps import explain, raise_for


def test_a_refusal_says_which_rights_to_grant() -> None:
    assert explain(ClusterAuthorizationFailedError(), "its topics", "wait") == (
        "unauthorized",
        "Kafka refuses its topics (ClusterAuthorizationFailedError): "
        "grant Varve's principal DESCRIBE and DESCRIBE_CONFIGS.",
    )


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (RequestTimedOutError(), "unreachable"),
        (UnknownBrokerIdError(2), "unreachable"),
        (InvalidRequestError(), "unreadable"),
    ],
)
def test_other_errors_say_what_to_look_at(error: Exception, reason: str) -> None:
    assert explain(error, "its topics", "wait") == (
        reason,
        f"Kafka does not tell its topics ({type(error).__name__}): wait.",
    )


def test_an_error_code_is_raised_and_zero_is_none() -> None:
    raise_for({"error_code": 0, "error_message": None})
    with pytest.raises(ClusterAuthorizationFailedError):
        raise_for({"error_code": 31, "error_message": "no"})
