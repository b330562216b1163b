"""Says why something on a disk could not be read, and what to do."""

from jobs.errors import NotReadError
from schemas.snapshots import GapReason


def why_log_dir(error: OSError, broker: int, path: str) -> NotReadError:
    """Why a log dir could not be read."""
    where = f"log dir {path} of broker {broker}"
    if isinstance(error, FileNotFoundError | NotADirectoryError):
        return missing(broker, path)
    if isinstance(error, PermissionError):
        remedy = "let the user Varve runs as read and enter it"
        return NotReadError(GapReason.UNAUTHORIZED, f"The {where} may not be read: {remedy}.")
    return NotReadError(
        GapReason.UNREADABLE, f"The {where} cannot be read ({error.strerror}): check the disk."
    )


def why_in(error: OSError, where: str) -> NotReadError:
    """Why something in a log dir could not be read."""
    if isinstance(error, PermissionError):
        return NotReadError(
            GapReason.UNAUTHORIZED, f"{where} may not be read: let the user Varve runs as read its files."
        )
    return NotReadError(GapReason.UNREADABLE, f"{where} cannot be read ({error.strerror}): check the disk.")


def no_plain_file(where: str) -> NotReadError:
    """A link that is not followed, or a device, in the place of a file or a directory."""
    return NotReadError(
        GapReason.UNREADABLE,
        f"{where} is a link or a device, and only plain files are read: put what it stands for in its place "
        "(tar -h).",
    )


def missing(broker: int, path: str) -> NotReadError:
    """There is no such log dir."""
    remedy = "check the path under log_dirs in varve.yaml, and whether the disk is mounted"
    return NotReadError(GapReason.MISSING, f"There is no log dir {path} of broker {broker}: {remedy}.")


def empty(broker: int, path: str) -> NotReadError:
    """The log dir is there, yet holds nothing."""
    return NotReadError(
        GapReason.MISSING,
        f"The log dir {path} of broker {broker} holds nothing of Kafka's, as the mount point of a disk that is "
        "not mounted: mount it, or take it out of varve.yaml until its broker has started once.",
    )


def unsettled(what: str) -> NotReadError:
    """Something changed while it was read."""
    return NotReadError(GapReason.UNSETTLED, f"{what}; the next snapshot will see it.")


def too_large(path: str, size: int, limit: int) -> NotReadError:
    """A file that no Kafka writes that large."""
    return NotReadError(
        GapReason.UNREADABLE, f"{path} has {size} bytes; more than {limit} are not read: look at it."
    )


def storable(name: str) -> str:
    """The name with bytes that are no UTF-8 written as escapes, so that it can be stored."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return name.encode("utf-8", "surrogateescape").decode("utf-8", "backslashreplace")
    return name
