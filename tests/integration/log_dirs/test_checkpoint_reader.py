"""Kafka's own reader of checkpoints, on the ones that real controllers wrote."""

import json
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import pytest

from jobs.lab.distribution import kafka_jars
from jobs.lab.jvm import run_tool
from jobs.sources.log_dirs.formats.metadata_checkpoint import parse_metadata_checkpoint
from jobs.sources.log_dirs.formats.metadata_records import RECORD_TYPES, BrokerRegistration

DATA = Path(__file__).parents[2] / "data/log_dirs"
VERSIONS = pytest.mark.versions
PROTOCOLS = ("PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL")


def dumped(version: str, file: Path) -> dict[str, list[Any]]:
    """What `kafka-dump-log.sh` of that Kafka prints of the records, by their type."""
    arguments = ["--cluster-metadata-decoder", "--files", str(file)]
    printed = run_tool(kafka_jars(version), "kafka.tools.DumpLogSegments", *arguments)
    found: dict[str, list[Any]] = defaultdict(list)
    for line in printed.splitlines():
        if data := re.search(r" payload: (\{.*)", line):
            record = json.loads(data[1])
            found["".join(word.capitalize() for word in record["type"].split("_"))].append(record["data"])
        elif control := re.search(r" (KRaftVersion|KRaftVoters) (\{.*)", line):
            found[control[1]].append(json.loads(control[2]))
    return found


def shown(broker: BrokerRegistration) -> dict[str, Any]:
    """A registration in the words of Kafka's own tool, without what this version of it does not know."""
    return {
        "brokerId": broker.broker_id,
        "isMigratingZkBroker": broker.is_migrating,
        "incarnationId": broker.incarnation_id,
        "brokerEpoch": broker.epoch,
        "endPoints": [
            (listener.name, listener.address, PROTOCOLS.index(str(listener.protocol)))
            for listener in broker.listeners
        ],
        "features": [
            {
                "name": each.name,
                "minSupportedVersion": each.min_version,
                "maxSupportedVersion": each.max_version,
            }
            for each in broker.features
        ],
        "rack": broker.rack,
        "fenced": broker.fenced,
        "inControlledShutdown": broker.in_controlled_shutdown,
        "logDirs": broker.log_dirs,
    }


def told(data: dict[str, Any]) -> dict[str, Any]:
    """The same of what the tool printed."""
    unsaid = {"isMigratingZkBroker": False, "logDirs": []}
    listeners = [
        (each["name"], f"{each['name']}://{each['host']}:{each['port']}", each["securityProtocol"])
        for each in data["endPoints"]
    ]
    return unsaid | data | {"endPoints": listeners}


@pytest.mark.parametrize(
    "version", [pytest.param("3.3.2", marks=VERSIONS), "3.9.1", pytest.param("4.1.0", marks=VERSIONS)]
)
def test_kafkas_own_reader_finds_the_same(version: str) -> None:
    file = max((DATA / f"kraft-{version}").glob("**/*.checkpoint"))
    found = parse_metadata_checkpoint(file.read_bytes())
    printed = dumped(version, file)
    (kraft_version,) = [each["kRaftVersion"] for each in printed.pop("KRaftVersion", [])] or [0]
    voters = [voter for each in printed.pop("KRaftVoters", []) for voter in each["voters"]]

    assert [shown(broker) for broker in found.brokers.values()] == [
        told(each) for each in printed["RegisterBrokerRecord"]
    ]
    assert found.features == {each["name"]: each["featureLevel"] for each in printed["FeatureLevelRecord"]}
    assert found.kraft_version == kraft_version
    assert [(voter.node_id, voter.directory_id) for voter in found.voters or []] == [
        (voter["voterId"], voter["voterDirectoryId"]) for voter in voters
    ]
    assert {RECORD_TYPES[kind]: count for kind, count in found.records.items()} == {
        kind: len(records) for kind, records in printed.items()
    }
    assert len(found.brokers) == 3
