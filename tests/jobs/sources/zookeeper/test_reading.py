"""How much is asked of ZooKeeper at once, and how fast."""

import struct
import time

import pytest

from jobs.sources.zookeeper.connection.reading import MAX_BYTES, MAX_OPERATIONS, MultiReader, Pace
from jobs.sources.zookeeper.connection.wire import CHILDREN, DATA, MultiRead, Operation, Reply

UNLIMITED = 10**9


class Server:
    """Answers every read with so many bytes of data, and notes what was asked and how much it sent."""

    def __init__(self, data_bytes: int) -> None:
        self.data_bytes = data_bytes
        self.batches: list[list[Operation]] = []
        self.sent: list[int] = []

    def send(self, request: MultiRead) -> bytes:
        self.batches.append(list(request.operations))
        assert len(request.serialize()) < 2 * MAX_BYTES
        one = struct.pack("!iBii", 4, 0, 0, self.data_bytes) + bytes(self.data_bytes + 68)
        reply = one * len(request.operations) + struct.pack("!iBi", -1, 1, -1)
        self.sent.append(len(reply))
        return reply

    def result(self, reply: bytes) -> tuple[bytes, int]:
        return reply, 0


def data_of(count: int, name: str = "/x") -> list[Operation]:
    return [Operation(DATA, f"{name}{number}") for number in range(count)]


def test_small_replies_let_the_batches_grow_to_a_bound() -> None:
    server = Server(data_bytes=10)

    replies = MultiReader(server, Pace(UNLIMITED))(data_of(20_000))

    assert len(replies) == 20_000
    assert max(len(batch) for batch in server.batches) == MAX_OPERATIONS
    assert max(server.sent) < 2 * MAX_BYTES


def test_heavy_replies_keep_the_batches_small() -> None:
    server = Server(data_bytes=100_000)

    MultiReader(server, Pace(UNLIMITED))(data_of(500))

    assert [len(batch) for batch in server.batches[3:]] == [5] * len(server.batches[3:])


def test_how_heavy_the_znodes_of_the_level_above_were_says_nothing_of_the_next() -> None:
    server = Server(data_bytes=1)
    read = MultiReader(server, Pace(UNLIMITED))
    read(data_of(20_000))
    server.data_bytes = 100_000

    read(data_of(500))

    assert max(server.sent) < 12 * MAX_BYTES


def test_data_that_is_known_to_be_heavy_is_asked_for_alone() -> None:
    server = Server(data_bytes=1)
    heavy = Operation(DATA, "/b", 2 * MAX_BYTES)

    MultiReader(server, Pace(UNLIMITED))([Operation(DATA, "/a"), heavy, heavy])

    assert server.batches == [[Operation(DATA, "/a")], [heavy], [heavy]]


def test_long_paths_keep_the_request_below_its_bound() -> None:
    server = Server(data_bytes=1)

    MultiReader(server, Pace(UNLIMITED))(data_of(10_000, "/" + "ä" * 1_000))

    assert sum(len(batch) for batch in server.batches) == 10_000


def test_a_long_list_of_children_is_asked_for_alone() -> None:
    server = Server(data_bytes=1)
    short, long = Operation(CHILDREN, "/a", 100), Operation(CHILDREN, "/b", 2 * MAX_BYTES)

    MultiReader(server, Pace(UNLIMITED))([short, long, short, short])

    assert server.batches == [[short], [long], [short, short]]


def test_every_reply_comes_in_the_order_of_its_operation() -> None:
    class Numbers(Server):
        def send(self, request: MultiRead) -> bytes:
            super().send(request)
            parts = [
                struct.pack("!iBii", 4, 0, 0, 8) + op.path.encode().rjust(8) + bytes(68)
                for op in request.operations
            ]
            return b"".join(parts) + struct.pack("!iBi", -1, 1, -1)

    replies = MultiReader(Numbers(0), Pace(UNLIMITED))(data_of(3_000))

    assert [text_of(reply) for reply in replies] == [f"/x{number}" for number in range(3_000)]


def text_of(reply: Reply) -> str:
    assert isinstance(reply, tuple)
    assert reply[0] is not None
    return reply[0].decode().strip()


@pytest.mark.parametrize(("rate", "least"), [(1_000, 0.4), (UNLIMITED, 0.0)])
def test_reads_stay_below_the_rate(rate: int, least: float) -> None:
    started = time.monotonic()

    MultiReader(Server(data_bytes=1), Pace(rate))(data_of(500))

    assert time.monotonic() - started >= least


def test_a_slow_rate_means_small_batches() -> None:
    server = Server(data_bytes=1)

    MultiReader(server, Pace(100))(data_of(20))

    assert max(len(batch) for batch in server.batches) == 10
