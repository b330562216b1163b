"""What a question to a cluster is, to the landing and to the doctor alike."""

from dataclasses import dataclass


@dataclass(frozen=True)
class Question:
    """One thing Varve asks.

    `what` it is about, as in "the topics"; the `scope` its answer stands at; the `right` it needs, in Kafka's words;
    and the `remedy` where there is no answer.
    """

    what: str
    scope: str
    right: str
    remedy: str = "see whether the brokers are up and not overloaded"
