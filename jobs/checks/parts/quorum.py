"""What several checks ask of the metadata quorum."""

LEADER_NOW = """
SELECT max(last_fetch_at) AS leader_now FROM quorum_progress WHERE node_id IN (SELECT leader_id FROM quorum)
"""
"""One row: the leader's own clock when it answered, for it reports itself as fetching now; null before Kafka 3.3."""
