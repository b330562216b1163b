"""A Spark cluster for tests: a master and workers as processes of their own, from the jars that PySpark brings.

Each worker has an address of its own on loopback, so that Spark takes them for different hosts.

The workers see neither the checkout nor the temporary folders and jars of the driver, where this machine lets a process
hide folders from another.
"""

import os
import shlex
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pyspark

from jobs.lab.jvm import Jvm, wait_until
from jobs.lab.ports import HOST, free_port
from jobs.machine.jars import cache
from jobs.machine.java import find_java

_DEPLOY = "org.apache.spark.deploy"
_OWN = Path("/mnt")
"""In the workers' own view of the machine: Spark, and where they work."""


class SparkCluster:
    """A master and its workers."""

    def __init__(self, master: str, workers: Sequence[Jvm], hides: bool) -> None:
        self.master = master
        self.workers = workers
        self.hides = hides
        """Whether the workers see no folder of the driver."""

    def executors(self) -> list[int]:
        """The process ids of the executors that run now."""
        asked = [
            subprocess.run(["pgrep", "-P", str(node.pid)], capture_output=True, text=True, check=False)
            for node in self.workers
        ]
        return [int(found) for each in asked for found in each.stdout.split()]


@contextmanager
def spark_cluster(folder: Path, workers: int = 2, cores: int = 1) -> Iterator[SparkCluster]:
    """The cluster, until the block ends."""
    port, hides = free_port(), _can_hide()
    master = Jvm("Spark's master", _command("master.Master", port, HOST), folder / "master.log")
    address = f"spark://{HOST}:{port}"
    nodes = [
        Jvm(
            f"worker {number}",
            _worker(address, f"127.0.0.{2 + number}", cores, folder / f"work-{number}", hides),
            folder / f"{number}.log",
        )
        for number in range(workers)
    ]
    servers = [master, *nodes]
    try:
        master.start()
        wait_until("the master", lambda: "I have been elected leader" in _log(master), [master], 60)
        for node in nodes:
            node.start()
        wait_until(
            "the workers", lambda: all("Successfully registered" in _log(node) for node in nodes), servers, 60
        )
        yield SparkCluster(address, nodes, hides)
    finally:
        for server in reversed(servers):
            server.kill()


def _worker(master: str, host: str, cores: int, folder: Path, hides: bool) -> list[str]:
    """The command of a worker; in a view of its own of the machine where that is possible."""
    if not hides:
        options = ["--cores", str(cores), "--memory", "2g", "--work-dir", str(folder), master]
        return _command("worker.Worker", 0, host, *options)
    options = ["--cores", str(cores), "--memory", "2g", "--work-dir", str(_OWN / "work"), master]
    started = _command("worker.Worker", 0, host, *options, spark=_OWN / "spark")
    hidden = [Path(tempfile.gettempdir()), Path(sys.prefix), Path(__file__).parents[1], cache()]
    steps = [
        f"mount -t tmpfs none {_OWN}",
        f"mkdir {_OWN}/spark {_OWN}/work",
        f"mount --bind {shlex.quote(str(_spark_home()))} {_OWN}/spark",
        # One of them may lie in another, which hides it.
        *(f"test ! -e {each} || mount -t tmpfs none {each}" for each in map(shlex.quote, map(str, hidden))),
        f"cd {_OWN}/work",
        f"exec {shlex.join(started)}",
    ]
    return ["unshare", "--mount", "--propagation", "private", "sh", "-ec", "\n".join(steps)]


def _command(main: str, port: int, host: str, *options: str, spark: Path | None = None) -> list[str]:
    home = spark or _spark_home()
    java = find_java()
    # A worker starts its executors with the classes of SPARK_HOME; there is no Python on this path.
    environment = [
        f"SPARK_HOME={home}",
        f"JAVA_HOME={java.parent.parent}",
        "PATH=/nowhere",
        "SPARK_SCALA_VERSION=2.13",
        f"SPARK_LOCAL_IP={host}",
    ]
    jvm = [str(java), "-Xmx256m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1", "-cp", f"{home}/jars/*"]
    return [
        "/usr/bin/env",
        "-i",
        *environment,
        *jvm,
        f"{_DEPLOY}.{main}",
        "--host",
        host,
        "--port",
        str(port),
        "--webui-port",
        "0",
        *options,
    ]


def _spark_home() -> Path:
    return Path(pyspark.__file__).parent


def _can_hide() -> bool:
    """Whether this process may give another one a view of its own of the file system."""
    if os.geteuid() != 0 or not shutil.which("unshare"):
        return False
    tried = subprocess.run(
        ["unshare", "--mount", "--propagation", "private", "mount", "-t", "tmpfs", "none", str(_OWN)],
        capture_output=True,
        check=False,
        timeout=10,
    )
    return tried.returncode == 0


def _log(server: Jvm) -> str:
    return server.log.read_text(errors="replace") if server.log.exists() else ""
