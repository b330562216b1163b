"""Kafka's own shell scripts, of those that remedies and plans name, so that what is printed can be run as it is."""

import shlex
from pathlib import Path

from jobs.lab.distribution import kafka_tool_jars
from jobs.lab.jvm import java_command

_CLASSES = {
    "kafka-cluster.sh": ("org.apache.kafka.tools.ClusterTool",),
    "kafka-configs.sh": ("kafka.admin.ConfigCommand",),
    "kafka-dump-log.sh": ("kafka.tools.DumpLogSegments",),
    "kafka-leader-election.sh": ("org.apache.kafka.tools.LeaderElectionCommand",),
    "kafka-log-dirs.sh": ("org.apache.kafka.tools.LogDirsCommand",),
    "kafka-metadata-quorum.sh": ("org.apache.kafka.tools.MetadataQuorumCommand",),
    "kafka-reassign-partitions.sh": ("org.apache.kafka.tools.reassign.ReassignPartitionsCommand",),
    "kafka-storage.sh": ("kafka.tools.StorageTool",),
    "kafka-topics.sh": ("org.apache.kafka.tools.TopicCommand",),
    "zookeeper-shell.sh": ("org.apache.zookeeper.ZooKeeperMainWithTlsSupportForKafka", "-server"),
}


def write_scripts(folder: Path, version: str) -> Path:
    """Write the scripts of a Kafka version of 3.3 or newer, to be put in front of a PATH."""
    folder.mkdir(parents=True, exist_ok=True)
    for name, (main, *arguments) in _CLASSES.items():
        command = java_command(kafka_tool_jars(version), main, *arguments)
        script = folder / name
        script.write_text(f'#!/bin/sh\nexec {shlex.join(command)} "$@"\n', encoding="utf-8")
        script.chmod(0o755)
    return folder
