"""The sentence for a server that does not want Varve, or that Varve does not trust."""

import ssl

from kazoo.exceptions import AuthFailedError, SASLException, SessionClosedRequireSaslError

from jobs.errors import NotReadError
from jobs.sources.zookeeper.settings import Settings
from schemas.snapshots import GapReason

REFUSALS = (AuthFailedError, SASLException, SessionClosedRequireSaslError)


def refusal(error: Exception | None, settings: Settings) -> NotReadError | None:
    """What to tell when `error` says that trying again is of no use; None when it does not."""
    if isinstance(error, ssl.SSLError):
        return _untrusted(error, settings)
    if not isinstance(error, REFUSALS):
        return None
    is_anonymous = settings.auth is None or settings.auth.scheme == "digest"
    if is_anonymous and isinstance(error, SessionClosedRequireSaslError):
        message = (
            f"ZooKeeper at {settings.hosts} serves only clients that log in by SASL: give `auth` with "
            "`scheme: sasl` or `gssapi` in the cluster's zookeeper settings."
        )
    else:
        message = (
            f"ZooKeeper at {settings.hosts} refused Varve's credentials: check `auth` in the cluster's "
            "zookeeper settings, the password first."
        )
    return NotReadError(GapReason.UNAUTHORIZED, message)


def _untrusted(error: ssl.SSLError, settings: Settings) -> NotReadError:
    what = error.reason or str(error)
    if isinstance(error, ssl.SSLCertVerificationError):
        what = error.verify_message.rstrip(".")
    return NotReadError(
        GapReason.UNREACHABLE,
        f"TLS with ZooKeeper at {settings.hosts} failed ({what}): check that `connect` names each server as its "
        "certificate does, that `tls.ca` is the authority that signed it, and that the port is the secure one.",
    )
