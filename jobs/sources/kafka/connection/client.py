"""Sends requests to the brokers of a cluster: to any of them, to the controller, or to one in particular.

Replies keep their error codes. kafka-python's own describe methods drop the error codes of single items, so that a
refusal would look like "there is nothing"; only its message classes are used.
"""

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from functools import partial
from typing import Any, TypeVar

from kafka.errors import KafkaError, NotControllerError, UnknownBrokerIdError, UnsupportedVersionError
from kafka.protocol.admin import DescribeClusterRequest, DescribeQuorumRequest
from kafka.protocol.metadata import MetadataRequest
from tenacity import Retrying, retry_if_exception_type, stop_after_delay, wait_fixed

from jobs.sources.kafka.connection.connection import Connection
from jobs.sources.kafka.connection.failures import NoAnswerError, raise_for
from jobs.sources.kafka.connection.frame import Frame
from jobs.sources.kafka.connection.servers import Servers

BROKERS_AT_ONCE = 8
NAMES_PER_REQUEST = 500
_ELECTION_S = 0.5

Reply = dict[str, Any]
Item = TypeVar("Item")


class KafkaClient:
    """Sends requests to the brokers of one cluster; `servers` are the brokers to begin with.

    Every method raises kafka.errors.KafkaError when it gets no answer within the timeout of `servers`.
    """

    def __init__(self, servers: Servers) -> None:
        self.servers = servers
        self._brokers: dict[int, str] = {}
        self._silent: dict[int, NoAnswerError] = {}

    def cluster(self) -> Reply:
        """The reply to DescribeCluster, or before Kafka 2.8 what Metadata says about the brokers.

        `controller_id` is None under KRaft, where a broker returns a random living broker (`KRaftMetadataCache`).
        Remembers the brokers' addresses for `ask_broker`. Raises KafkaError also for the reply's error code.
        """
        reply = self._describe_cluster()
        raise_for({"error_code": 0, **reply})
        self.know({each["broker_id"]: _address(each) for each in reply["brokers"]})
        if self.servers.know(DescribeQuorumRequest):
            reply["controller_id"] = None
        return reply

    def know(self, brokers: dict[int, str]) -> None:
        """Remember the address, `host:port`, of each broker of the cluster by its id."""
        self._brokers = brokers

    def ask(self, request: Any) -> Reply:
        """The reply of any broker that supports the request. Raises KafkaError also for the reply's error code.

        UnsupportedVersionError means that no broker supports it; during an upgrade only some of them may.
        """
        try:
            answer = self.servers.ask(request)
        except UnsupportedVersionError as error:
            answer = self._ask_one_that_supports(request, error)
        reply: Reply = answer.to_dict()
        raise_for(reply)
        return reply

    def ask_controller(self, request: Any) -> Reply:
        """The reply of the controller. Under KRaft any broker forwards the request, in ZooKeeper mode none does.

        Brokers name the former controller for a moment after an election, so they are asked again until the timeout.
        """
        try:
            return self.ask(request)
        except NotControllerError:
            return Retrying(
                retry=retry_if_exception_type((NotControllerError, UnknownBrokerIdError)),
                wait=wait_fixed(_ELECTION_S),
                stop=stop_after_delay(self.servers.timeout_s),
                reraise=True,
            )(self._ask_elected, request)

    def ask_broker(self, broker_id: int, request: Any) -> Any:
        """The decoded reply of that broker; raises what `broker` raises."""
        return self.frame_of_broker(broker_id, request).decode()

    def frame_of_broker(self, broker_id: int, request: Any) -> Frame:
        """The reply of that broker as it came over the wire; raises what `broker` raises."""
        with self.broker(broker_id) as ask:
            return ask(request)

    @contextmanager
    def broker(self, broker_id: int) -> Iterator[Callable[[Any], Frame]]:
        """A function that sends requests to that broker over one connection; each may take the timeout of `servers`.

        Raises UnknownBrokerIdError when its address is not known. A broker that did not answer once is not waited for
        again: its NoAnswerError is raised at once.
        """
        if broker_id not in self._brokers:
            raise UnknownBrokerIdError(broker_id)
        if broker_id in self._silent:
            raise self._silent[broker_id]
        try:
            with closing(
                Connection(self._brokers[broker_id], self.servers.identity, self._deadline())
            ) as connection:
                yield lambda request: connection.frame(request, self._deadline())
        except NoAnswerError as error:
            self._silent[broker_id] = error
            raise

    def _deadline(self) -> float:
        return time.monotonic() + self.servers.timeout_s

    def _ask_elected(self, request: Any) -> Reply:
        reply: Reply = self.ask_broker(self.cluster()["controller_id"], request).to_dict()
        raise_for(reply)
        return reply

    def _describe_cluster(self) -> Reply:
        try:
            request = DescribeClusterRequest(
                include_cluster_authorized_operations=False, include_fenced_brokers=True
            )
            return self.servers.ask(request).to_dict()  # type: ignore[no-any-return]
        except UnsupportedVersionError:
            reply: Reply = self.servers.ask(metadata_request([])).to_dict()
            for broker in reply["brokers"]:
                broker["broker_id"] = broker.pop("node_id")
            return reply

    def _ask_one_that_supports(self, request: Any, unsupported: KafkaError) -> Any:
        """A broker that does not answer may support the request, so its failure is raised before `unsupported` is."""
        with ThreadPoolExecutor(BROKERS_AT_ONCE) as pool:
            answers = list(pool.map(partial(self._supports, request), self._brokers))
        for broker_id, supports in zip(self._brokers, answers, strict=True):
            if supports is True:
                return self.ask_broker(broker_id, request)
        raise next((failure for failure in answers if isinstance(failure, KafkaError)), unsupported)

    def _supports(self, request: Any, broker_id: int) -> bool | KafkaError:
        try:
            connection = Connection(self._brokers[broker_id], self.servers.identity, self._deadline())
        except KafkaError as error:
            return error
        try:
            return connection.knows(request)
        finally:
            connection.close()


def metadata_request(topics: list[Any] | None) -> MetadataRequest:
    """A request for the metadata of these topics, or of all; it never creates a topic."""
    return MetadataRequest(topics=topics, allow_auto_topic_creation=False)


def pages(items: Sequence[Item], per_request: int = NAMES_PER_REQUEST) -> Iterator[Sequence[Item]]:
    """The items in parts, each for one request."""
    for start in range(0, len(items), per_request):
        yield items[start : start + per_request]


def _address(broker: Reply) -> str:
    return f"{broker['host']}:{broker['port']}"
