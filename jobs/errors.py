"""Errors a person should read: what happened, where, and what to do. Named by what the caller can do."""

from schemas.snapshots import GapReason


class VarveError(Exception):
    """Something Varve can explain. The command line prints it without a traceback and exits with `exit_code`."""

    exit_code = 1


class UsageError(VarveError):
    """Wrong words or wrong settings; correct them and call again."""

    exit_code = 2


class SettingsError(UsageError):
    """`varve.yaml` is wrong; the message names the line."""


class NotReadError(VarveError):
    """Something could not be read: a whole source, or a part of it. It is recorded as a gap and the rest goes on.

    `reason` and the message become the gap's.
    """

    def __init__(self, reason: GapReason, message: str) -> None:
        super().__init__(message)
        self.reason = reason


class SnapshotRefusedError(VarveError):
    """The snapshot cannot be processed: nothing landed, it is too old, or another process writes the lake."""
