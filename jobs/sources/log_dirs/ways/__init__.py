"""The ways to get at the disks that log dirs are on; each of them is a `disk.Disk`."""
