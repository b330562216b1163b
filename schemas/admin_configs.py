"""Raw state of configs: what was set, and what is in force on each broker."""

from schemas.columns import BROKER_ID
from schemas.table import Column, Kind, Table

ADMIN_CONFIGS = Table(
    name="admin_configs",
    kind=Kind.STATE,
    meaning="configurations that were set, as DescribeConfigs tells them; defaults are left out",
    source="kafka",
    key=("scope", "entity", "name"),
    scopes={"kafka": "/configs/{scope}/{entity}"},
    columns=(
        Column("scope", "STRING", "what is configured", required=True, one_of=("topic", "broker")),
        Column("entity", "STRING", "topic name, or broker id", required=True),
        Column("name", "STRING", "config key", required=True),
        Column("value", "STRING", "value; null when it is sensitive"),
        Column("is_sensitive", "BOOLEAN", "Kafka does not show the value", required=True),
        Column("config_source", "STRING", "where Kafka took the value from, such as DYNAMIC_TOPIC_CONFIG"),
    ),
)

BROKER_SETTINGS = Table(
    name="broker_settings",
    kind=Kind.STATE,
    meaning="the configs that decide how partitions fare, as they are in force on each broker: set, static or default "
    "(DescribeConfigs). A topic's own config comes before them. Under KRaft the controllers rebalance leaders by their own "
    "properties files, which no API shows",
    source="kafka",
    key=("broker_id", "name"),
    scopes={"kafka": "/configs/broker/{broker_id}"},
    columns=(
        BROKER_ID,
        Column("name", "STRING", "config key, such as min.insync.replicas", required=True),
        Column("value", "STRING", "value that the broker goes by"),
        Column(
            "source",
            "STRING",
            "where the broker has it from: DYNAMIC_BROKER_CONFIG, DYNAMIC_DEFAULT_BROKER_CONFIG, STATIC_BROKER_CONFIG "
            "(its properties file) or DEFAULT_CONFIG; null when a newer Kafka names another",
        ),
    ),
)
