"""A ZooKeeper server's own files: snapshots, transaction logs and dumps of them."""
