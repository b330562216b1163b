"""The smallest `varve.yaml`, and what tests do with one."""

from collections.abc import Callable

from jobs.settings import Settings

Load = Callable[[str], Settings]
Complaint = Callable[[str], str]

LEAST = """\
lake: ./lake
clusters:
  - name: orders
    zookeeper: {connect: "zk1:2181,zk2:2181/kafka_cluster_01"}
"""
