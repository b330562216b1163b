"""The questions that Varve asks a cluster, and the gap with its message when one is not answered."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace

from kafka.errors import AuthorizationError, KafkaError, RetriableError, UnknownBrokerIdError

from jobs.errors import NotReadError
from jobs.landing.landing import Landing
from jobs.sources.kafka.connection.failures import NoAnswerError, RefusedError
from jobs.sources.kafka.settings import Settings
from schemas.snapshots import GapReason


@dataclass(frozen=True)
class Question:
    """One thing that Varve asks.

    `what` is the thing, as in "the topics", and `scope` is the gap when it is not answered. `right` is the right that
    the question needs, in Kafka's words; `remedy` is what to do when there is no answer.
    """

    what: str
    scope: str
    right: str
    remedy: str = "see whether the brokers are up and not overloaded"

    def of_broker(self, broker_id: int, what: str) -> "Question":
        """The part of it that one broker alone can answer."""
        return replace(
            self,
            what=what,
            scope=f"{self.scope}/{broker_id}",
            remedy="only that broker knows, so see whether it is up and can be reached from here",
        )


CLUSTER = Question(
    "brokers",
    "/cluster",
    "access to its listener",
    "see whether bootstrap_servers names brokers, not controllers",
)


@contextmanager
def gap_on_error(landing: Landing, question: Question) -> Iterator[None]:
    """Land a gap when the question is not answered, instead of raising KafkaError."""
    try:
        yield
    except KafkaError as error:
        landing.gap(question.scope, *explain(error, question))


def explain(error: KafkaError, question: Question) -> tuple[GapReason, str]:
    """The reason and the message of the gap. A RefusedError brings its own reason and remedy."""
    what = question.what
    if isinstance(error, RefusedError):
        return error.reason, f"Kafka did not return the {what}: {error}."
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
    return reason, f"Kafka did not return the {what} ({cause}): {question.remedy}."


def unavailable(error: KafkaError, settings: Settings) -> NotReadError:
    """The error to raise when even the first question, which brokers there are, is not answered."""
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
