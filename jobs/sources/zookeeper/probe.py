"""Tells `varve doctor` what of a cluster's ZooKeeper tree can be read."""

from jobs.errors import VarveError
from jobs.sources.probe import Probe
from jobs.sources.zookeeper.connection.session import over_one_session
from jobs.sources.zookeeper.connection.stat import read_stat
from jobs.sources.zookeeper.connection.wire import DATA, NO_AUTH, NO_NODE, Operation, Reply
from jobs.sources.zookeeper.settings import Settings

SENSITIVE = ("/config/users", "/config/brokers", "/delegation_token/tokens")
"""The subtrees that `zookeeper.set.acl` closes (`kafka.zk.ZkData.SensitiveRootPaths`)."""


def probe(settings: Settings) -> list[Probe]:
    """Whether the ensemble answers, the configured paths exist, and the subtrees that Kafka closes can be read."""
    try:
        return _ask(settings)
    except VarveError as error:
        return [Probe(f"ZooKeeper {settings.hosts}", False, str(error))]


def _ask(settings: Settings) -> list[Probe]:
    root = settings.chroot or "/"
    required = [root, f"{settings.chroot}/brokers", *(settings.chroot + path for path in settings.subtrees)]
    paths = list(dict.fromkeys([*required, *(settings.chroot + path for path in SENSITIVE)]))
    operations = [Operation(DATA, path) for path in paths]
    replies = over_one_session(settings, lambda _session, read: read(operations))
    probes = [_probe(path, reply, path in required) for path, reply in zip(paths, replies, strict=True)]
    return [Probe(f"ZooKeeper {settings.hosts}", True, "answers"), *filter(None, probes)]


def _probe(path: str, reply: Reply, is_required: bool) -> Probe | None:
    """None for a path that may be absent and is, and for an error that is none of the known ones."""
    if reply == NO_AUTH:
        return Probe(f"znode {path}", False, "give the READ right to the identity Varve connects with")
    if reply == NO_NODE and is_required:
        remedy = "compare `connect` with the brokers' zookeeper.connect, and look at `subtrees`"
        return Probe(f"znode {path}", False, f"not there: {remedy}")
    if isinstance(reply, tuple):
        return Probe(f"znode {path}", True, f"readable, {read_stat(reply[1]).num_children} children")
    return None
