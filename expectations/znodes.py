"""What ZooKeeper and Kafka promise of every tree."""

from expectations.rule import if_any, no_row_where
from schemas.judgement import Severity

RULES = (
    no_row_where("mzxid < czxid", "mzxid is not before czxid"),
    no_row_where("pzxid < czxid", "pzxid is not before czxid"),
    no_row_where(
        "path != '/' AND (NOT startswith(path, '/') OR endswith(path, '/'))",
        "path starts with / and does not end with it",
    ),
    no_row_where(
        "ephemeral_owner > 0 AND num_children > 0", "an ephemeral znode has no children", Severity.WARNING
    ),
    no_row_where(
        "encoding = 'utf-8' AND octet_length(coalesce(data, '')) != data_length",
        "data has as many bytes as ZooKeeper counts",
        Severity.WARNING,
    ),
    if_any(
        "path = '/brokers'", "path = '/cluster/id'", "/cluster/id exists in Kafka's tree", "missing znode"
    ),
    if_any(
        "path = '/brokers'", "path = '/brokers/ids'", "/brokers/ids exists in Kafka's tree", "missing znode"
    ),
)
