"""Columns that several tables have."""

from schemas.table import Column

BROKER_ID = Column("broker_id", "INT", "broker id", required=True)
LOG_DIR = Column("path", "STRING", "log dir, one entry of the broker's log.dirs", required=True)
TOPIC = Column("topic", "STRING", "topic name", required=True)
PARTITION = Column("partition", "INT", "partition number", required=True)

ELIGIBLE_LEADERS = (
    Column(
        "eligible_leader_replicas",
        "ARRAY<INT>",
        "replicas outside the ISR that hold all acknowledged records (KIP-966); null where the source does not tell",
    ),
    Column(
        "last_known_elr",
        "ARRAY<INT>",
        "eligible leader replicas that were removed after an unclean shutdown; null where the source does not tell",
    ),
)

QUOTA_ENTITY = (
    Column(
        "user",
        "STRING",
        "user that it limits; <default> is every user without one of their own; null when it limits no user",
    ),
    Column(
        "client_id",
        "STRING",
        "client that it limits; <default> is every client without one of its own; null when it limits no client",
    ),
    Column(
        "ip",
        "STRING",
        "address that it limits; <default> is every address without one of its own; null when it limits no address",
    ),
)
