"""What ZooKeeper's tree and the Kafka API say differently of the same thing, as DuckDB's SQL.

DIFFERENCES gives `subject`, `what` of it, how `zookeeper` and `kafka` have it (null where it is not there), the `znode` it
stands in and the `place` where the API tells it. MOVED gives the subjects of which the API says something else than in the
snapshot before.
"""

from jobs.checks.parts import znodes

_WHOM = "concat_ws(', ', 'user ' || \"user\", 'client ' || client_id, 'ip ' || ip)"
_RESOURCE = "resource_type || ' ' || resource_name || if(pattern_type = 'prefixed', ' (prefixed)', '')"
_CONFIGURED = "if(scope = 'topic', entity, scope || ' ' || entity)"

_TOPICS = """
SELECT topic AS subject, 'topic_id' AS what, if(z.znode IS NULL, NULL, coalesce(z.topic_id, 'none')) AS zookeeper,
  if(k.read_at IS NULL, NULL, coalesce(k.topic_id, 'none')) AS kafka,
  '/brokers/topics/' || topic AS znode, '/topics/' || topic AS place
FROM zookeepers_topics AS z FULL JOIN admin_topics AS k USING (topic)
WHERE topic NOT IN (SELECT split_part(path, '/', 4) FROM znodes WHERE path LIKE '/admin/delete_topics/%')
"""
"""A topic that is marked for deletion is not copied."""

_HELD_BY_BOTH = "SELECT topic FROM zookeepers_topics SEMI JOIN admin_topics USING (topic) WHERE doc.partitions IS NOT NULL"

_PAIRED = f"""
SELECT topic, partition,
  {{replicas: z.replicas, leader: z.leader, leader_epoch: z.leader_epoch, isr: list_sort(z.isr), adding: z.adding,
    removing: z.removing}} AS of_zookeeper,
  {{replicas: k.replicas, leader: if(k.leader < 0, z.leader, k.leader), leader_epoch: k.leader_epoch, isr: list_sort(k.isr),
    adding: coalesce(moves.adding, []), removing: coalesce(moves.removing, [])}} AS of_kafka
FROM ({znodes.PARTITIONS}) AS z FULL JOIN admin_partitions AS k USING (topic, partition)
LEFT JOIN admin_reassignments AS moves USING (topic, partition)
SEMI JOIN ({_HELD_BY_BOTH}) AS held_by_both USING (topic)
"""
"""A leader whose broker does not answer is -1 over the API, which says nothing of ZooKeeper's."""

_STATE = "/partitions/' || partition || '/state"
_EACH = ", ".join(
    f"{{what: '{name}', zookeeper: of_zookeeper.{name}::VARCHAR, kafka: of_kafka.{name}::VARCHAR, "
    f"znode: '/brokers/topics/' || topic || '{state}', place: {place}}}"
    for state, place, names in (
        ("", "'/topics/' || topic", ("replicas",)),
        ("", "'/reassignments'", ("adding", "removing")),
        (_STATE, "'/topics/' || topic", ("leader", "leader_epoch", "isr")),
    )
    for name in names
)
_PARTITIONS = f"""
SELECT topic || '-' || partition AS subject, unnest([{_EACH}], recursive := true)
FROM ({_PAIRED}) WHERE of_zookeeper IS DISTINCT FROM of_kafka
"""

_PLAIN = "lower(replace({}.value, ' ', ''))"
_CONFIGS = f"""
SELECT {_CONFIGURED} AS subject, name AS what, if(z.znode IS NULL, NULL, coalesce(z.value, '')) AS zookeeper,
  CASE WHEN k.read_at IS NULL THEN NULL WHEN z.znode IS NOT NULL AND (
      k.is_sensitive OR {_PLAIN.format("z")} = {_PLAIN.format("k")} OR TRY_CAST(z.value AS DOUBLE) = TRY_CAST(k.value AS DOUBLE)
    ) THEN coalesce(z.value, '') ELSE coalesce(k.value, 'secret') END AS kafka,
  '/config/' || scope || 's/' || entity AS znode, '/configs/' || scope || '/' || entity AS place
FROM ({znodes.CONFIGS}) AS z FULL JOIN admin_configs AS k USING (scope, entity, name)
WHERE if(scope = 'topic', entity IN ({_HELD_BY_BOTH}),
  entity = '<default>' OR entity IN (SELECT broker_id::VARCHAR FROM admin_brokers WHERE is_current))
"""
"""The API spells numbers and lists in its own way. A broker that is not there is not asked for its config."""

_SAME_WHOM = 'z."user" IS NOT DISTINCT FROM k."user" AND z.client_id IS NOT DISTINCT FROM k.client_id AND z.ip IS NOT DISTINCT FROM k.ip'
_QUOTAS = f"""
SELECT {_WHOM} AS subject, name AS what, zookeeper, kafka, coalesce(znode, '/config') AS znode, '/quotas' AS place FROM (
  SELECT coalesce(z."user", k."user") AS "user", coalesce(z.client_id, k.client_id) AS client_id, coalesce(z.ip, k.ip) AS ip,
    coalesce(z.name, k.name) AS name, z.value::VARCHAR AS zookeeper, k.value::VARCHAR AS kafka, z.znode AS znode
  FROM ({znodes.QUOTAS}) AS z FULL JOIN admin_quotas AS k ON {_SAME_WHOM} AND z.name = k.name
)
"""
_CREDENTIALS = f"""
SELECT 'user ' || "user" AS subject, mechanism AS what, z.iterations || ' iterations' AS zookeeper,
  k.iterations || ' iterations' AS kafka, coalesce(z.znode, '/config/users') AS znode, '/scram_credentials/' || "user" AS place
FROM ({znodes.SCRAM_CREDENTIALS}) AS z FULL JOIN admin_scram_credentials AS k USING ("user", mechanism)
"""
_OF_ENTRY = "resource_type, pattern_type, resource_name, principal, host, operation, permission"
_ACLS = f"""
SELECT {_RESOURCE} AS subject, concat_ws(' ', permission, principal, operation, 'from', host) AS what,
  if(z.znode IS NULL, NULL, 'is there') AS zookeeper, if(k.read_at IS NULL, NULL, 'is there') AS kafka,
  if(pattern_type = 'prefixed', '/kafka-acl-extended/prefixed/', '/kafka-acl/') || resource_type || '/' || resource_name AS znode,
  '/acls' AS place
FROM ({znodes.ACLS}) AS z FULL JOIN admin_acls AS k USING ({_OF_ENTRY})
WHERE resource_type <> 'DelegationToken' AND EXISTS (FROM admin_acls)
"""
"""Brokers without an authorizer name none, whatever there is."""
_CONTROLLER = f"""
SELECT 'controller' AS subject, unnest([
    {{what: 'controller_id', zookeeper: z.controller_id::VARCHAR, kafka: k.leader_id::VARCHAR}},
    {{what: 'controller_epoch', zookeeper: z.kraft_epoch::VARCHAR, kafka: k.leader_epoch::VARCHAR}}
  ], recursive := true), '/controller' AS znode, '/quorum' AS place
FROM ({znodes.CONTROLLER}) AS z CROSS JOIN quorum AS k
"""

DIFFERENCES = f"""
WITH zookeepers_topics AS MATERIALIZED ({znodes.TOPICS}), differences AS (
  {" UNION ALL BY NAME ".join(f"({each})" for each in (_TOPICS, _PARTITIONS, _CONFIGS, _QUOTAS, _CREDENTIALS, _ACLS, _CONTROLLER))}
)
FROM differences WHERE zookeeper IS DISTINCT FROM kafka
"""

MOVED = f"""
SELECT topic AS subject FROM admin_topics_changes
UNION SELECT topic || '-' || partition FROM admin_partitions_changes
UNION SELECT topic || '-' || partition FROM admin_reassignments_changes
UNION SELECT {_CONFIGURED} FROM admin_configs_changes
UNION SELECT {_WHOM} FROM admin_quotas_changes
UNION SELECT 'user ' || "user" FROM admin_scram_credentials_changes
UNION SELECT {_RESOURCE} FROM admin_acls_changes
UNION SELECT 'controller' FROM quorum_changes
"""
