"""What znodes say, in DuckDB's SQL: for the check that reads them beside what the Kafka API says.

Every SELECT gives `znode`, the path that a row stands in. A znode that is not as Kafka writes it has no row, or nulls.
The typed tables say the same of ZooKeeper until a KRaft controller rules, then they follow the API.
"""

_REPLICAS = '"MAP(VARCHAR, INTEGER[])"'
_ENTRY = '{"principal": "VARCHAR", "permissionType": "VARCHAR", "operation": "VARCHAR", "host": "VARCHAR"}'


def _document(shape: str) -> str:
    return f"TRY(from_json(data, '{shape}'))"


def _below(folder: str) -> str:
    return f"path LIKE '{folder}/%' AND path NOT LIKE '{folder}/%/%'"


_TOPIC = _document(
    f'{{"topic_id": "VARCHAR", "partitions": {_REPLICAS}, "adding_replicas": {_REPLICAS}, "removing_replicas": {_REPLICAS}}}'
)

TOPICS = f"""
SELECT split_part(path, '/', 4) AS topic, path AS znode, doc, rtrim(doc.topic_id, '=') AS topic_id
FROM (SELECT path, {_TOPIC} AS doc FROM znodes WHERE {_below("/brokers/topics")})
"""
"""Topics; `topic_id` is null where the znode has none, `doc` is its JSON."""

_ASSIGNMENTS = """
SELECT topic, znode, TRY_CAST(each.key AS INTEGER) AS partition, each.value AS replicas,
  coalesce(doc.adding_replicas[each.key], []) AS adding, coalesce(doc.removing_replicas[each.key], []) AS removing
FROM (SELECT topic, znode, doc, unnest(map_entries(doc.partitions)) AS each FROM zookeepers_topics)
"""
_STATE = _document('{"leader": "INTEGER", "leader_epoch": "INTEGER", "isr": ["INTEGER"]}')
_STATES = f"""
SELECT split_part(path, '/', 4) AS topic, TRY_CAST(split_part(path, '/', 6) AS INTEGER) AS partition, path AS state_znode,
  doc.leader AS leader, doc.leader_epoch AS leader_epoch, doc.isr AS isr
FROM (SELECT path, {_STATE} AS doc FROM znodes WHERE path LIKE '/brokers/topics/%/partitions/%/state')
"""
PARTITIONS = f"SELECT * FROM ({_ASSIGNMENTS}) LEFT JOIN ({_STATES}) USING (topic, partition)"
"""Partitions of `zookeepers_topics`, which is TOPICS; the columns of the state, `state_znode` too, are null where there is none."""


def _settings(place: str) -> str:
    return f"""
SELECT names, znode, each.key AS name, each.value AS value FROM (
  SELECT string_split(path, '/') AS names, path AS znode, unnest(map_entries(doc.config)) AS each
  FROM (SELECT path, {_document('{"config": "MAP(VARCHAR, VARCHAR)"}')} AS doc FROM znodes WHERE {place})
)
"""


def _name(number: int) -> str:
    """A name of the path as it was before Kafka encoded it; `<default>` stays apart from a user who is called so."""
    return f"CASE WHEN url_decode(names[{number}]) = '<default>' THEN names[{number}] ELSE url_decode(names[{number}]) END"


CONFIGS = f"""
SELECT rtrim(names[3], 's') AS scope, names[4] AS entity, name, value, znode
FROM ({_settings(f"({_below('/config/topics')}) OR ({_below('/config/brokers')})")})
"""
"""Configs of topics and brokers."""

_OF_USERS = _settings(
    "path LIKE '/config/users/%' OR path LIKE '/config/clients/%' OR path LIKE '/config/ips/%'"
)

QUOTAS = f"""
SELECT CASE WHEN names[3] = 'users' THEN {_name(4)} END AS "user",
  CASE WHEN names[3] = 'clients' THEN {_name(4)} WHEN names[5] = 'clients' THEN {_name(6)} END AS client_id,
  CASE WHEN names[3] = 'ips' THEN {_name(4)} END AS ip, name, TRY_CAST(value AS DOUBLE) AS value, znode
FROM ({_OF_USERS}) WHERE NOT starts_with(name, 'SCRAM-')
"""
"""Client quotas."""

SCRAM_CREDENTIALS = f"""
SELECT {_name(4)} AS "user", name AS mechanism,
  TRY_CAST(regexp_extract(value, 'iterations=([0-9]+)', 1) AS INTEGER) AS iterations, znode
FROM ({_OF_USERS}) WHERE starts_with(name, 'SCRAM-') AND len(names) = 4
"""
"""SCRAM credentials, as the collector redacts them."""

_ACLS = _document(f'{{"acls": [{_ENTRY}]}}')
ACLS = f"""
SELECT DISTINCT place.resource_type AS resource_type, pattern_type, place.resource_name AS resource_name,
  entry.principal AS principal, entry.host AS host, entry.operation AS operation, entry.permissionType AS permission, znode
FROM (
  SELECT znode, unnest(doc.acls) AS entry, if(znode LIKE '/kafka-acl/%', 'literal', 'prefixed') AS pattern_type,
    regexp_extract(znode, '^/kafka-acl(?:|-extended/prefixed)/([^/]+)/(.+)$', ['resource_type', 'resource_name']) AS place
  FROM (
    SELECT path AS znode, {_ACLS} AS doc FROM znodes
    WHERE path LIKE '/kafka-acl/%/%' OR path LIKE '/kafka-acl-extended/prefixed/%/%'
  )
)
"""
"""Access control entries."""

CONTROLLER = f"""
SELECT doc.brokerid AS controller_id, doc.kraftControllerEpoch AS kraft_epoch, znode
FROM (
  SELECT path AS znode, {_document('{"brokerid": "INTEGER", "kraftControllerEpoch": "INTEGER"}')} AS doc
  FROM znodes WHERE path = '/controller'
)
"""
"""The controller, if there is one."""
