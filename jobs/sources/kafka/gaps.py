"""Says why Kafka did not answer: the reason of a gap, and a sentence with what to do."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from kafka.errors import AuthorizationError, KafkaError, RetriableError, UnknownBrokerIdError, for_code

from jobs.landing import Landing


@contextmanager
def gap_on_error(landing: Landing, scope: str, what: str, remedy: str) -> Iterator[None]:
    """Record that `what`, which stands at `scope`, could not be read, instead of failing."""
    try:
        yield
    except KafkaError as error:
        landing.gap(scope, *explain(error, what, remedy))


def explain(error: KafkaError, what: str, remedy: str) -> tuple[str, str]:
    """The reason and the sentence; a refusal has a remedy of its own."""
    if isinstance(error, AuthorizationError):
        return (
            "unauthorized",
            f"Kafka refuses {what} ({_name(error)}): grant Varve's principal DESCRIBE and DESCRIBE_CONFIGS.",
        )
    reason = "unreachable" if isinstance(error, RetriableError | UnknownBrokerIdError) else "unreadable"
    return reason, f"Kafka does not tell {what} ({_name(error)}): {remedy}."


def raise_for(reply: dict[str, Any]) -> None:
    """Raise the KafkaError an error code stands for."""
    if reply["error_code"]:
        raise for_code(reply["error_code"])(reply.get("error_message") or "")


def _name(error: KafkaError) -> str:
    return type(error).__name__
