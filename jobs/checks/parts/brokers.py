"""Who is there: what several checks ask of the brokers."""

LIVING = (
    "SELECT coalesce(list(broker_id ORDER BY broker_id), []) AS ids FROM brokers WHERE fenced IS NOT TRUE"
)
"""One row: the ids of the brokers that are registered and not fenced."""

FENCING_IS_TOLD = """
SELECT coalesce(bool_or(fenced IS NOT NULL), false) OR (SELECT count(*) FROM quorum) = 0 AS the_cluster_tells
FROM admin_brokers
"""
"""One row: whether a broker that is not listed is not fenced either. Before Kafka 4.0 DescribeCluster of a quorum leaves
fenced brokers out.
"""
