"""The ZooKeeper tree in a support bundle: a dump, or a server's data folder."""
