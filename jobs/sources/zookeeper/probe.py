"""What `varve doctor` asks ZooKeeper."""

from jobs.errors import VarveError
from jobs.sources.probe import Probe
from jobs.sources.zookeeper.attempts import over_one_session
from jobs.sources.zookeeper.settings import Settings
from jobs.sources.zookeeper.wire import DATA, NO_AUTH, NO_NODE, Operation, read_stat

SENSITIVE = ("/config/users", "/config/brokers", "/delegation_token/tokens")
"""The subtrees that `zookeeper.set.acl` closes (`kafka.zk.ZkData.SensitiveRootPaths`)."""


def probe(settings: Settings) -> list[Probe]:
    """Whether the ensemble answers, what is named is there, and the subtrees that Kafka closes can be read."""
    try:
        return _ask(settings)
    except VarveError as error:
        return [Probe(f"ZooKeeper {settings.hosts}", False, str(error))]


def _ask(settings: Settings) -> list[Probe]:
    root = settings.chroot or "/"
    named = [root, f"{settings.chroot}/brokers", *(settings.chroot + path for path in settings.subtrees)]
    paths = list(dict.fromkeys([*named, *(settings.chroot + path for path in SENSITIVE)]))
    operations = [Operation(DATA, path) for path in paths]
    replies = over_one_session(settings, lambda _session, read: read(operations))
    answers = [Probe(f"ZooKeeper {settings.hosts}", True, "answers")]
    for path, reply in zip(paths, replies, strict=True):
        what = f"znode {path}"
        if reply == NO_AUTH:
            answers.append(Probe(what, False, "give the READ right to the identity Varve connects with"))
        elif reply == NO_NODE and path in named:
            remedy = "compare `connect` with the brokers' zookeeper.connect, and look at `subtrees`"
            answers.append(Probe(what, False, f"not there: {remedy}"))
        elif isinstance(reply, tuple):
            answers.append(Probe(what, True, f"readable, {read_stat(reply[1]).num_children} children"))
    return answers
