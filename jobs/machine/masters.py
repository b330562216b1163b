"""Whether the cluster that Spark is to run on answers; Spark itself asks for a minute before it says so."""

import socket
from urllib.parse import urlsplit

from jobs.errors import VarveError
from jobs.spark_settings import SparkSettings

_TIMEOUT_S = 5


def check_master(where: SparkSettings) -> None:
    """Raises VarveError when none of the masters of a standalone cluster can be connected to.

    YARN and Kubernetes are asked by Spark alone, as their own settings say.
    """
    if where.master.startswith("spark://"):
        failures = [_failure(each) for each in where.master.removeprefix("spark://").split(",")]
        if all(failures):
            raise VarveError(
                f"No master of Spark answers at {where.master} ({'; '.join(failures)}): start it, compare spark.master in "
                "varve.yaml with the address that its web page shows, or remove spark.master to run on this host"
            )


def _failure(address: str) -> str:
    """Why nobody can be connected to there; empty where somebody can."""
    parts = urlsplit(f"//{address}")
    try:
        socket.create_connection((parts.hostname or "", parts.port or 0), _TIMEOUT_S).close()
    except OSError as error:
        return f"{address}: {error.strerror or error}"
    return ""
