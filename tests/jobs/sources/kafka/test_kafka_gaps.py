import pytest
from kafka.errors import (
    ClusterAuthorizationFailedError,
    InvalidRequestError,
    KafkaError,
    RequestTimedOutError,
    UnknownBrokerIdError,
)

from jobs.sources.kafka.connection.failures import NoAnswerError, RefusedError, raise_for
from jobs.sources.kafka.gaps import Question, explain, unavailable
from jobs.sources.kafka.settings import Settings
from schemas.snapshots import GapReason

TOPICS = Question("topics", "/topics", "DESCRIBE on all topics", "wait")


def test_a_refusal_says_which_right_to_grant() -> None:
    assert explain(ClusterAuthorizationFailedError(), TOPICS) == (
        "unauthorized",
        "Kafka refuses the topics (ClusterAuthorizationFailedError): "
        "grant Varve's principal DESCRIBE on all topics.",
    )


@pytest.mark.parametrize(
    ("error", "reason"),
    [
        (RequestTimedOutError(), "unreachable"),
        (UnknownBrokerIdError(2), "unreachable"),
        (InvalidRequestError(), "unreadable"),
    ],
)
def test_other_errors_say_what_to_look_at(error: KafkaError, reason: str) -> None:
    assert explain(error, TOPICS) == (
        reason,
        f"Kafka did not return the topics ({type(error).__name__}): wait.",
    )


def test_a_server_that_does_not_answer_is_named() -> None:
    assert explain(NoAnswerError("b1:9092 does not answer in time"), TOPICS) == (
        "unreachable",
        "Kafka did not return the topics (b1:9092 does not answer in time): wait.",
    )


def test_who_does_not_let_the_other_in_has_a_remedy_of_its_own() -> None:
    refused = RefusedError(GapReason.UNAUTHORIZED, "b1:9092 does not let varve in: check auth.user")
    assert explain(refused, TOPICS) == (
        "unauthorized",
        "Kafka did not return the topics: b1:9092 does not let varve in: check auth.user.",
    )
    told = unavailable(refused, Settings(bootstrap_servers="b1:9092"))
    assert (str(told), told.reason) == (
        "Kafka cannot be asked: b1:9092 does not let varve in: check auth.user.",
        "unauthorized",
    )


def test_controllers_alone_tell_little_and_that_is_nobodys_fault() -> None:
    told = unavailable(NoAnswerError("there is none"), Settings(bootstrap_controllers="c1:9093"))
    assert (str(told), told.reason) == (
        "Only bootstrap_controllers is given, and controllers tell of the metadata quorum alone. "
        "Give bootstrap_servers too.",
        "not-collected",
    )


def test_an_error_code_is_raised_and_zero_is_none() -> None:
    raise_for({"error_code": 0, "error_message": None})
    raise_for({})
    with pytest.raises(ClusterAuthorizationFailedError):
        raise_for({"error_code": 31, "error_message": "no"})
