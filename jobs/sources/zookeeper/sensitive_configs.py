"""Which configs in znodes are secrets, by the family they belong to, their key and their value."""

import re
from collections.abc import Callable
from typing import Any

_LISTENER = re.compile(r"listener\.name\.[^.]*\.")
_SECRET_KEY = re.compile(
    r"passw|pwd|secret|credential|jaas|passphrase|license|user\.info|auth\.header|connection\.string|keystore\.(key|certificate)|truststore\.certificate"
    r"|(^|[._-])(token|key|apikey)$",
    re.IGNORECASE,
)
_SECRET_VALUE = re.compile(r"encryptedPassword:|stored_key=|server_key=")
_USER_QUOTAS = {
    "producer_byte_rate",
    "consumer_byte_rate",
    "request_percentage",
    "controller_mutation_rate",
    "connection_creation_rate",
}
_SHOWN_OF_BROKERS = {
    "advertised.listeners",
    "background.threads",
    "compression.gzip.level",
    "compression.lz4.level",
    "compression.type",
    "compression.zstd.level",
    "follower.replication.throttled.rate",
    "leader.replication.throttled.rate",
    "listener.security.protocol.map",
    "listeners",
    "log.cleaner.backoff.ms",
    "log.cleaner.dedupe.buffer.size",
    "log.cleaner.delete.retention.ms",
    "log.cleaner.io.buffer.load.factor",
    "log.cleaner.io.buffer.size",
    "log.cleaner.io.max.bytes.per.second",
    "log.cleaner.max.compaction.lag.ms",
    "log.cleaner.min.cleanable.ratio",
    "log.cleaner.min.compaction.lag.ms",
    "log.cleaner.threads",
    "log.cleanup.policy",
    "log.flush.interval.messages",
    "log.flush.interval.ms",
    "log.index.interval.bytes",
    "log.index.size.max.bytes",
    "log.local.retention.bytes",
    "log.local.retention.ms",
    "log.message.downconversion.enable",
    "log.message.timestamp.after.max.ms",
    "log.message.timestamp.before.max.ms",
    "log.message.timestamp.difference.max.ms",
    "log.message.timestamp.type",
    "log.preallocate",
    "log.retention.bytes",
    "log.retention.ms",
    "log.roll.jitter.ms",
    "log.roll.ms",
    "log.segment.bytes",
    "log.segment.delete.delay.ms",
    "max.connection.creation.rate",
    "max.connections",
    "max.connections.per.ip",
    "max.connections.per.ip.overrides",
    "message.max.bytes",
    "metric.reporters",
    "min.insync.replicas",
    "num.io.threads",
    "num.network.threads",
    "num.recovery.threads.per.data.dir",
    "num.replica.fetchers",
    "principal.builder.class",
    "producer.id.expiration.ms",
    "remote.fetch.max.wait.ms",
    "remote.log.index.file.cache.total.size.bytes",
    "remote.log.manager.copy.max.bytes.per.second",
    "remote.log.manager.fetch.max.bytes.per.second",
    "replica.alter.log.dirs.io.max.bytes.per.second",
    "sasl.enabled.mechanisms",
    "sasl.kerberos.kinit.cmd",
    "sasl.kerberos.min.time.before.relogin",
    "sasl.kerberos.principal.to.local.rules",
    "sasl.kerberos.service.name",
    "sasl.kerberos.ticket.renew.jitter",
    "sasl.kerberos.ticket.renew.window.factor",
    "sasl.login.refresh.buffer.seconds",
    "sasl.login.refresh.min.period.seconds",
    "sasl.login.refresh.window.factor",
    "sasl.login.refresh.window.jitter",
    "sasl.mechanism.inter.broker.protocol",
    "ssl.cipher.suites",
    "ssl.client.auth",
    "ssl.enabled.protocols",
    "ssl.endpoint.identification.algorithm",
    "ssl.engine.factory.class",
    "ssl.keymanager.algorithm",
    "ssl.keystore.location",
    "ssl.keystore.type",
    "ssl.protocol",
    "ssl.provider",
    "ssl.secure.random.implementation",
    "ssl.trustmanager.algorithm",
    "ssl.truststore.location",
    "ssl.truststore.type",
    "transaction.partition.verification.enable",
    "unclean.leader.election.enable",
}
"""What Kafka 2.8 to 3.9 may keep in `/config/brokers` and is no PASSWORD.

`DynamicBrokerConfig.AllDynamicConfigs` and `DynamicConfig.Broker`.
"""


def looks_secret(key: str, value: Any) -> bool:
    """Whether the key or the value looks like a secret. A nested value counts as one, since its parts are not judged."""
    if isinstance(value, dict | list):
        return True
    return bool(_SECRET_KEY.search(key) or _SECRET_VALUE.search(str(value)))


def _is_secret_of_a_user(key: str, _value: Any) -> bool:
    return key not in _USER_QUOTAS


def _is_secret_of_a_broker(key: str, value: Any) -> bool:
    """Like Kafka (`KafkaConfig.maybeSensitive`) this takes every key that it does not know for a secret."""
    return _LISTENER.sub("", key, count=1) not in _SHOWN_OF_BROKERS or looks_secret(key, value)


IS_SECRET: dict[str, Callable[[str, Any], bool]] = {
    "users": _is_secret_of_a_user,
    "brokers": _is_secret_of_a_broker,
}
"""Per sensitive family below `/config`, whether a key with that value is a secret."""
