"""The ZooKeeper tree under a cluster's chroot."""
