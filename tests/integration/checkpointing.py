"""A KRaft cluster whose newest checkpoint of the metadata log is never old."""

from jobs.lab.kraft_mode import KRaftCluster
from jobs.lab.node import Node


class CheckpointingCluster(KRaftCluster):
    """Its nodes write a checkpoint of the metadata log after every batch of records."""

    def _properties(self, node: Node) -> dict[str, str]:
        often = {"metadata.log.max.record.bytes.between.snapshots": "1"}
        return {**super()._properties(node), **often, "broker.rack": f"rack-{node.node_id}"}

    def newest_checkpoint(self) -> bytes:
        (log_dir,) = self.log_dirs(101)
        return max((log_dir / "__cluster_metadata-0").glob("*.checkpoint")).read_bytes()
