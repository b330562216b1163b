"""From a topic's assignment and each partition's state to a row."""

from collections.abc import Callable
from typing import Any

from pyspark.sql import DataFrame

from jobs.tables.partitions import from_kafka, from_zookeeper

Frame = Callable[..., DataFrame]
Rows = Callable[..., list[tuple[Any, ...]]]

ORDERS = "/brokers/topics/orders"
TOPIC = '{"version":3,"partitions":{"0":[3,1,2],"1":[1]},"adding_replicas":{},"removing_replicas":{}}'
STATE = '{"controller_epoch":7,"leader":3,"version":1,"leader_epoch":4,"isr":[3,1,2]}'
OFFLINE = '{"controller_epoch":7,"leader":-1,"version":1,"leader_epoch":5,"isr":[1]}'


def state(partition: int | str) -> str:
    return f"{ORDERS}/partitions/{partition}/state"


def test_a_partition_has_its_assignment_and_its_state(znodes: Frame, rows_of: Rows) -> None:
    tree = {ORDERS: TOPIC, state(0): {"data": STATE, "version": 12}, state(1): OFFLINE}
    assert rows_of("partitions", from_zookeeper(znodes(tree))) == [
        ("orders", 0, [3, 1, 2], [], [], 3, 4, [3, 1, 2], *[None] * 3, 7, 12, False, None),
        ("orders", 1, [1], [], [], -1, 5, [1], *[None] * 3, 7, 3, False, None),
    ]


def test_a_partition_without_a_state_has_an_unknown_leader(znodes: Frame, rows_of: Rows) -> None:
    tree = {ORDERS: '{"version":1,"partitions":{"0":[1]}}', f"{ORDERS}/partitions/0": None}
    assert rows_of("partitions", from_zookeeper(znodes(tree))) == [("orders", 0, [1], [], [], *[None] * 10)]


def test_a_state_without_an_assignment_is_no_partition(znodes: Frame, rows_of: Rows) -> None:
    tree = {state(0): STATE, ORDERS: '{"version":3,"partitions":{}}'}
    assert rows_of("partitions", from_zookeeper(znodes(tree))) == []


def test_replicas_that_come_and_go_are_named(znodes: Frame, rows_of: Rows) -> None:
    topic = '{"version":3,"partitions":{"0":[4,1,2],"1":[1,2]},"adding_replicas":{"0":[4]},"removing_replicas":{"0":[2]}}'
    made = from_zookeeper(znodes({ORDERS: topic}))
    assert rows_of("partitions", made, "partition", "replicas", "adding", "removing") == [
        (0, [4, 1, 2], [4], [2]),
        (1, [1, 2], [], []),
    ]


def test_a_recovering_leader_says_so(znodes: Frame, rows_of: Rows) -> None:
    recovering = STATE.replace("}", ',"leader_recovery_state":1}')
    tree = {ORDERS: TOPIC, state(0): recovering, state(1): recovering.replace('state":1', 'state":0')}
    made = from_zookeeper(znodes(tree))
    assert rows_of("partitions", made, "partition", "recovering") == [(0, True), (1, False)]


def test_a_malformed_state_is_a_row_with_a_problem(
    znodes: Frame, rows_of: Rows, malformed: tuple[str | None, ...]
) -> None:
    states = {state(n): data for n, data in enumerate(malformed)} | {
        state(97): '{"leader":1,"leader_epoch":4,"controller_epoch":7,"isr":"1"}',
        state(98): '{"leader":1,"isr":[1]}',
        state(99): '{"isr":[1]}',
    }
    assigned = ",".join(f'"{n}":[1]' for n in [*range(len(malformed)), 97, 98, 99])
    tree = {ORDERS: f'{{"version":3,"partitions":{{{assigned}}}}}', **states}
    made = from_zookeeper(znodes(tree))
    rows = rows_of("partitions", made, "partition", "replicas", "leader", "recovering", "problem")
    no_object = [(n, [1], None, None, "the znode is not a JSON object") for n in range(len(malformed))]
    no_leader = (99, [1], None, None, "the state names no leader")
    lacking = [(n, [1], 1, False, "the state lacks its isr or an epoch") for n in (97, 98)]
    assert rows == sorted([*no_object, no_leader, *lacking], key=str)


def test_a_malformed_topic_has_no_partitions_and_stops_nothing(
    znodes: Frame, rows_of: Rows, malformed: tuple[str | None, ...]
) -> None:
    tree = {f"/brokers/topics/t{n}": data for n, data in enumerate(malformed)}
    tree |= {
        ORDERS: '{"version":3,"partitions":{"x":[1],"99999999999":[1],"0":[1]}}',
        state(99999999999): STATE,
    }
    made = from_zookeeper(znodes(tree))
    assert rows_of("partitions", made, "topic", "partition") == [("orders", 0)]


def test_partitions_of_a_malformed_topic_are_not_gone_while_their_states_stand(
    znodes: Frame, rows_of: Rows
) -> None:
    tree = {ORDERS: '{"version":3,"parti', state(0): {"data": STATE, "version": 12}}
    problem = "the topic's znode names no partitions"
    assert rows_of("partitions", from_zookeeper(znodes(tree))) == [
        ("orders", 0, None, None, None, 3, 4, [3, 1, 2], *[None] * 3, 7, 12, False, problem)
    ]


def test_an_assignment_that_kafka_cannot_read_has_a_problem(znodes: Frame, rows_of: Rows) -> None:
    tree = {ORDERS: '{"version":3,"partitions":{"0":"1,2","1":[1]}}', state(0): STATE, state(1): STATE}
    made = from_zookeeper(znodes(tree))
    problem = "the topic's znode names no partitions"
    assert rows_of("partitions", made, "partition", "replicas", "problem") == [
        (0, None, problem),
        (1, None, problem),
    ]


def test_the_admin_api_fills_the_same_columns(frame: Frame, rows_of: Rows) -> None:
    offline = {"topic": "orders", "partition": 0, "leader": -1, "leader_epoch": 5, "replicas": [1, 2]}
    moving = {"topic": "orders", "partition": 1, "leader": 2, "leader_epoch": 6, "replicas": [2, 3, 1]}
    described = frame(
        "admin_partitions",
        offline
        | {"isr": [], "offline_replicas": [1, 2], "eligible_leader_replicas": [2], "last_known_elr": []},
        moving | {"isr": [2], "offline_replicas": []},
    )
    asked = {"topic": "orders", "partition": 1, "replicas": [2, 3, 1], "adding": [3], "removing": [1]}
    made = from_kafka(described, frame("admin_reassignments", asked))
    assert rows_of("partitions", made) == [
        ("orders", 0, [1, 2], [], [], -1, 5, [], [1, 2], [2], [], *[None] * 4),
        ("orders", 1, [2, 3, 1], [3], [1], 2, 6, [2], [], *[None] * 6),
    ]


def test_of_two_equal_numbers_the_last_counts_as_in_kafka(znodes: Frame, rows_of: Rows) -> None:
    tree = {ORDERS: '{"version":3,"partitions":{"0":[1],"1":[9],"0":[2],"01":[3]}}'}
    made = from_zookeeper(znodes(tree))
    assert rows_of("partitions", made, "partition", "replicas") == [(0, [2]), (1, [3])]
