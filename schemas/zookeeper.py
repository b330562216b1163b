"""Raw state of the ZooKeeper tree under a cluster's chroot."""

from schemas.table import Column, Kind, Table

ZNODES = Table(
    name="znodes",
    kind=Kind.STATE,
    meaning="every znode under the chroot with its data and full stat, secrets replaced by fingerprints",
    source="zookeeper",
    key=("path",),
    scopes={"zookeeper": "{path}"},
    columns=(
        Column("path", "STRING", "path below the chroot; the chroot itself is /", required=True),
        Column("data", "STRING", "the znode's data as text; null when it has none"),
        Column(
            "encoding",
            "STRING",
            "how data is written: as it is, in base64 where it is no UTF-8, or with its secrets redacted",
            required=True,
            one_of=("utf-8", "base64", "redacted"),
        ),
        Column("czxid", "BIGINT", "transaction that created the znode", required=True),
        Column("mzxid", "BIGINT", "transaction that last set its data", required=True),
        Column("pzxid", "BIGINT", "transaction that last created or deleted a child", required=True),
        Column("ctime", "TIMESTAMP", "when it was created, by the ZooKeeper leader's clock", required=True),
        Column(
            "mtime", "TIMESTAMP", "when its data was last set, by the ZooKeeper leader's clock", required=True
        ),
        Column("version", "INT", "number of times its data was set", required=True),
        Column("cversion", "INT", "number of changes to its children", required=True),
        Column("aversion", "INT", "number of changes to its ACL", required=True),
        Column("ephemeral_owner", "BIGINT", "session that owns it, 0 when it is persistent", required=True),
        Column("data_length", "INT", "bytes of data as ZooKeeper counts them", required=True),
        Column("num_children", "INT", "children as ZooKeeper counts them", required=True),
    ),
)
