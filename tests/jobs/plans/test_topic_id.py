"""The plan for topic ids: which steps, in which order, and when none."""

from dataclasses import replace
from typing import Any

import pytest

from jobs.plans.places import Places
from jobs.plans.step import Step
from jobs.plans.topic_id import plan
from jobs.plans.topic_id_state import Cluster, DiskReplica, Partition, Topic

OLD, NEW, OTHER = "vV5u0_NiSR-iJzmV8S97dg", "A1b2C3d4E5f6G7h8I9j0Kg", "ZZZZZZZZQQQQQQQQwwwwwg"
PLACES = Places("zk1:2181,zk2:2181", "/kafka_cluster_01", "b1:9092")
DATA = '{"version":2,"partitions":{"0":[1,2],"1":[2,1]},"adding_replicas":{},"removing_replicas":{}}'
HEALTHY = (Partition(0, (1, 2), (1, 2), 1), Partition(1, (2, 1), (2, 1), 2))


def disks(**ids: str | None) -> tuple[DiskReplica, ...]:
    """`p0b1` is partition 0 on broker 1; what is not named has the old id."""
    everything: dict[str, str | None] = {"p0b1": OLD, "p0b2": OLD, "p1b1": OLD, "p1b2": OLD, **ids}
    return tuple(
        DiskReplica(int(place[3]), f"/var/kafka/d{place[1]}", int(place[1]), topic_id, is_seen=True)
        for place, topic_id in everything.items()
    )


def topic(**fields: Any) -> Topic:
    """A latent topic, unless said otherwise."""
    usual = {
        "name": "orders",
        "topic_id": None,
        "controllers_id": None,
        "data_version": 7,
        "data": DATA,
        "hindrances": (),
        "partitions": HEALTHY,
        "on_disk": disks(),
    }
    return Topic(**{**usual, **fields})


MISMATCHED = topic(name="pay", topic_id=NEW, controllers_id=NEW)


def planned(*topics: Topic, **fields: Any) -> list[Step]:
    usual = {"name": "c", "places": PLACES, "brokers": frozenset({1, 2}), "is_reassigning": False}
    return plan(Cluster(**{**usual, **fields}, topics=topics))


def brief(steps: list[Step]) -> list[tuple[str, str, bool]]:
    return [(step.subject, step.state, bool(step.run)) for step in steps]


def test_where_every_id_is_whole_there_is_nothing_to_do() -> None:
    assert planned() == []


def test_a_latent_topic_is_reassigned_to_the_replicas_it_has_in_their_order() -> None:
    (step,) = planned(topic(partitions=tuple(reversed(HEALTHY))))
    assert step.run == (
        """echo '{"version":1,"partitions":[{"topic":"orders","partition":1,"replicas":[2,1]}]}' > reassign-orders-1.json\n"""
        "kafka-reassign-partitions.sh --bootstrap-server b1:9092 --reassignment-json-file reassign-orders-1.json --execute"
    )
    assert "$ kafka-reassign-partitions.sh --bootstrap-server b1:9092 --list" in step.before
    assert step.after == (
        f'the znode has "topic_id":"{OLD}"; if it has not, stop here:',
        "$ zookeeper-shell.sh zk1:2181,zk2:2181 get /kafka_cluster_01/brokers/topics/orders",
    )


@pytest.mark.parametrize(
    "unhealthy",
    [
        {"brokers": frozenset({1})},
        {"is_reassigning": True},
        {"partitions": (Partition(0, (1, 2), (1,), 1), Partition(1, (2, 1), (1,), 1))},
        {"partitions": (Partition(0, (1, 2), (1, 2), -1), Partition(1, (2, 1), (2, 1), None))},
    ],
)
def test_where_the_controller_would_not_reassign_the_id_is_written_on_condition_of_the_version(
    unhealthy: dict[str, Any],
) -> None:
    of_topic = {name: value for name, value in unhealthy.items() if name == "partitions"}
    (step,) = planned(topic(**of_topic), **{k: v for k, v in unhealthy.items() if k not in of_topic})
    assert step.run == (
        "zookeeper-shell.sh zk1:2181,zk2:2181 set -v 7 /kafka_cluster_01/brokers/topics/orders "
        """'{"version":3,"partitions":{"0":[1,2],"1":[2,1]},"adding_replicas":{},"removing_replicas":{},"""
        f""""topic_id":"{OLD}"}}'"""
    )


def test_one_healthy_partition_is_enough_to_reassign() -> None:
    (step,) = planned(topic(partitions=(Partition(0, (1, 2), (1,), 1), HEALTHY[1])))
    assert '"partition":1' in step.run


@pytest.mark.parametrize(
    ("fields", "why"),
    [
        ({"on_disk": disks()[:-1]}, "the ids on disk of orders-1 on broker 2 are not known"),
        ({"on_disk": (*disks()[:-1], replace(disks()[-1], is_seen=False))}, "orders-1 on broker 2"),
        ({"on_disk": disks(p1b1=NEW)}, f"the disks have {NEW}, {OLD}"),
        ({"on_disk": disks(p1b1=NEW, p1b2=NEW)}, "no partition has all its replicas alive"),
        ({"data": None}, "the data of its znode is not known to the byte"),
        ({"hindrances": ("it is being reassigned: wait until that is done",)}, "it is being reassigned"),
    ],
)
def test_an_id_that_is_not_certain_is_not_written(fields: dict[str, Any], why: str) -> None:
    (step,) = planned(topic(**fields), brokers=frozenset())
    assert step.run == ""
    assert why in " ".join(step.not_now)


def test_a_latent_topic_whose_replicas_disagree_gets_back_what_the_controller_has_and_is_planned_again() -> (
    None
):
    (step,) = planned(topic(on_disk=disks(p1b1=NEW)))
    assert "--execute" in step.run
    assert (
        step.after[0]
        == f"the znode has a topic_id, and then plan again, for the disks have {NEW}, {OLD}; if it has not, stop here:"
    )


def test_a_minted_id_is_replaced_by_the_disks_and_then_one_controller_is_elected() -> None:
    write, elect = planned(MISMATCHED)
    assert f'"topic_id":"{OLD}"' in write.run
    assert "-v 7 /kafka_cluster_01/brokers/topics/pay" in write.run
    assert elect.run == "zookeeper-shell.sh zk1:2181,zk2:2181 delete /kafka_cluster_01/controller"
    assert "$ varve plan topic-id --cluster c" in elect.before


def test_every_latent_topic_is_defused_before_the_election() -> None:
    steps = planned(MISMATCHED, topic(name="a"), topic(name="z"), replace(MISMATCHED, name="b"))
    assert [step.subject for step in steps] == ["a", "z", "pay", "b", "controller"]
    assert all(step.run for step in steps)


def test_nobody_is_elected_while_a_topic_that_lacks_its_id_cannot_be_defused() -> None:
    going = topic(name="going", hindrances=("it is being deleted",))
    assert brief(planned(MISMATCHED, going)) == [
        ("going", "latent", False),
        ("pay", "mismatch", True),
        ("controller", "mismatch", False),
    ]
    assert planned(MISMATCHED, going)[-1].not_now == ("going lacks its id",)


def test_nobody_is_elected_while_a_topic_was_not_seen() -> None:
    assert planned(MISMATCHED, not_seen=("/brokers/topics was not seen",))[-1].not_now == (
        "/brokers/topics was not seen",
    )


def test_an_id_that_was_put_back_still_waits_for_the_election() -> None:
    """The living controller has the minted one in memory and would write it again."""
    (elect,) = planned(topic(topic_id=OLD, controllers_id=NEW))
    assert elect.subject == "controller"
    assert elect.run


def test_a_topic_whose_controller_has_a_minted_id_in_memory_is_not_reassigned() -> None:
    assert brief(planned(topic(controllers_id=NEW))) == [
        ("orders", "mismatch", True),
        ("controller", "mismatch", True),
    ]


def test_a_replica_out_of_sync_with_another_id_is_moved_aside_on_its_stopped_broker_and_nothing_else_is() -> (
    None
):
    partitions = (Partition(0, (1, 2), (1,), 1), HEALTHY[1])
    (move,) = planned(topic(topic_id=OLD, on_disk=disks(p0b2=NEW), partitions=partitions))
    assert (move.subject, move.state) == ("broker 2", "mixed")
    assert move.run == (
        "mkdir -p /var/kafka/d0.aside && test ! -e /var/kafka/d0.aside/orders-0 && "
        "mv /var/kafka/d0/orders-0 /var/kafka/d0.aside/orders-0"
    )


def test_the_id_of_the_replicas_in_sync_counts_however_many_others_there_are() -> None:
    """A topic was made anew while two brokers were down, and they bring back the old one's replicas."""
    steps = planned(
        topic(
            topic_id=NEW,
            partitions=(Partition(0, (1, 2, 3), (1,), 1),),
            on_disk=(
                DiskReplica(1, "/d", 0, NEW, True),
                DiskReplica(2, "/d", 0, OLD, True),
                DiskReplica(3, "/d", 0, OLD, True),
            ),
        )
    )
    assert [step.subject for step in steps] == ["broker 2", "broker 3"]


def test_partitions_that_were_added_after_the_new_id_keep_their_data() -> None:
    partitions = (*HEALTHY, Partition(2, (1, 2), (1, 2), 1))
    steps = planned(
        replace(MISMATCHED, partitions=partitions, on_disk=disks(p2b1=NEW, p2b2=NEW)),
    )
    assert brief(steps) == [
        ("pay", "mixed", True),
        ("controller", "mismatch", True),
        ("broker 1", "mixed", True),
        ("broker 2", "mixed", True),
    ]
    assert steps[2].run == (
        "mkdir -p /var/kafka/d2.aside && test ! -e /var/kafka/d2.aside/pay-2.partition.metadata && "
        "mv /var/kafka/d2/pay-2/partition.metadata /var/kafka/d2.aside/pay-2.partition.metadata"
    )
    assert any("unclean.leader.election.enable is false" in line for line in steps[2].before)


def test_their_brokers_are_not_stopped_where_one_without_all_records_may_be_elected_meanwhile() -> None:
    partitions = (*HEALTHY, Partition(2, (1, 2), (1, 2), 1))
    on_disk = disks(p2b1=NEW, p2b2=NEW)
    *_, refused = planned(replace(MISMATCHED, partitions=partitions, on_disk=on_disk, elects_unclean=True))
    assert (refused.subject, refused.run) == ("pay", "")
    assert refused.not_now[0].startswith("pay-2 may be led by a broker without all its records")


@pytest.mark.parametrize(
    ("partition", "ids", "why"),
    [
        (Partition(0, (1, 2), (2, 1), 2), {"p0b2": NEW}, "the leader is not known to have the right id"),
        (Partition(0, (1, 2), (), -1), {"p0b2": NEW}, "it has no ISR"),
        (Partition(0, (1, 2), (2, 1), 1), {"p0b1": NEW, "p0b2": OTHER}, "differ among themselves"),
    ],
)
def test_where_only_a_person_can_say_which_replica_holds_the_data_nothing_is_moved_nor_written(
    partition: Partition, ids: dict[str, str], why: str
) -> None:
    more = (HEALTHY[1], Partition(2, (1, 2), (1, 2), 1))
    mixed = replace(MISMATCHED, partitions=(partition, *more), on_disk=disks(**ids, p2b1=OLD, p2b2=OLD))
    (step,) = planned(mixed)
    assert step.run == ""
    assert why in " ".join(step.not_now)


def test_the_last_copy_in_sync_is_never_moved_aside() -> None:
    """Broker 1 is the leader and away: what is left has another id, and nothing can be copied."""
    partitions = (Partition(0, (1, 2), (1,), -1), HEALTHY[1])
    mixed = topic(topic_id=OLD, on_disk=disks(p0b2=NEW), partitions=partitions)
    (step,) = planned(mixed, brokers=frozenset({2}))
    assert step.run == ""


def test_no_broker_is_stopped_while_a_topic_lacks_its_id() -> None:
    partitions = (Partition(0, (1, 2), (1,), 1), HEALTHY[1])
    mixed = topic(name="mixed", topic_id=OLD, on_disk=disks(p0b2=NEW), partitions=partitions)
    *_, move = planned(mixed, topic(hindrances=("it is being deleted",)))
    assert (move.subject, move.run, move.not_now) == ("broker 2", "", ("orders lacks its id",))


def test_a_directory_of_a_broker_that_is_no_replica_is_left_alone() -> None:
    unassigned = DiskReplica(3, "/var/kafka/d0", 0, NEW, is_seen=True)
    assert planned(topic(topic_id=OLD, on_disk=(*disks(), unassigned))) == []


@pytest.mark.parametrize("where", [{"hindrances": ("a migration",)}, {"places": None}])
def test_in_a_migration_and_without_addresses_nothing_is_to_be_changed(where: dict[str, Any]) -> None:
    assert brief(planned(topic(), MISMATCHED, **where)) == [
        ("orders", "latent", False),
        ("pay", "mismatch", False),
    ]


def test_names_that_anybody_chose_are_no_part_of_a_command() -> None:
    (step,) = planned(topic(name="a'; rm -rf /; '"))
    assert step.run.splitlines()[0].endswith("""> 'reassign-a'"'"'; rm -rf /; '"'"'-0.json'""")


def test_a_znode_that_is_too_long_for_a_command_line_is_written_with_a_client() -> None:
    long = DATA.replace('"1":[2,1]', ",".join(f'"{number}":[2,1]' for number in range(1, 12_000)))
    (step,) = planned(topic(data=long), brokers=frozenset())
    assert step.run == ""
    assert not step.not_now
    assert "on condition that its dataVersion is 7. It is too long for a command line" in step.does
