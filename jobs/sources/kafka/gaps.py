"""Says why Kafka did not answer: the reason of a gap, and a sentence with what to do."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from kafka.errors import AuthorizationError, KafkaError, RetriableError, UnknownBrokerIdError, for_code

from jobs.errors import NotReadError
from jobs.landing.landing import Landing
from jobs.sources.kafka.failures import NoAnswerError, RefusedError
from jobs.sources.kafka.question import Question
from jobs.sources.kafka.settings import Settings
from schemas.snapshots import GapReason

CLUSTER = Question(
    "brokers",
    "/cluster",
    "access to its listener",
    "see whether bootstrap_servers names brokers, not controllers",
)


@contextmanager
def gap_on_error(landing: Landing, question: Question) -> Iterator[None]:
    """Record that a question was not answered, instead of failing."""
    try:
        yield
    except KafkaError as error:
        landing.gap(question.scope, *explain(error, question))


def explain(error: KafkaError, question: Question) -> tuple[GapReason, str]:
    """The reason and the sentence; a refusal has a remedy of its own."""
    what = question.what
    if isinstance(error, RefusedError):
        return error.reason, f"Kafka does not tell the {what}: {error}."
    if isinstance(error, AuthorizationError):
        return (
            GapReason.UNAUTHORIZED,
            f"Kafka refuses the {what} ({type(error).__name__}): grant Varve's principal {question.right}.",
        )
    cause = str(error) if isinstance(error, NoAnswerError) else type(error).__name__
    reason = (
        GapReason.UNREACHABLE
        if isinstance(error, RetriableError | UnknownBrokerIdError)
        else GapReason.UNREADABLE
    )
    return reason, f"Kafka does not tell the {what} ({cause}): {question.remedy}."


def unavailable(error: KafkaError, settings: Settings) -> NotReadError:
    """What to raise when not even the first question, who the brokers are, is answered."""
    if not settings.bootstrap_servers:
        message = "Only bootstrap_controllers is given, and controllers tell of the metadata quorum alone."
        return NotReadError(GapReason.NOT_COLLECTED, f"{message} Give bootstrap_servers too.")
    if isinstance(error, RefusedError):
        return NotReadError(error.reason, f"Kafka cannot be asked: {error}.")
    if isinstance(error, NoAnswerError):
        return NotReadError(
            GapReason.UNREACHABLE,
            f"No Kafka broker answers at {settings.bootstrap_servers} within {settings.timeout_s:g} s ({error}): "
            "check bootstrap_servers in varve.yaml, and that one can be reached from here.",
        )
    reason, message = explain(error, CLUSTER)
    return NotReadError(reason, message)


def raise_for(reply: dict[str, Any]) -> None:
    """Raise the KafkaError an error code stands for."""
    if reply.get("error_code"):
        raise for_code(reply["error_code"])(reply.get("error_message") or "")
